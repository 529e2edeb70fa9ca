// Least-squares Chebyshev series: exact coefficients of polynomials, condition numbers known in closed form, and the
// residual's orthogonality to the functions.
#include "cli/chebyshev_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gwrm::chebyshev_fit_test {
namespace {

using cli::ChebyshevFit;

std::vector<double> equispaced(Index n, double low = -1.0, double high = 1.0) {
  std::vector<double> x;
  for (Index i = 0; i < n; ++i) x.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1));
  return x;
}
std::vector<double> nodes(Index n) {
  std::vector<double> x;
  for (Index i = 0; i < n; ++i)
    x.push_back(std::cos(std::numbers::pi * static_cast<double>(2 * i + 1) / static_cast<double>(2 * n)));
  return x;
}

TEST(ChebyshevFit, SquareAndCubeOnEquispacedPoints) {
  const std::vector<double> x = equispaced(33);
  std::vector<double> f;
  for (const double p : x) f.push_back(p * p);
  for (const double p : x) f.push_back(p * p * p);
  const ChebyshevFit fit(x);
  const Index n = fit.well_conditioned_modes();
  ASSERT_GT(n, 15);
  ASSERT_LT(n, 33);
  const std::vector<double> a = fit.coefficients(f, 2, n);
  std::vector<double> expected(static_cast<std::size_t>(2 * n), 0.0);
  expected[0] = expected[2] = 0.5;
  expected[static_cast<std::size_t>(n) + 1] = 0.75;
  expected[static_cast<std::size_t>(n) + 3] = 0.25;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], expected[i], 1e-13) << i;
  const std::vector<double> again = fit.values(a, 2, n);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(again[i], f[i], 1e-14);
}

// At the nodes the functions are orthogonal: sum T_0^2 = N, sum T_n^2 = N / 2.
TEST(ChebyshevFit, ConditionAtTheNodes) {
  const ChebyshevFit fit(nodes(100));
  EXPECT_NEAR(fit.condition(1), 1.0, 1e-12);
  EXPECT_NEAR(fit.condition(60), std::numbers::sqrt2, 1e-3);
  EXPECT_EQ(fit.well_conditioned_modes(), 100);
}

// One function and T_1 on {-h, h}: columns (1, 1) and (-h, h), condition 1 / h.
TEST(ChebyshevFit, ConditionOfTwoPoints) {
  EXPECT_NEAR(ChebyshevFit({-0.01, 0.01}).condition(2), 100.0, 1e-9);
  EXPECT_EQ(ChebyshevFit({-0.01, 0.01}).well_conditioned_modes(), 2);
  EXPECT_EQ(ChebyshevFit({-1e-4, 1e-4}).well_conditioned_modes(), 1);
  EXPECT_EQ(ChebyshevFit({0.3}).well_conditioned_modes(), 1);
}

TEST(ChebyshevFit, EquispacedInterpolationIsIllConditioned) {
  const ChebyshevFit fit(equispaced(60));
  EXPECT_GT(fit.condition(60), 1e6);
  const Index n = fit.well_conditioned_modes();
  EXPECT_LE(fit.condition(n), cli::kLargestCondition);
  EXPECT_GT(fit.condition(n + 1), cli::kLargestCondition);
}

// The residual of a function that is no polynomial is orthogonal to all T_n on the points.
TEST(ChebyshevFit, ResidualIsOrthogonal) {
  const std::vector<double> x = equispaced(40, 0.0, 1.0);
  std::vector<double> f;
  for (const double p : x) f.push_back(std::abs(p - 0.4));
  const ChebyshevFit fit(x);
  const Index n = fit.well_conditioned_modes();
  ASSERT_GT(n, 3);
  const std::vector<double> g = fit.values(fit.coefficients(f, 1, n), 1, n);
  for (Index k = 0; k < n; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += (f[i] - g[i]) * std::cos(static_cast<double>(k) * std::acos(x[i]));
    EXPECT_NEAR(sum, 0.0, 1e-11) << k;
  }
}

}  // namespace
}  // namespace gwrm::chebyshev_fit_test
