// Distributions against quantiles in closed form, sums of binomial probabilities, and moments summed from quantiles.
#include "core/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gwrm::distribution_test {
namespace {

TEST(Distribution, BetaQuantilesInClosedForm) {
  for (double p : {1e-9, 5e-4, 0.1, 0.5, 0.77, 0.9995}) {
    EXPECT_NEAR(Distribution::beta(3.0, 1.0, 0.0, 1.0).quantile(p), std::cbrt(p), 1e-14) << p;
    EXPECT_NEAR(Distribution::beta(1.0, 4.0, 2.0, 5.0).quantile(p), 2.0 + 3.0 * (1.0 - std::pow(1.0 - p, 0.25)), 1e-13)
        << p;
    EXPECT_NEAR(Distribution::beta(0.5, 0.5, 0.0, 1.0).quantile(p), std::pow(std::sin(0.5 * std::numbers::pi * p), 2),
                1e-14)
        << p;
  }
}

// I_x(a, b) of whole numbers: the probability of at least a successes among a + b - 1.
TEST(Distribution, BetaDistributionIsABinomialSum) {
  for (const auto& [a, b] : {std::pair{2, 5}, {20, 30}, {1, 1}})
    for (double x : {0.03, 0.4, 0.83}) {
      const int n = a + b - 1;
      double sum = 0.0;
      for (int j = a; j <= n; ++j)
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0)) * std::pow(x, j) *
               std::pow(1.0 - x, n - j);
      EXPECT_NEAR(beta_distribution(a, b, x), sum, 1e-13) << a << " " << b << " " << x;
    }
  const Distribution wide = Distribution::beta(20.0, 30.0, 0.0, 1.0);
  EXPECT_NEAR(beta_distribution(20.0, 30.0, wide.quantile(5e-4)), 5e-4, 1e-15);
}

// E[z] = int_0^1 quantile(p) dp: midpoints, right to some 1e-5 of the deviation.
TEST(Distribution, MomentsAreThoseOfTheQuantiles) {
  for (const Distribution& d :
       {Distribution::normal(1.0, 0.25), Distribution::lognormal(-1.0, 0.5), Distribution::uniform(-1.0, 3.0),
        Distribution::log_uniform(0.1, 20.0), Distribution::beta(2.0, 5.0, 1.0, 4.0)}) {
    constexpr int n = 200000;
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < n; ++i) {
      const double z = d.quantile((i + 0.5) / n) - d.mean();
      mean += z / n;
      square += z * z / n;
    }
    EXPECT_NEAR(mean, 0.0, 1e-5 * d.deviation()) << d.text();
    EXPECT_NEAR(std::sqrt(square), d.deviation(), 2e-4 * d.deviation()) << d.text();
  }
}

TEST(Distribution, NamesOfBasesReadBack) {
  for (const Distribution& d :
       {Distribution::normal(1.0, 0.1), Distribution::lognormal(-1.0 / 3.0, 0.5), Distribution::uniform(-1.0, 3.0),
        Distribution::log_uniform(0.1, 20.0), Distribution::beta(2.0, 1.0 / 7.0, -1.0, 3.0)}) {
    const double lower = d.kind() == Distribution::Kind::uniform && d.of_logarithm() ? 0.1 : -1.0;
    const double upper = lower > 0.0 ? 20.0 : 3.0;
    const auto back = Distribution::of_basis(d.basis_name(), lower, upper, d.of_logarithm());
    ASSERT_TRUE(back.has_value()) << d.basis_name();
    EXPECT_EQ(back->text(), d.text());
  }
  EXPECT_EQ(Distribution::normal(1.0, 0.1).basis_name(), "hermite(1,0.1)");
  EXPECT_EQ(Distribution::beta(2.0, 5.0, 0.0, 3.0).text(), "beta(2, 5, 0, 3)");
  for (const char* name : {"chebyshev", "hermite", "hermite()", "hermite(1)", "hermite(1,0)", "hermite(1,nan)",
                           "hermite(1,0.1", "hermite(1,0.1)x", "jacobi(0,1)", "jacobi(1,2,3)", "legendre(1,2)", ""})
    EXPECT_FALSE(Distribution::of_basis(name, 0.0, 1.0, false).has_value()) << name;
  EXPECT_FALSE(Distribution::of_basis("jacobi(1,2)", 1.0, 2.0, true).has_value());
}

TEST(Distribution, WhatIsLikely) {
  const Distribution d = Distribution::normal(1.0, 0.1);
  EXPECT_NEAR(d.greatest(), 1.0 + 0.1 * 3.290526731491926, 1e-14);      // Phi(3.29..) = 0.9995
  EXPECT_NEAR(d.likely_upper(), 1.0 + 0.1 * 2.575829303548901, 1e-14);  // Phi(2.57..) = 0.995
  EXPECT_NEAR(d.likely_lower() + d.likely_upper(), 2.0, 1e-14);
}

}  // namespace
}  // namespace gwrm::distribution_test
