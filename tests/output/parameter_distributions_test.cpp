// parameter_statistics() of parameters with distributions against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "core/distribution.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/parameter_quantiles.hpp"
#include "output/parameter_statistics.hpp"

namespace gwrm::parameter_distributions_test {
namespace {

// Parameters p, q, ... with these distributions, and no fields.
ParameterStatistics statistics(const std::vector<Distribution>& distributions, int degree, const std::string& text) {
  Solution s;
  s.subdomains.resize(1);
  for (const Distribution& d : distributions) {
    const MapKind map = d.of_logarithm() ? MapKind::log : MapKind::linear;
    const double lower = d.least(), upper = d.greatest();
    s.axes.push_back(
        {std::string(1, static_cast<char>('p' + std::ssize(s.axes))), AxisKind::parameter, lower, upper, map});
    s.subdomains[0].push_back({degree, {lower, upper}, map, d.basis_name()});
  }
  expression::Symbols symbols;
  symbols.axes = s.axes;
  expression::Pool pool(symbols);
  return parameter_statistics(pool, s, lower(pool, parse(pool, SourceText::from_argument(text))),
                              GridPoints(s.axes.size()));
}

Distribution beta(double a, double b, double lower, double upper) {
  return Distribution::beta(a, b, lower, upper);
}

// E[exp(-2 p)] = exp(-2 m + 2 d^2).
TEST(ParameterDistributions, ExponentialOfANormalParameter) {
  const ParameterStatistics r = statistics({Distribution::normal(1.0, 0.25)}, 20, "exp(-2*p)");
  const double mean = std::exp(-2.0 + 2.0 * 0.0625), square = std::exp(-4.0 + 8.0 * 0.0625);
  EXPECT_NEAR(r.mean.data[0], mean, 1e-14);
  EXPECT_NEAR(r.variance.data[0], square - mean * mean, 1e-14);
  EXPECT_NEAR(r.sensitivity.data[0], -2.0 * mean, 1e-13);
  EXPECT_NEAR(r.sensitivity_normalised.data[0], -2.0 * mean * 0.25 / std::sqrt(square - mean * mean), 1e-13);
  EXPECT_NEAR(r.sobol_first.data[0], 1.0, 1e-14);
}

TEST(ParameterDistributions, PowersOfALognormalParameter) {
  const ParameterStatistics r = statistics({Distribution::lognormal(-0.3, 0.5)}, 24, "p^2");
  const auto moment = [](double k) { return std::exp(-0.3 * k + 0.125 * k * k); };
  EXPECT_NEAR(r.mean.data[0], moment(2), 1e-13);
  EXPECT_NEAR(r.variance.data[0], moment(4) - moment(2) * moment(2), 1e-11);
  EXPECT_NEAR(r.sensitivity.data[0], 2.0 * moment(1), 1e-13);
  const double deviation = std::sqrt(moment(2) - moment(1) * moment(1));
  EXPECT_NEAR(r.sensitivity_normalised.data[0], deviation * 2.0 * moment(1) / std::sqrt(r.variance.data[0]), 1e-12);
}

// u = q (p^2 + 3): of independent factors everything is a product.
TEST(ParameterDistributions, SobolIndicesOfAPolynomial) {
  const double m = 0.7, d = 0.4, a = 2.0, b = 5.0;
  const ParameterStatistics r = statistics({Distribution::normal(m, d), beta(a, b, 0.0, 1.0)}, 3, "q*(p^2 + 3)");
  const double square = m * m + d * d, variance_of_square = 4.0 * m * m * d * d + 2.0 * d * d * d * d;
  const double q = a / (a + b), variance_of_q = a * b / ((a + b) * (a + b) * (a + b + 1.0));
  const double first_p = q * q * variance_of_square, first_q = variance_of_q * (square + 3.0) * (square + 3.0);
  const double variance = first_p + first_q + variance_of_q * variance_of_square;
  EXPECT_NEAR(r.mean.data[0], q * (square + 3.0), 1e-14);
  EXPECT_NEAR(r.variance.data[0], variance, 1e-14);
  EXPECT_NEAR(r.sobol_first.data[0], first_p / variance, 1e-13);
  EXPECT_NEAR(r.sobol_first.data[1], first_q / variance, 1e-13);
  EXPECT_NEAR(r.sobol_total.data[0], 1.0 - first_q / variance, 1e-13);
  EXPECT_NEAR(r.sobol_total.data[1], 1.0 - first_p / variance, 1e-13);
}

// A monotone function has the quantiles of its parameter, mapped.
TEST(ParameterDistributions, QuantilesOfMonotoneFunctions) {
  for (const Distribution& d :
       {Distribution::normal(1.0, 0.25), Distribution::lognormal(-0.3, 0.5), Distribution::uniform(-1.0, 2.0),
        Distribution::log_uniform(0.1, 3.0), beta(2.0, 5.0, 0.5, 1.5), beta(0.5, 0.5, -1.0, 1.0)}) {
    const ParameterStatistics r = statistics({d}, 24, "exp(-p)");
    ASSERT_EQ(r.quantile.shape, Shape{std::ssize(kQuantiles)});
    for (std::size_t i = 0; i < kQuantiles.size(); ++i)
      EXPECT_NEAR(r.quantile.data[i], std::exp(-d.quantile(1.0 - kQuantiles[i])), 2e-7) << d.text() << " " << i;
  }
}

// p^2 of a normal p with mean 0 is chi-square: P(p^2 < y) = erf(sqrt(y/2)/d).
TEST(ParameterDistributions, QuantilesOfAFunctionThatTurns) {
  const ParameterStatistics r = statistics({Distribution::normal(0.0, 1.0)}, 4, "p^2");
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    EXPECT_NEAR(std::erf(std::sqrt(r.quantile.data[i] / 2.0)), kQuantiles[i], 1.0 / 4096) << i;
}

// Sums of normal parameters are normal.
TEST(ParameterDistributions, QuantilesOfTwoParameters) {
  const Distribution sum = Distribution::normal(3.0, 0.5);
  const ParameterStatistics r =
      statistics({Distribution::normal(1.0, 0.3), Distribution::normal(2.0, 0.4)}, 2, "p + q");
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    EXPECT_NEAR(r.quantile.data[i], sum.quantile(kQuantiles[i]), 0.01) << i;
  EXPECT_NEAR(r.std.data[0], 0.5, 1e-14);
}

}  // namespace
}  // namespace gwrm::parameter_distributions_test
