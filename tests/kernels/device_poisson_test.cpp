// The device's forms of the SBP-SAT operator and its solvers against those of the CPU.
#include "kernels/sbp_sat/device_poisson.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "core/errors.hpp"
#include "device_test.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"

#if GWRM_HAVE_CUDA

namespace gwrm::device_poisson_test {
namespace {

// Dirichlet conditions along `fast`, fluxes along `slow`, Robin at one end; of different spacing.
SeparableOperator sample_operator(int order, Index n_slow, Index n_fast) {
  const double h_slow = 1.0 / static_cast<double>(n_slow - 1), h_fast = 2.0 / static_cast<double>(n_fast - 1);
  SeparableOperator a{sbp_stiffness(order, n_slow, h_slow, 1.5), sbp_stiffness(order, n_fast, h_fast, 1.0),
                      sbp_weights(order, n_slow, h_slow), sbp_weights(order, n_fast, h_fast)};
  for (End end : {End::lower, End::upper}) add_dirichlet_end(a.fast, order, h_fast, 1.0, 13.0 / h_fast, end);
  add_to_corner(a.slow, 0.7, End::upper);
  return a;
}

std::vector<double> random_values(Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = uniform(generator);
  return values;
}

CsrMatrix matrix_of(const SeparableOperator& a) {
  return assemble_csr(a.size(), [&](Index row, RowEntries& entries) {
    const Index j = row / a.fast.n, i = row % a.fast.n;
    Index k = 0;
    for (double value : a.slow.row(j, k))
      entries.emplace_back(k++ * a.fast.n + i, value * a.fast_weights[static_cast<std::size_t>(i)]);
    for (double value : a.fast.row(i, k))
      entries.emplace_back(j * a.fast.n + k++, value * a.slow_weights[static_cast<std::size_t>(j)]);
  });
}

double norm(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size())).norm();
}

double relative_residual(const SeparableOperator& a, const std::vector<double>& b, const std::vector<double>& x) {
  std::vector<double> r(b.size());
  cpu::separable_apply(a, x.data(), r.data());
  for (std::size_t k = 0; k < b.size(); ++k) r[k] = b[k] - r[k];
  return norm(r) / norm(b);
}

class DevicePoisson : public test::DeviceTest {};

TEST_F(DevicePoisson, OperatorsAgreeWithTheCpu) {
  for (int order : {2, 4, 6})
    for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{17, 19}, {31, 33}, {257, 130}, {40, 1000}}) {
      const SeparableOperator a = sample_operator(order, n_slow, n_fast);
      const std::vector<double> u = random_values(a.size(), 3);
      std::vector<double> expected(u.size()), found(u.size());
      cpu::separable_apply(a, u.data(), expected.data());
      const double scale = norm(expected);
      const auto compare = [&](const char* form) {
        for (std::size_t k = 0; k < u.size(); ++k)
          ASSERT_NEAR(found[k], expected[k], 1e-14 * scale) << form << " " << k;
      };
      cuda::separable_apply(context_, a, u.data(), found.data());
      compare("without a matrix");
      const CsrMatrix csr = matrix_of(a);
      cuda::csr_apply(context_, csr, u.data(), found.data());
      compare("CSR");
      cuda::ell_apply(context_, to_ell(csr), u.data(), found.data());
      compare("ELLPACK");
    }
}

// Small grids and few launches: racecheck takes some 20 ms for each.
TEST_F(DevicePoisson, ConjugateGradients) {
  for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{8, 8}, {11, 9}, {20, 17}}) {
    const SeparableOperator a = sample_operator(2, n_slow, n_fast);
    const std::vector<double> b = random_values(a.size(), 4);
    const CsrMatrix csr = matrix_of(a);
    for (const bool jacobi : {false, true}) {
      const DeviceCgOptions options{jacobi, 1e-10 * norm(b), 5000};
      int iterations = 0;
      const auto check = [&](const char* form, auto solve) {
        std::vector<double> x(b.size()), again(b.size());
        const DeviceCgResult result = solve(x);
        EXPECT_EQ(result.status, DeviceCgStatus::converged) << form;
        EXPECT_LT(relative_residual(a, b, x), 1.1e-10) << form << " " << n_slow << " x " << n_fast;
        EXPECT_EQ(result.residuals.size(), static_cast<std::size_t>(result.iterations) + 1);
        EXPECT_NEAR(result.residuals.front(), norm(b), 1e-12 * norm(b)) << form;
        if (iterations > 0) {
          EXPECT_NEAR(result.iterations, iterations, 2 + iterations / 50) << form;
        }
        iterations = result.iterations;
        solve(again);
        EXPECT_EQ(x, again) << form << ": two runs differ";
      };
      check("graph", [&](auto& x) { return cuda::cg_graph(context_, a, b, x, options); });
      ASSERT_TRUE(cuda::on_chip_fits(context_, a));
      check("on the chip", [&](auto& x) { return cuda::cg_on_chip(context_, a, b, x, options); });
      if (n_slow > 8) continue;
      check("CSR", [&](auto& x) { return cuda::cg_csr(context_, csr, b, x, options); });
      check("ELLPACK", [&](auto& x) { return cuda::cg_ell(context_, to_ell(csr), b, x, options); });
    }
  }
}

TEST_F(DevicePoisson, OnlyGridsThatFitRunOnTheChip) {
  for (Index n : {8, 11, 1025}) EXPECT_TRUE(cuda::on_chip_fits(context_, sample_operator(2, n, 8))) << n;
  EXPECT_TRUE(cuda::on_chip_fits(context_, sample_operator(2, 1025, 1025)));
  EXPECT_FALSE(cuda::on_chip_fits(context_, sample_operator(4, 65, 65)));
  for (Index n : {7, 9, 10, 100000}) EXPECT_FALSE(cuda::on_chip_fits(context_, sample_operator(2, n, 8))) << n;
  for (Index n : {7, 1057}) EXPECT_FALSE(cuda::on_chip_fits(context_, sample_operator(2, 65, n))) << n;
  const SeparableOperator a = sample_operator(2, 10, 10);
  std::vector<double> b(100, 1.0), x(100);
  EXPECT_THROW(cuda::cg_on_chip(context_, a, b, x, {}), ShapeError);
}

// The first iterations by Hestenes and Stiefel on the CPU: x and the residuals.
struct FirstIterations {
  std::vector<double> x, residuals;
  FirstIterations(const SeparableOperator& a, const std::vector<double>& b, bool jacobi, int n)
      : x(b.size(), 0.0), residuals{norm(b)} {
    std::vector<double> s = diagonal(a), r = b, p(b.size(), 0.0), q(b.size());
    for (double& value : s) value = jacobi ? 1.0 / value : 1.0;
    double before = 0.0;
    for (int k = 0; k < n; ++k) {
      double rz = 0.0, curvature = 0.0;
      for (std::size_t i = 0; i < r.size(); ++i) rz += r[i] * s[i] * r[i];
      for (std::size_t i = 0; i < r.size(); ++i) p[i] = s[i] * r[i] + (k == 0 ? 0.0 : rz / before) * p[i];
      before = rz;
      cpu::separable_apply(a, p.data(), q.data());
      for (std::size_t i = 0; i < r.size(); ++i) curvature += p[i] * q[i];
      for (std::size_t i = 0; i < r.size(); ++i) {
        x[i] += rz / curvature * p[i];
        r[i] -= rz / curvature * q[i];
      }
      residuals.push_back(norm(r));
    }
  }
};

// Grids of several strips and of one to three columns per thread; an even and an odd number of iterations.
TEST_F(DevicePoisson, FirstIterationsOfLargerGrids) {
  for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{70, 100}, {66, 400}, {200, 800}, {280, 1020}})
    for (const bool jacobi : {false, true})
      for (const int iterations : {12, 13}) {
        if (n_fast > 100 && iterations == 12) continue;
        const SeparableOperator a = sample_operator(2, n_slow, n_fast);
        const std::vector<double> b = random_values(a.size(), 4);
        const FirstIterations expected(a, b, jacobi, iterations);
        const DeviceCgOptions options{jacobi, 0.0, iterations};
        const auto check = [&](const char* form, auto solve) {
          std::vector<double> x(b.size());
          const DeviceCgResult result = solve(x);
          EXPECT_EQ(result.status, DeviceCgStatus::stalled) << form;
          ASSERT_EQ(result.iterations, iterations) << form;
          for (std::size_t k = 0; k < result.residuals.size(); ++k)
            EXPECT_NEAR(result.residuals[k], expected.residuals[k], 1e-10 * expected.residuals[k]) << form << k;
          double difference = 0.0;
          for (std::size_t k = 0; k < x.size(); ++k) difference = std::max(difference, std::abs(x[k] - expected.x[k]));
          EXPECT_LT(difference, 1e-10 * norm(expected.x)) << form << " " << n_slow << " x " << n_fast;
        };
        check("graph", [&](auto& x) { return cuda::cg_graph(context_, a, b, x, options); });
        check("on the chip", [&](auto& x) { return cuda::cg_on_chip(context_, a, b, x, options); });
      }
}

// One kernel per iteration: conditions of either kind at either end of both dimensions, strips of the fewest rows.
TEST_F(DevicePoisson, FirstIterationsInBothDirections) {
  for (const auto& [n_slow, n_fast] : {std::pair<Index, Index>{8, 61}, {33, 8}, {40, 29}, {17, 1000}})
    for (const bool jacobi : {false, true}) {
      const SeparableOperator other = sample_operator(2, n_fast, n_slow);
      const SeparableOperator a{other.fast, other.slow, other.fast_weights, other.slow_weights};
      const std::vector<double> b = random_values(a.size(), 4);
      const FirstIterations expected(a, b, jacobi, 9);
      std::vector<double> x(b.size());
      const DeviceCgResult result = cuda::cg_graph(context_, a, b, x, {jacobi, 0.0, 9});
      ASSERT_EQ(result.iterations, 9);
      for (std::size_t k = 0; k < result.residuals.size(); ++k)
        EXPECT_NEAR(result.residuals[k], expected.residuals[k], 1e-10 * expected.residuals[k]) << n_slow << " " << k;
      for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], expected.x[k], 1e-10 * norm(expected.x)) << n_slow;
    }
}

// Orders whose iteration takes two kernels.
TEST_F(DevicePoisson, FirstIterationsOfHigherOrder) {
  for (int order : {4, 6})
    for (const bool jacobi : {false, true}) {
      const SeparableOperator a = sample_operator(order, 40, 45);
      const std::vector<double> b = random_values(a.size(), 4);
      const FirstIterations expected(a, b, jacobi, 12);
      std::vector<double> x(b.size());
      const DeviceCgResult result = cuda::cg_graph(context_, a, b, x, {jacobi, 0.0, 12});
      ASSERT_EQ(result.iterations, 12);
      EXPECT_NEAR(result.residuals.back(), expected.residuals.back(), 1e-10 * expected.residuals.back()) << order;
      for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], expected.x[k], 1e-10 * norm(expected.x)) << order;
    }
}

TEST_F(DevicePoisson, SaysWhyItEnds) {
  SeparableOperator a = sample_operator(2, 65, 65);
  std::vector<double> b = random_values(a.size(), 4), x(b.size());
  const DeviceCgOptions short_run{false, 1e-10, 7};
  EXPECT_EQ(cuda::cg_graph(context_, a, b, x, short_run).status, DeviceCgStatus::stalled);
  EXPECT_EQ(cuda::cg_graph(context_, a, b, x, short_run).iterations, 7);
  EXPECT_EQ(cuda::cg_on_chip(context_, a, b, x, short_run).status, DeviceCgStatus::stalled);
  EXPECT_EQ(cuda::cg_on_chip(context_, a, b, x, short_run).iterations, 7);
  add_to_corner(a.fast, -30.0 * 64.0, End::lower);
  const DeviceCgOptions long_run{false, 1e-10, 5000};
  EXPECT_EQ(cuda::cg_graph(context_, a, b, x, long_run).status, DeviceCgStatus::not_definite);
  EXPECT_EQ(cuda::cg_on_chip(context_, a, b, x, long_run).status, DeviceCgStatus::not_definite);
  b[5] = std::nan("");
  EXPECT_EQ(cuda::cg_graph(context_, a, b, x, long_run).status, DeviceCgStatus::not_finite);
  EXPECT_EQ(cuda::cg_on_chip(context_, a, b, x, long_run).status, DeviceCgStatus::not_finite);
}

TEST_F(DevicePoisson, MultigridTakesFewIterations) {
  for (int order : {2, 4, 6}) {
    std::vector<DeviceLevel> levels;
    for (Index n = 192; n >= 24; n /= 2) levels.push_back({sample_operator(order, n + 1, n + 1), 3.5});
    const auto& coarsest = std::get<SeparableOperator>(levels.back().a);
    Matrix dense(coarsest.size(), coarsest.size());
    std::vector<double> unit(static_cast<std::size_t>(coarsest.size()), 0.0);
    for (Index k = 0; k < coarsest.size(); ++k) {
      unit[static_cast<std::size_t>(k)] = 1.0;
      cpu::separable_apply(coarsest, unit.data(), dense.data() + k * coarsest.size());
      unit[static_cast<std::size_t>(k)] = 0.0;
    }
    const auto& a = std::get<SeparableOperator>(levels.front().a);
    const std::vector<double> b = random_values(a.size(), 6);
    std::vector<double> x(b.size());
    const DeviceCgResult result =
        cuda::cg_multigrid(context_, levels, dense.inverse(), b, x, {false, 1e-10 * norm(b), 100});
    EXPECT_EQ(result.status, DeviceCgStatus::converged);
    EXPECT_LE(result.iterations, order == 2 ? 18 : 30) << order;
    EXPECT_LT(relative_residual(a, b, x), 1.1e-10);
  }
}

TEST_F(DevicePoisson, FastDiagonalisation) {
  for (int order : {2, 4, 6}) {
    const SeparableOperator a = sample_operator(order, 65, 101);
    const std::vector<double> b = random_values(a.size(), 8);
    std::vector<double> x(b.size());
    const DeviceCgResult result = cuda::solve_by_fast_diagonalisation(context_, a, b, x, 2);
    EXPECT_EQ(result.status, DeviceCgStatus::converged);
    EXPECT_LT(relative_residual(a, b, x), 1e-12);
    EXPECT_NEAR(result.residuals.back(), relative_residual(a, b, x) * norm(b), 1e-12 * norm(b));
  }
}
}  // namespace
}  // namespace gwrm::device_poisson_test

#endif
