// How series go on: against series that are known to any level.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "problems/time_spectral/series_decay.hpp"

namespace gwrm::series_decay_test {
namespace {

using Law = SeriesDecay::Law;

// What ends behind each level up to `degree` of a series with these coefficients that has no more.
std::vector<double> losses(int degree, const std::function<double(int)>& coefficient) {
  std::vector<double> sums(static_cast<std::size_t>(degree) + 1, 0.0);
  for (int level = degree; level > 0; --level)
    sums[static_cast<std::size_t>(level) - 1] = sums[static_cast<std::size_t>(level)] + std::abs(coefficient(level));
  return sums;
}

// Of the whole series.
double true_level(const std::function<double(int)>& coefficient, double allowed) {
  double behind = 0.0;
  int level = 4000;
  while (level > 0 && behind + std::abs(coefficient(level)) <= allowed) behind += std::abs(coefficient(level--));
  return level;
}

TEST(SeriesDecay, AGeometricSeriesGoesOnAsItDid) {
  for (double rate : {0.3, 0.6, 0.9}) {
    const auto a = [&](int k) { return std::pow(rate, k); };
    const int degree = static_cast<int>(std::ceil(std::log(1e-3) / std::log(rate)));
    const SeriesDecay decay(losses(degree, a));
    EXPECT_EQ(decay.law(), Law::geometric) << rate;
    const double wanted = true_level(a, 1e-9);
    EXPECT_NEAR(decay.level_for(1e-9), wanted, 0.1 * wanted + 2.0) << rate;
    EXPECT_NEAR(std::log(decay.behind(wanted)), std::log(1e-9), 3.0) << rate;
  }
}

TEST(SeriesDecay, EvenFunctionsHaveEverySecondCoefficientAlone) {
  const auto a = [](int k) { return k % 2 == 0 ? std::pow(0.7, k) : 0.0; };
  for (int degree : {11, 12, 13, 14, 21, 22}) {
    const SeriesDecay decay(losses(degree, a));
    EXPECT_NEAR(decay.level_for(1e-8), true_level(a, 1e-8), 6.0) << degree;
  }
}

TEST(SeriesDecay, EntireFunctionsFallFasterThanIsSaidAndNotMuch) {
  const auto a = [](int k) { return std::exp(-std::lgamma(k + 1.0) + k * std::log(4.0)); };
  for (int degree : {14, 18, 22}) {
    const double said = SeriesDecay(losses(degree, a)).level_for(1e-8), wanted = true_level(a, 1e-8);
    EXPECT_GE(said, wanted) << degree;
    EXPECT_LE(said, 1.5 * wanted) << degree;
  }
}

TEST(SeriesDecay, PowersAreToldFromGeometricSeries) {
  for (double power : {2.0, 3.0, 5.0})
    for (int degree : {24, 40, 90}) {
      const SeriesDecay decay(losses(degree, [&](int k) { return std::pow(k, -power); }));
      EXPECT_EQ(decay.law(), Law::powers) << power << " " << degree;
      EXPECT_NEAR(decay.power(), power - 1.0, 0.2 * power) << degree;  // of the sum
      EXPECT_NEAR(decay.behind(degree), std::pow(degree, 1.0 - power) / (power - 1.0), 0.5 * decay.behind(degree));
    }
  // A smooth part that has gone before the powers of a small corner show.
  const SeriesDecay corner(losses(60, [](int k) { return std::pow(0.5, k) + 1e-4 * std::pow(k, -3.0); }));
  EXPECT_EQ(corner.law(), Law::powers);
  // Two geometric series.
  const SeriesDecay front(losses(60, [](int k) { return std::pow(0.3, k) + 1e-2 * std::pow(0.85, k); }));
  EXPECT_EQ(front.law(), Law::geometric);
}

// A smooth part that has gone before levels that stay where they are, or grow: no power is measured there.
TEST(SeriesDecay, LevelsThatDoNotFallShowNoPower) {
  for (double growth : {1.0, 1.02}) {
    const SeriesDecay flat(losses(24, [&](int k) { return std::pow(0.5, k) + 1e-2 * std::pow(growth, k); }));
    EXPECT_TRUE(flat.is_long_enough());
    EXPECT_FALSE(flat.shows_power()) << growth << " " << flat.power();
    EXPECT_FALSE(flat.falls()) << growth;
    EXPECT_LE(flat.behind(48.0), flat.behind(24.0));
    EXPECT_EQ(flat.level_for(1e-12), std::numeric_limits<double>::infinity());
  }
  // The least power of the other side: coefficients of |x|^(1/2) fall like k^-3/2, what is behind them like k^-1/2.
  const SeriesDecay root(losses(60, [](int k) { return std::pow(k, -1.5); }));
  EXPECT_TRUE(root.shows_power()) << root.power();
  EXPECT_TRUE(root.falls());
  const SeriesDecay geometric(losses(10, [](int k) { return std::pow(0.5, k); }));
  EXPECT_FALSE(geometric.shows_power());  // too few levels
  EXPECT_TRUE(geometric.falls());
  const SeriesDecay too_short({1.0, 0.5, 0.0});
  EXPECT_FALSE(too_short.is_long_enough());
  EXPECT_FALSE(too_short.shows_power());
  EXPECT_EQ(too_short.behind(2.0), 0.0);
}

TEST(SeriesDecay, WhatDoesNotFallNeedsInfinitelyMany) {
  const SeriesDecay flat({9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0});
  EXPECT_EQ(flat.level_for(0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(flat.level_for(1e9), 0.0);
  const SeriesDecay ended(losses(10, [](int k) { return k <= 4 ? 1.0 : 0.0; }));  // a polynomial
  EXPECT_EQ(ended.level_for(1e-12), 4.0);
  EXPECT_EQ(SeriesDecay({0.0}).level_for(1e-3), 0.0);
}

TEST(PowerLaw, IsFoundWithoutItsLastLevels) {
  for (double p : {0.2, 1.0, 4.0})
    for (int degree : {16, 64, 300}) {
      const auto a = [&](int k) { return std::pow(k, -p - 1.0); };
      // As a tau method leaves them.
      const auto falling = [&](int k) { return a(k) * (1.0 - std::pow(static_cast<double>(k) / (degree + 1), 2)); };
      const std::optional<PowerLaw> law = power_law(losses(degree, a));
      ASSERT_TRUE(law) << p << " " << degree;
      EXPECT_NEAR(law->power, p, 1e-6) << degree;
      EXPECT_NEAR(law->last_level / a(degree), 1.0, 1e-6) << p << " " << degree;
      if (degree < 300) continue;
      const std::optional<PowerLaw> of_tau = power_law(losses(degree, falling));
      ASSERT_TRUE(of_tau) << p;
      EXPECT_NEAR(of_tau->power, p, 0.12);
    }
}

TEST(PowerLaw, IsNoneOfOtherSeries) {
  for (int degree : {16, 64, 300}) {
    EXPECT_FALSE(power_law(losses(degree, [](int k) { return std::pow(0.9, k); }))) << degree;
    EXPECT_FALSE(power_law(losses(degree, [](int k) { return std::pow(0.5, k) + 1e-17; }))) << degree;
    // A front that is not resolved: the signs of its zeros make levels scatter.
    EXPECT_FALSE(power_law(losses(degree, [](int k) { return std::pow(0.97, k) * std::abs(std::sin(1.3 * k)); })));
  }
  EXPECT_FALSE(power_law(losses(5, [](int k) { return 1.0 / k; })));
}

}  // namespace
}  // namespace gwrm::series_decay_test
