// Solvers of the SBP-SAT systems: iteration counts, residuals computed with 34 digits elsewhere, and agreement.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/context.hpp"
#include "kernels/sbp_sat/fast_diagonalisation.hpp"
#include "problems/sbp_sat/multigrid.hpp"
#include "sbp_grids.hpp"

namespace gwrm::sbp_solvers_test {
namespace {

using namespace test;

// Threads that wait for each other on a busy machine take longer than the work of these small systems.
struct OneThread : ::testing::Environment {
  void SetUp() override { Context::create(BackendChoice::cpu, 1); }
};
[[maybe_unused]] const auto* const kOneThread = ::testing::AddGlobalTestEnvironment(new OneThread);

double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return std::sqrt(sum);
}

struct Solved {
  CgResult result;
  std::vector<double> u;
};

Solved solve(const SymmetricOperator& a, const std::vector<double>& b, CgOptions options, double tolerance) {
  Solved solved;
  solved.u.assign(b.size(), 0.0);
  options.residual = tolerance * norm(b);
  options.max_iterations = 20000;
  solved.result = conjugate_gradients(a, b, solved.u, options);
  EXPECT_EQ(solved.result.status, CgStatus::converged);
  EXPECT_EQ(solved.result.residuals.size(), static_cast<std::size_t>(solved.result.iterations) + 1);
  return solved;
}

double true_residual(const SymmetricOperator& a, const std::vector<double>& b, const std::vector<double>& u) {
  std::vector<double> r(b.size());
  a.apply(u.data(), r.data());
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
  return norm(r) / norm(b);
}

TEST(SbpConjugateGradients, CountsOfThePaperProblem) {
  for (const auto& [n, count] : {std::pair{8, 29}, {16, 58}, {32, 112}, {64, 223}, {128, 427}, {256, 814}}) {
    const PaperProblem problem = paper_problem(n);
    const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
    const auto a = sbp::matrix_free_operator(problem.grid);
    // From a hundred iterations on the order of the sums decides the last one or two.
    EXPECT_NEAR(solve(*a, b, {}, 1e-10).result.iterations, count, n < 32 ? 0 : 2) << n;
    CgOptions one_reduction;  // in one pass
    one_reduction.variant = CgVariant::chronopoulos_gear;
    const Solved once = solve(*a, b, one_reduction, 1e-10);
    EXPECT_NEAR(once.result.iterations, count, n < 32 ? 0 : 2) << n;
    EXPECT_LT(true_residual(*a, b, once.u), 1.1e-10) << n;
    if (n > 64) continue;
    const sbp::CsrOperator csr(sbp::GridOperator(problem.grid).assemble());
    EXPECT_NEAR(solve(csr, b, {}, 1e-10).result.iterations, count, 2) << n;
    EXPECT_NEAR(solve(csr, b, one_reduction, 1e-10).result.iterations, count, 2) << n;
  }
}

TEST(SbpConjugateGradients, JacobiCounts) {
  for (const auto& [n, count] : {std::pair{64, 149}, {256, 583}}) {
    const PaperProblem problem = paper_problem(n);
    const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
    const auto a = sbp::matrix_free_operator(problem.grid);
    const std::vector<double> inverse = sbp::inverse_diagonal(problem.grid);
    CgOptions jacobi;
    jacobi.inverse_diagonal = &inverse;
    EXPECT_NEAR(solve(*a, b, jacobi, 1e-10).result.iterations, count, 1) << n;
    jacobi.variant = CgVariant::chronopoulos_gear;
    const Solved once = solve(*a, b, jacobi, 1e-10);
    EXPECT_NEAR(once.result.iterations, count, 2) << n;
    EXPECT_LT(true_residual(*a, b, once.u), 1.1e-10) << n;
  }
}

TEST(SbpConjugateGradients, Residuals) {
  const PaperProblem problem = paper_problem(8);
  const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
  EXPECT_NEAR(norm(b), 33.63765360303393864, 1e-13);
  const CgResult result = solve(*sbp::matrix_free_operator(problem.grid), b, {}, 1e-10).result;
  EXPECT_NEAR(result.residuals[5], 1.0272244450711784575, 1e-11);
  EXPECT_NEAR(result.residuals[20], 6.545642792026e-04, 1e-3 * 6.5e-4);
}

TEST(SbpConjugateGradients, SaysWhyItEnds) {
  PaperProblem problem = paper_problem(16);
  const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
  const auto a = sbp::matrix_free_operator(problem.grid);
  std::vector<double> u(b.size(), 0.0);
  CgOptions options;
  options.max_iterations = 5;
  EXPECT_EQ(conjugate_gradients(*a, b, u, options).status, CgStatus::stalled);
  options.watch = [](int iteration, double) { return iteration < 3; };
  EXPECT_EQ(conjugate_gradients(*a, b, u, options).status, CgStatus::interrupted);
  options.watch = nullptr;
  std::vector<double> broken = b;
  broken[7] = std::nan("");
  EXPECT_EQ(conjugate_gradients(*a, broken, u, options).status, CgStatus::not_finite);
  problem.grid.tau = 0.5;  // far below the bound: indefinite
  options.max_iterations = 2000;
  std::fill(u.begin(), u.end(), 0.0);
  EXPECT_EQ(conjugate_gradients(*sbp::matrix_free_operator(problem.grid), b, u, options).status,
            CgStatus::not_definite);
}

TEST(SbpMultigrid, CountsDoNotGrow) {
  for (int n : {32, 64, 128, 256}) {
    const PaperProblem problem = paper_problem(n);
    const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
    const auto a = sbp::matrix_free_operator(problem.grid);
    const sbp::Multigrid cycle(problem.grid);
    CgOptions options;
    options.preconditioner = &cycle;
    const Solved solved = solve(*a, b, options, 1e-10);
    EXPECT_EQ(solved.result.iterations, 6) << n;
    EXPECT_LT(true_residual(*a, b, solved.u), 1e-10);
  }
}

// The cycle is a symmetric operator: u.(B v) = v.(B u), on grids of every kind.
TEST(SbpMultigrid, IsSymmetric) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const sbp::Grid& grid : {paper_problem(64, 4).grid, paper_problem(40, 2).grid}) {
    const sbp::Multigrid cycle(grid);
    std::vector<double> u(static_cast<std::size_t>(grid.size())), v(u.size()), bu(u.size()), bv(u.size());
    for (double& value : u) value = uniform(generator);
    for (double& value : v) value = uniform(generator);
    cycle.apply(u.data(), bu.data());
    cycle.apply(v.data(), bv.data());
    double left = 0.0, right = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      left += u[i] * bv[i];
      right += v[i] * bu[i];
    }
    EXPECT_NEAR(left, right, 1e-11 * norm(u) * norm(bv));
  }
}

TEST(SbpMultigrid, InterpolationIsTheTransposeOfRestriction) {
  const sbp::Grid fine = paper_problem(16).grid, coarse = sbp::coarsened(fine);
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> u(static_cast<std::size_t>(fine.size())), v(static_cast<std::size_t>(coarse.size()));
  for (double& value : u) value = uniform(generator);
  for (double& value : v) value = uniform(generator);
  std::vector<double> restricted(v.size()), interpolated(u.size(), 0.0);
  sbp::restrict_to(coarse, fine, u.data(), restricted.data());
  sbp::add_interpolated(coarse, fine, v.data(), interpolated.data());
  double left = 0.0, right = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) left += v[i] * restricted[i];
  for (std::size_t i = 0; i < u.size(); ++i) right += u[i] * interpolated[i];
  EXPECT_NEAR(left, right, 1e-12);
  // Linear functions are interpolated exactly.
  const auto linear = [](double y, double x) { return 1 + 2 * x - 3 * y + x * y; };
  std::fill(interpolated.begin(), interpolated.end(), 0.0);
  sbp::add_interpolated(coarse, fine, sampled(coarse.blocks[0], 0, 0, linear).data(), interpolated.data());
  const auto expected = sampled(fine.blocks[0], 0, 0, linear);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(interpolated[i], expected[i], 1e-14);
}

// Blocks, jumps and mixed derivatives: slower, but not with the number of points.
TEST(SbpMultigrid, GeneralGrids) {
  for (int order : {2, 4}) {
    sbp::Grid grid = general_grid(order, 64);
    for (sbp::Block& block : grid.blocks) {  // odd numbers of intervals cannot be halved
      EXPECT_TRUE(block.n_slow > 60);
    }
    grid = general_grid(order, 62);
    EXPECT_FALSE(sbp::can_coarsen(grid));
  }
  for (int order : {2, 4, 6}) {
    int before = 0;
    for (int n : {40, 80}) {
      PaperProblem problem = paper_problem(n, order, 0.0);
      sbp::Block& block = problem.grid.blocks[0];
      block.c.slow = sampled(block, 0, 0, [](double y, double x) { return 1.5 + std::sin(2 * x) * y; });
      block.c.fast = sampled(block, 0, 0, [](double y, double x) { return 2.5 - x * y; });
      block.c.cross = sampled(block, 0, 0, [](double y, double x) { return 0.4 * (x - y); });
      const sbp::GridOperator a(problem.grid);
      const auto b = a.right_hand_side(problem.source, problem.data);
      const sbp::Multigrid cycle(problem.grid);
      CgOptions options;
      options.preconditioner = &cycle;
      const Solved solved = solve(a, b, options, 1e-10);
      EXPECT_LE(solved.result.iterations, before == 0 ? 25 : before + 3) << order << " " << n;
      EXPECT_LT(true_residual(a, b, solved.u), 1.1e-10);
      before = solved.result.iterations;
    }
  }
}

TEST(SbpFastDiagonalisation, SolvesToRounding) {
  for (int order : {2, 4, 6})
    for (int n : {12, 31, 64}) {
      PaperProblem problem = paper_problem(n, order);
      if (n == 31) problem.grid.sides[0].kind = sbp::ConditionKind::flux;  // ends that differ
      if (n == 31) problem.grid.sides[0].kappa.assign(32, 2.0);
      const sbp::SeparableGridOperator a(problem.grid);
      const auto b = sbp::GridOperator(problem.grid).right_hand_side(problem.source, problem.data);
      std::vector<double> u(b.size());
      cpu::make_fast_diagonalisation(a.parts())->solve(b.data(), u.data());
      EXPECT_LT(true_residual(a, b, u), 1e-13 * n) << order << " " << n;
    }
}

TEST(SbpFastDiagonalisation, PureNeumann) {
  PaperProblem problem = paper_problem(24, 4);
  for (sbp::BoundarySide& side : problem.grid.sides) side.kind = sbp::ConditionKind::flux;
  const sbp::SeparableGridOperator a(problem.grid);
  std::vector<double> b(static_cast<std::size_t>(a.size()));
  std::mt19937_64 generator(9);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double sum = 0.0;
  for (double& value : b) sum += value = uniform(generator);
  for (double& value : b) value -= sum / static_cast<double>(b.size());
  std::vector<double> u(b.size());
  cpu::make_fast_diagonalisation(a.parts())->solve(b.data(), u.data());
  EXPECT_LT(true_residual(a, b, u), 1e-11);
  const std::vector<double> weights = sbp::norm_weights(problem.grid);
  double mean = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) mean += weights[i] * u[i];
  EXPECT_NEAR(mean, 0.0, 1e-13);
}

// On the unit square with Dirichlet sides in x and fluxes in y the least eigenvalue is pi^2.
TEST(SbpError, SmallestEigenvalue) {
  for (int order : {2, 4, 6}) {
    const double pi_squared = std::numbers::pi * std::numbers::pi;
    EXPECT_NEAR(sbp::smallest_eigenvalue(paper_problem(64, order).grid), pi_squared, 0.02 * pi_squared);
  }
}

}  // namespace
}  // namespace gwrm::sbp_solvers_test
