// The SBP-SAT operators against eigenvalues, errors and bounds computed with 34 digits elsewhere, and their three forms
// against each other.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>
#include <lapacke.h>

#include <Eigen/Dense>
#include <random>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "sbp_grids.hpp"

namespace gwrm::sbp_operator_test {
namespace {

using namespace test;

// Of a symmetric matrix. LAPACK's: Eigen takes minutes for them under sanitizers.
Vector eigenvalues(Matrix a) {
  const auto n = static_cast<lapack_int>(a.rows());
  Vector values(n);
  EXPECT_EQ(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', n, a.data(), n, values.data()), 0);
  return values;
}

double relative_asymmetry(const Matrix& a) {
  return (a - a.transpose()).cwiseAbs().maxCoeff() / a.cwiseAbs().maxCoeff();
}

TEST(SbpOperator, Eigenvalues) {
  struct Anchor {
    int order, n;
    double smallest, largest;
  };
  for (const Anchor& anchor : {Anchor{2, 4, 0.45128588541639919646, 12.970232148052733194},
                               Anchor{2, 8, 0.13389051240222670401, 13.122459638744749555},
                               Anchor{4, 8, 0.13499387181480853552, 14.944508411298581111},
                               Anchor{6, 12, 0.062841636112223090934, 27.754801889120848679}}) {
    const sbp::Grid grid = paper_problem(anchor.n, anchor.order).grid;
    const Vector values = eigenvalues(dense(*sbp::matrix_free_operator(grid)));
    EXPECT_NEAR(values.minCoeff(), anchor.smallest, 2e-14 * anchor.largest) << anchor.order << " " << anchor.n;
    EXPECT_NEAR(values.maxCoeff(), anchor.largest, 1e-13 * anchor.largest) << anchor.order << " " << anchor.n;
  }
}

TEST(SbpOperator, ConditionNumbers) {  // published by the authors of the paper for N = 8, 16, 32
  for (const auto& [n, condition] :
       {std::pair{8, 98.00888355197984}, {16, 365.4304812784787}, {32, 1413.8108311443843}}) {
    const Vector values = eigenvalues(dense(*sbp::matrix_free_operator(paper_problem(n).grid)));
    EXPECT_NEAR(values.maxCoeff() / values.minCoeff(), condition, 1e-10 * condition);
  }
}

// The errors of an exact solution of the discrete problem.
TEST(SbpOperator, ErrorsOfThePaper) {
  struct Anchor {
    int order, n;
    double error, digits;
  };
  for (const Anchor& anchor : {Anchor{2, 4, 3.109914322e-02, 5e-10}, Anchor{2, 8, 7.086547124e-03, 5e-10},
                               Anchor{2, 16, 1.735014887e-03, 5e-10}, Anchor{2, 32, 4.318775702e-04, 5e-10},
                               Anchor{4, 16, 4.226703098e-05, 5e-10}, Anchor{4, 32, 2.116644117e-06, 5e-9},
                               Anchor{6, 16, 1.139404399e-05, 5e-9}, Anchor{6, 32, 2.604646112e-07, 5e-7}}) {
    const PaperProblem problem = paper_problem(anchor.n, anchor.order);
    const sbp::GridOperator a(problem.grid);
    const std::vector<double> b = a.right_hand_side(problem.source, problem.data);
    const Eigen::Map<const Vector> rhs(b.data(), a.size());
    const Vector u = dense(a.assemble()).ldlt().solve(rhs);
    const double error = error_in_h(problem.grid, {u.data(), u.data() + u.size()}, problem.exact);
    EXPECT_NEAR(error, anchor.error, anchor.digits * anchor.error) << anchor.order << " " << anchor.n;
  }
}

TEST(SbpOperator, FormsAgree) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<sbp::Grid> grids;
  for (int order : {2, 4, 6}) {
    grids.push_back(paper_problem(12, order).grid);
    grids.push_back(paper_problem(150, order).grid);  // several threads
    grids.push_back(general_grid(order, 21));
    grids.push_back(general_grid(order, 17, 0.0, false));
    grids.push_back(general_grid(order, 80, 0.0, true));
  }
  for (const sbp::Grid& grid : grids) {
    const sbp::GridOperator general(grid);
    const auto fast = sbp::matrix_free_operator(grid);
    const CsrMatrix csr = general.assemble();
    const EllMatrix ell = to_ell(csr);
    const auto n = static_cast<std::size_t>(general.size());
    std::vector<double> u(n), p(n), expected(n), found(n), workspace;
    for (double& value : u) value = uniform(generator);
    cpu::csr_apply(csr, u.data(), expected.data());
    double scale = 0.0;
    for (double value : expected) scale = std::max(scale, std::abs(value));
    const auto compare = [&](const char* form) {
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(found[i], expected[i], 2e-14 * scale) << form << " " << i;
    };
    general.apply(u.data(), found.data());
    compare("without a matrix");
    fast->apply(u.data(), found.data());
    compare("fast path");
    cpu::ell_apply(ell, u.data(), found.data());
    compare("ELLPACK");
    // p = s r + beta p with r = u/2, s = 1, beta = 1/2, p = u before.
    p = u;
    std::vector<double> half = u;
    for (double& value : half) value *= 0.5;
    const std::vector<double> ones(n, 1.0);
    double dot = 0.0;
    for (std::size_t i = 0; i < n; ++i) dot += u[i] * expected[i];
    EXPECT_NEAR(fast->direction(0.5, half.data(), ones.data(), p.data(), found.data(), workspace), dot,
                1e-12 * std::abs(dot));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(p[i], u[i]);
    // x = -u + 2 u, r = expected - 2 A u.
    std::vector<double> x(n), r = expected;
    for (std::size_t i = 0; i < n; ++i) x[i] = -u[i];
    const ResidualSums sums = fast->step(2.0, p.data(), found.data(), half.data(), x.data(), r.data(), workspace);
    double plain = 0.0, scaled = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(x[i], u[i], 1e-15);
      ASSERT_NEAR(r[i], -expected[i], 4e-14 * scale);
      plain += expected[i] * expected[i];
      scaled += half[i] * expected[i] * expected[i];
    }
    EXPECT_NEAR(sums.plain, plain, 1e-12 * plain);
    EXPECT_NEAR(sums.scaled, scaled, 1e-12 * plain);
    const std::vector<double> diagonal_csr = diagonal(csr), diagonal_rows = general.diagonal();
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(diagonal_rows[i], diagonal_csr[i], 1e-13 * scale);
  }
}

// The iteration in one pass against its parts, on one thread (12) and on several (150), with x and without it.
TEST(SbpOperator, OnePassIsTheSumOfItsParts) {
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> uniform(0.5, 1.0);
  for (int order : {2, 4, 6})
    for (int size : {12, 13, 150})
      for (const bool scaled : {false, true}) {
        Context::create(BackendChoice::cpu, size == 150 ? 3 : 1);
        const sbp::SeparableGridOperator a(paper_problem(size, order).grid);
        const auto n = static_cast<std::size_t>(a.size());
        const auto random = [&] {
          std::vector<double> values(n);
          for (double& value : values) value = uniform(generator);
          return values;
        };
        const OnePassStep step{0.7, 0.01, 0.02};
        const std::vector<double> s = random(), p_before = random();
        std::vector<double> r = random(), p = p_before, x = random(), z(n), q(n), workspace;
        const auto z_of = [&](const std::vector<double>& of) {
          for (std::size_t i = 0; i < n; ++i) z[i] = scaled ? s[i] * of[i] : of[i];
        };
        std::vector<double> p_expected(n), x_expected(n), r_expected(n);
        z_of(r);
        for (std::size_t i = 0; i < n; ++i) p_expected[i] = z[i] + step.beta * p[i];
        for (std::size_t i = 0; i < n; ++i)
          x_expected[i] = x[i] + step.alpha_before * p_before[i] + step.alpha * p_expected[i];
        a.apply(p_expected.data(), q.data());
        for (std::size_t i = 0; i < n; ++i) r_expected[i] = r[i] - step.alpha * q[i];
        z_of(r_expected);
        a.apply(z.data(), q.data());
        OnePassSums expected;
        for (std::size_t i = 0; i < n; ++i) {
          expected.plain += r_expected[i] * r_expected[i];
          expected.scaled += r_expected[i] * z[i];
          expected.curvature += z[i] * q[i];
        }
        std::vector<double> r_without_x = r, p_without_x = p;
        const double* scaling = scaled ? s.data() : nullptr;
        const OnePassSums found = a.one_pass(step, scaling, p.data(), x.data(), r.data(), workspace);
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_NEAR(p[i], p_expected[i], 1e-15) << i;
          ASSERT_NEAR(x[i], x_expected[i], 1e-15) << i;
          ASSERT_NEAR(r[i], r_expected[i], 2e-13) << i;  // entries of A up to 30
        }
        EXPECT_NEAR(found.plain, expected.plain, 1e-12 * expected.plain);
        EXPECT_NEAR(found.scaled, expected.scaled, 1e-12 * expected.scaled);
        EXPECT_NEAR(found.curvature, expected.curvature, 1e-12 * expected.plain * 30);
        const OnePassSums again = a.one_pass(step, scaling, p_without_x.data(), nullptr, r_without_x.data(), workspace);
        EXPECT_EQ(p, p_without_x);
        EXPECT_EQ(r, r_without_x);
        EXPECT_EQ(again.curvature, found.curvature);
      }
  Context::create(BackendChoice::cpu, 1);
}

// Entries per row, corners aside: 5, 9, 13.
TEST(SbpOperator, SparseRows) {
  for (const auto& [order, per_row] : {std::pair{2, 5.0}, {4, 8.953}, {6, 13.0}}) {
    const CsrMatrix a = sbp::GridOperator(paper_problem(256, order).grid).assemble();
    EXPECT_NEAR(static_cast<double>(a.values.size()) / static_cast<double>(a.n), per_row, 0.06) << order;
  }
}

TEST(SbpOperator, SymmetricAndDefiniteJustAboveTheBound) {
  for (int order : {2, 4, 6})
    for (const bool cross : {false, true}) {
      sbp::Grid grid = general_grid(order, 20, 0.0, cross);
      grid.tau = 1.02 * grid.penalty_bound();
      const Matrix a = dense(sbp::GridOperator(grid).assemble());
      EXPECT_LT(relative_asymmetry(a), 1e-14) << order;
      EXPECT_GT(eigenvalues(a).minCoeff(), 0.0) << order << " " << cross;
    }
}

// On the unit square with Dirichlet data in x: sharp to a thousandth of the bound.
TEST(SbpOperator, PenaltyBoundIsSharp) {
  for (int order : {2, 4, 6}) {
    const sbp::Grid grid = paper_problem(24, order).grid;
    for (const double factor : {0.999, 1.001}) {
      sbp::Grid changed = grid;
      changed.tau = factor * grid.penalty_bound();
      const double smallest = eigenvalues(dense(*sbp::matrix_free_operator(changed))).minCoeff();
      EXPECT_EQ(smallest > 0.0, factor > 1.0) << order << " " << factor;
    }
  }
}

// A jump in C of 1e4 across an interface: definite above the bound, lost a tenth below it.
TEST(SbpOperator, InterfacePenaltyBoundIsSharp) {
  for (int order : {2, 4, 6})
    for (const double contrast : {5.0, 1e4})
      for (const double factor : {0.9, 1.02}) {
        sbp::Grid grid;
        grid.order = order;
        grid.blocks = {unit_block(20, 20), unit_block(20, 20, 21 * 21)};
        grid.blocks[1].c = {{contrast}, {contrast}, {}};
        grid.interfaces = {{0, 1, false}};
        using sbp::ConditionKind;
        for (int block : {0, 1})
          for (End end : {End::lower, End::upper}) grid.sides.push_back({block, {true, end}, ConditionKind::flux, {}});
        grid.sides.push_back({0, {false, End::lower}, ConditionKind::flux, std::vector<double>(21, 1.0)});
        grid.sides.push_back({1, {false, End::upper}, ConditionKind::flux, std::vector<double>(21, 1.0)});
        grid.tau = factor * grid.penalty_bound();
        const double smallest = eigenvalues(dense(*sbp::matrix_free_operator(grid))).minCoeff();
        EXPECT_EQ(smallest > 0.0, factor > 1.0) << order << " " << contrast << " " << factor;
      }
}

// Constants are in the kernel of pure Neumann conditions, whatever C.
TEST(SbpOperator, NeumannKernel) {
  for (int order : {2, 4, 6}) {
    sbp::Grid grid = general_grid(order, 22);
    for (sbp::BoundarySide& side : grid.sides) side = {side.block, side.side, sbp::ConditionKind::flux, {}};
    EXPECT_TRUE(grid.all_flux());
    const sbp::GridOperator a(grid);
    const std::vector<double> ones(static_cast<std::size_t>(a.size()), 1.0);
    std::vector<double> image(ones.size());
    a.apply(ones.data(), image.data());
    for (double value : image) EXPECT_NEAR(value, 0.0, 1e-11);
  }
}

}  // namespace
}  // namespace gwrm::sbp_operator_test
