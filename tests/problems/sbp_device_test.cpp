// The device's operator and solvers on grids of every kind against those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "core/have_cuda.hpp"
#include "problems/sbp_sat/device_solver.hpp"
#include "problems/sbp_sat/grid_blocks.hpp"
#include "run_case.hpp"
#include "sbp_grids.hpp"

#if GWRM_HAVE_CUDA

namespace gwrm::sbp_device_test {
namespace {

using namespace test;

class DeviceSbp : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    context_ = Context::create(BackendChoice::cuda, 1);
  }
  Context context_ = Context::create(BackendChoice::cpu, 1);
};

std::vector<double> random_values(Index n) {
  std::mt19937_64 generator(17);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = uniform(generator);
  return values;
}

double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return std::sqrt(sum);
}

double largest(const std::vector<double>& v) {
  double result = 0.0;
  for (double value : v) result = std::max(result, std::abs(value));
  return result;
}

sbp::Grid rectangle(int order, int n_slow, int n_fast, bool cross) {
  sbp::Grid grid = paper_problem(24, order, 0.0).grid;
  grid.blocks = {unit_block(n_slow, n_fast)};
  sbp::Coefficients& c = grid.blocks[0].c;
  c.slow = sampled(grid.blocks[0], 0, 0, [](double y, double x) { return 1.5 + std::sin(2 * x) * y; });
  c.fast = sampled(grid.blocks[0], 0, 0, [](double y, double x) { return 2.5 - x * y; });
  if (cross) c.cross = sampled(grid.blocks[0], 0, 0, [](double y, double x) { return 0.4 * (x - y); });
  return grid;
}

// Two blocks side by side, in the second of which C is ten times as large; Robin and flux conditions besides.
sbp::Grid two_blocks(int order, bool constant, int n = 24) {
  sbp::Grid grid;
  grid.order = order;
  Index offset = 0;
  for (const double factor : {1.0, 10.0}) {
    sbp::Block block = rectangle(order, n, n, false).blocks[0];
    if (constant) block.c = {{1.0}, {2.0}, {}};
    for (std::vector<double>* values : {&block.c.slow, &block.c.fast})
      for (double& value : *values) value *= factor;
    block.offset = offset;
    offset += block.size();
    grid.blocks.push_back(block);
  }
  grid.interfaces = {{0, 1, false}};
  using sbp::ConditionKind;
  const std::vector<double> kappa(static_cast<std::size_t>(n) + 1, 0.7);
  grid.sides = {
      {0, {false, End::lower}, ConditionKind::dirichlet, {}}, {1, {false, End::upper}, ConditionKind::flux, kappa},
      {0, {true, End::lower}, ConditionKind::flux, {}},       {0, {true, End::upper}, ConditionKind::dirichlet, {}},
      {1, {true, End::lower}, ConditionKind::flux, kappa},    {1, {true, End::upper}, ConditionKind::flux, {}}};
  return grid;
}

// A sector of a ring with a full tensor: C varies and has a mixed entry in the grid's coordinates.
std::string sector_text(int order, const std::string& solver) {
  return R"yaml(schema: 1
problem: sbp_sat_poisson
domain: {r: [1, 2], s: [0, pi/2]}
unknowns: [u]
sbp_sat:
  order: )yaml" +
         std::to_string(order) + R"yaml(
  solver: )yaml" +
         solver + R"yaml(
  tolerance: 1.0e-12
  intervals: {r: 36, s: 48}
  mapping: {x: "r*cos(s)", y: "r*sin(s)"}
  coefficient: {xx: 3, xy: 0.5, yy: 1}
  source: "-exp(x)*(2*sin(y) + cos(y))"
boundary:
  - "u(r=1) = exp(x)*sin(y)"
  - "flux(r=2) = cos(s)*exp(x)*(3*sin(y) + 0.5*cos(y)) + sin(s)*exp(x)*(0.5*sin(y) + cos(y))"
  - "u(s=0) = 0"
  - "flux(s=pi/2) + 2*u(s=pi/2) = -exp(x)*(3*sin(y) + 0.5*cos(y)) + 2*exp(x)*sin(y)"
exact: {u: "exp(x)*sin(y)"}
verification: {tolerance: 1.0e-2}
)yaml";
}

void expect_applies(const Context& context, const sbp::Grid& grid, const std::string& what) {
  const std::vector<double> u = random_values(grid.size());
  std::vector<double> expected(u.size()), found(u.size()), again(u.size());
  sbp::GridOperator(grid).apply(u.data(), expected.data());
  const BlockOperator a = sbp::block_operator(grid);
  cuda::block_apply(context, a, u.data(), found.data());
  // Points are weighed by their own largest entry, as C jumps: the diagonal of A.
  const std::vector<double> size = sbp::GridOperator(grid).diagonal();
  for (std::size_t k = 0; k < u.size(); ++k)
    ASSERT_NEAR(found[k], expected[k], 1e-13 * size[k]) << what << ", point " << k;
  cuda::block_apply(context, a, u.data(), again.data());
  EXPECT_EQ(found, again) << what << ": two runs differ";
}

TEST_F(DeviceSbp, OperatorsAgreeWithTheCpu) {
  for (int order : {2, 4, 6})
    for (const bool cross : {false, true}) {
      const std::string what = std::to_string(order) + (cross ? " full " : " diagonal ");
      const int least = static_cast<int>(general_grid(order, 40, 0.0, cross).least_intervals());
      for (const int n : {least, least + 5, 37, 140})
        expect_applies(context_, general_grid(order, n, 0.0, cross), what + std::to_string(n));
      expect_applies(context_, rectangle(order, 33, 259, cross), what + "rectangle");
      expect_applies(context_, two_blocks(order, !cross), what + "two blocks");
    }
}

// Tiles of more rows.
TEST_F(DeviceSbp, OperatorsAgreeOnLargeGrids) {
  expect_applies(context_, rectangle(2, 2001, 2050, false), "diagonal");
  expect_applies(context_, rectangle(4, 2050, 2001, true), "full");
}

struct Solved {
  std::vector<double> u;
  int iterations = 0;
};

Solved on_the_cpu(const sbp::SolverChoice& choice, const sbp::Grid& grid, const std::vector<double>& b, double stop) {
  const sbp::GridOperator a(grid);
  CgOptions options;
  options.residual = stop;
  options.max_iterations = 20000;
  const std::vector<double> inverse = sbp::inverse_diagonal(grid);
  std::unique_ptr<sbp::Multigrid> cycle;
  if (choice.solver == PoissonSolver::jacobi_cg) options.inverse_diagonal = &inverse;
  if (choice.solver == PoissonSolver::multigrid_cg) {
    cycle = std::make_unique<sbp::Multigrid>(grid);
    options.preconditioner = cycle.get();
  }
  Solved solved{std::vector<double>(b.size(), 0.0), 0};
  const CgResult result = conjugate_gradients(a, b, solved.u, options);
  EXPECT_EQ(result.status, CgStatus::converged);
  solved.iterations = result.iterations;
  return solved;
}

void remove_mean(std::vector<double>& u) {
  const double mean = std::accumulate(u.begin(), u.end(), 0.0) / static_cast<double>(u.size());
  for (double& value : u) value -= mean;
}

void expect_solves(const Context& context, const sbp::Grid& grid, PoissonSolver solver, const std::string& what) {
  const sbp::SolverChoice choice{solver};
  ASSERT_FALSE(grid.separable());
  ASSERT_TRUE(sbp::runs_on_device(context, choice, grid)) << what;
  std::vector<double> b = random_values(grid.size());
  if (grid.all_flux()) remove_mean(b);
  const double stop = 1e-13 * norm(b);
  Solved expected = on_the_cpu(choice, grid, b, stop);
  std::vector<double> u(b.size()), again(b.size());
  const DeviceCgResult result = sbp::solve_on_device(context, choice, grid, b, u, stop, 20000);
  EXPECT_EQ(result.status, DeviceCgStatus::converged) << what;
  // From a hundred iterations on the order of the sums decides the last one or two.
  EXPECT_NEAR(result.iterations, expected.iterations, 1 + expected.iterations / 50) << what;
  EXPECT_EQ(result.residuals.size(), static_cast<std::size_t>(result.iterations) + 1);
  sbp::solve_on_device(context, choice, grid, b, again, stop, 20000);
  EXPECT_EQ(u, again) << what << ": two runs differ";
  if (grid.all_flux()) {
    remove_mean(u);
    remove_mean(expected.u);
  }
  const double scale = largest(expected.u);
  for (std::size_t k = 0; k < u.size(); ++k) ASSERT_NEAR(u[k], expected.u[k], 1e-10 * scale) << what << " " << k;
}

TEST_F(DeviceSbp, ConjugateGradients) {
  for (const PoissonSolver solver : {PoissonSolver::cg, PoissonSolver::jacobi_cg}) {
    const std::string name = solver == PoissonSolver::cg ? "cg " : "jacobi_cg ";
    for (int order : {2, 4, 6}) {
      expect_solves(context_, rectangle(order, 20, 25, order != 4), solver, name + std::to_string(order));
      expect_solves(context_, two_blocks(order, order == 4), solver, name + "two blocks " + std::to_string(order));
    }
  }
  sbp::Grid grid = rectangle(2, 16, 18, false);
  for (sbp::BoundarySide& side : grid.sides) side.kind = sbp::ConditionKind::flux;
  expect_solves(context_, grid, PoissonSolver::jacobi_cg, "pure Neumann");
}

TEST_F(DeviceSbp, Multigrid) {
  for (int order : {2, 4, 6}) {
    const std::string name = "multigrid " + std::to_string(order);
    expect_solves(context_, rectangle(order, 80, 40, false), PoissonSolver::multigrid_cg, name + " diagonal");
    expect_solves(context_, rectangle(order, 40, 80, true), PoissonSolver::multigrid_cg, name + " full");
    const int n = order == 6 ? 36 : 48;  // the coarsest grid has few enough unknowns
    expect_solves(context_, two_blocks(order, true, n), PoissonSolver::multigrid_cg, name + " two blocks");
    expect_solves(context_, two_blocks(order, false, n), PoissonSolver::multigrid_cg, name + " jump");
  }
  for (int order : {2, 4})  // four blocks, every kind of condition
    expect_solves(context_, general_grid(order, 34, 0.0, true, 2), PoissonSolver::multigrid_cg,
                  "multigrid, four blocks " + std::to_string(order));
  sbp::Grid grid = rectangle(2, 48, 32, true);
  for (sbp::BoundarySide& side : grid.sides) side.kind = sbp::ConditionKind::flux;
  expect_solves(context_, grid, PoissonSolver::multigrid_cg, "pure Neumann");
}

// The numbers of a whole run, on a curvilinear grid.
TEST_F(DeviceSbp, RunsOnCurvilinearGrids) {
  for (int order : {2, 4})
    for (const char* solver : {"multigrid_cg", "jacobi_cg", "cg"}) {
      const std::string text = sector_text(order, solver);
      const RunOutcome expected = run_case(text);
      const RunOutcome found = make_problem(read_case_text(text, "test.yaml"))->run(context_, {});
      EXPECT_EQ(found.status, ExitStatus::converged) << found.report.reason;
      EXPECT_EQ(found.report.device, context_.device_name()) << solver;
      EXPECT_NEAR(found.report.n_linear_iterations, expected.report.n_linear_iterations,
                  1 + expected.report.n_linear_iterations / 50);
      EXPECT_NEAR(worst_error(found), worst_error(expected), 1e-5 * worst_error(expected)) << solver;
    }
}

// What rounding leaves of the constants in the residual is not preconditioned there either.
TEST_F(DeviceSbp, RunsWithFluxesOnAllSides) {
  for (const auto& [order, intervals] : {std::pair{2, 112}, {2, 128}, {6, 64}, {6, 128}}) {
    const std::string text = fmt::format(R"yaml(
problem: sbp_sat_poisson
domain: {{x: [0, 1], y: [0, 1]}}
unknowns: [u]
sbp_sat: {{order: {}, intervals: {}, blocks: {{x: [0, 0.5, 1]}}, coefficient: "1+999*step(x-0.5)", solver: multigrid_cg,
          source: "cos(2*pi*x) + cos(pi*y)"}}
boundary: ["flux(x=0) = 0", "flux(x=1) = 0", "flux(y=0) = 0", "flux(y=1) = 0"]
)yaml",
                                         order, intervals);
    const RunOutcome expected = run_case(text);
    const RunOutcome found = make_problem(read_case_text(text, "test.yaml"))->run(context_, {});
    EXPECT_EQ(found.status, ExitStatus::converged) << intervals << " " << found.report.reason;
    EXPECT_EQ(found.report.device, context_.device_name());
    EXPECT_NEAR(found.report.n_linear_iterations, expected.report.n_linear_iterations, 2) << order << " " << intervals;
  }
}

TEST_F(DeviceSbp, SaysWhatStaysOnTheCpu) {
  const sbp::Grid grid = rectangle(2, 32, 32, false);
  using sbp::SolverChoice;
  const auto runs = [&](const SolverChoice& choice) { return sbp::runs_on_device(context_, choice, grid); };
  EXPECT_FALSE(runs({PoissonSolver::cg, PoissonOperator::matrix_free, ReductionChoice::single}));
  EXPECT_FALSE(runs({PoissonSolver::cg, PoissonOperator::csr, ReductionChoice::single}));
  EXPECT_FALSE(runs({PoissonSolver::multigrid_cg, PoissonOperator::csr}));
  EXPECT_TRUE(runs({PoissonSolver::cg, PoissonOperator::ell}));
  EXPECT_FALSE(sbp::runs_on_device(context_, {PoissonSolver::multigrid_cg}, rectangle(2, 33, 32, false)));
  EXPECT_FALSE(sbp::runs_on_device(context_, {PoissonSolver::multigrid_cg}, rectangle(2, 424, 392, false)));
}

}  // namespace
}  // namespace gwrm::sbp_device_test

#endif
