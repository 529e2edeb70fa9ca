// Orders, rates, laws and floors of made errors (problems/convergence/rates.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/errors.hpp"
#include "problems/convergence/rates.hpp"

namespace gwrm::convergence_rates_test {
namespace {

std::vector<double> errors_of(const std::vector<double>& sizes, const std::function<double(double)>& error) {
  std::vector<double> errors;
  for (double N : sizes) errors.push_back(error(N));
  return errors;
}

const std::vector<double> kDoubled = {8, 16, 32, 64, 128}, kEven = {8, 12, 16, 20, 24, 28};

TEST(Rates, OrderIsTheLogarithmOfTheRatioToTheBaseTwo) {
  const auto errors = errors_of(kDoubled, [](double N) { return 3.0 / (N * N) * (1.0 + 1.0 / N); });
  const ObservedRates rates = observe_rates(kDoubled, errors);
  EXPECT_TRUE(std::isnan(rates.orders[0]));
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(rates.orders[i], std::log2(errors[i - 1] / errors[i]), 1e-13);
  EXPECT_EQ(rates.law, ConvergenceLaw::algebraic);
  EXPECT_NEAR(rates.algebraic.rate, 2.0, 0.05);
  EXPECT_TRUE(std::isnan(rates.floor));
}

TEST(Rates, ExponentialLawIsFoundWithItsNumbers) {
  const auto errors = errors_of(kEven, [](double N) { return 0.7 * std::exp(-0.9 * N); });
  const ObservedRates rates = observe_rates(kEven, errors);
  EXPECT_EQ(rates.law, ConvergenceLaw::exponential);
  EXPECT_NEAR(rates.exponential.rate, 0.9, 1e-12);
  EXPECT_NEAR(rates.exponential.constant, 0.7, 1e-10);
  EXPECT_LT(rates.exponential.deviation, 1e-12);
  EXPECT_NEAR(rates.rates[3], 0.9, 1e-12);
}

TEST(Rates, RoundOffEndsTheFit) {
  auto errors = errors_of(kEven, [](double N) { return std::exp(-1.5 * N); });
  errors[4] = 3e-15;
  errors[5] = 5e-15;
  const ObservedRates rates = observe_rates(kEven, errors);
  EXPECT_EQ(rates.end, 4u);
  EXPECT_TRUE(rates.floor_is_rounding);
  EXPECT_EQ(rates.floor, 5e-15);
  EXPECT_NEAR(rates.exponential.rate, 1.5, 1e-12);
}

// Rounding errors that grow with the number of points, as of recurrences in double precision.
TEST(Rates, AFloorMayRise) {
  const std::vector<double> sizes = {1 << 10, 1 << 12, 1 << 14, 1 << 16}, errors = {1.3e-11, 8e-13, 3e-13, 1.8e-12};
  const ObservedRates rates = observe_rates(sizes, errors);
  EXPECT_EQ(rates.end, 1u);
  EXPECT_TRUE(rates.floor_is_rounding);
  EXPECT_EQ(rates.law, ConvergenceLaw::none);
}

TEST(Rates, APlateauIsNoRoundOff) {
  auto errors = errors_of(kEven, [](double N) { return std::exp(-1.0 * N); });
  errors[3] = errors[4] = 1.0e-6;
  errors[5] = 0.99e-6;
  const ObservedRates rates = observe_rates(kEven, errors);
  EXPECT_FALSE(rates.floor_is_rounding);
  EXPECT_LE(rates.end, 3u);
  EXPECT_NEAR(rates.floor, 1e-6, 1e-7);
  EXPECT_NE(law_text(rates, kEven, "x").find("held up"), std::string::npos);
}

// Slow algebraic convergence at small errors must not pass for round-off.
TEST(Rates, SlowFallIsNoFloor) {
  const std::vector<double> sizes = {100, 110, 120, 130, 140};
  const auto errors = errors_of(sizes, [](double N) { return 1e-6 * std::pow(N, -2.0); });
  const ObservedRates rates = observe_rates(sizes, errors);
  EXPECT_EQ(rates.end, sizes.size());
  EXPECT_NEAR(rates.algebraic.rate, 2.0, 1e-10);
}

TEST(Rates, UnresolvedLevelsAndTheFirstThirdAreLeftOut) {
  const std::vector<double> sizes = {2, 4, 8, 12, 16, 20, 24};
  const std::vector<double> errors = {0.9, 0.5, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
  const ObservedRates rates = observe_rates(sizes, errors);
  EXPECT_EQ(rates.first, 3u);
  EXPECT_EQ(rates.end, 7u);
  EXPECT_EQ(rates.law, ConvergenceLaw::exponential);
}

TEST(Rates, NoFallNoLaw) {
  const std::vector<double> errors = {2.1, 2.0, 2.2, 2.1, 2.0, 2.1};
  const ObservedRates rates = observe_rates(kEven, errors);
  EXPECT_EQ(rates.law, ConvergenceLaw::none);
  EXPECT_NE(law_text(rates, kEven, "x").find("does not fall"), std::string::npos);
}

TEST(Rates, TwoLevelsCannotTell) {
  const std::vector<double> sizes = {8, 16}, errors = {1e-2, 1e-5};
  EXPECT_EQ(observe_rates(sizes, errors).law, ConvergenceLaw::undecided);
}

// Between N^-20 and an exponential little is to be seen over a small range, and no scheme has such an order.
TEST(Rates, HighPowersAreNoLaw) {
  const std::vector<double> sizes = {12, 14, 16, 18};
  const auto powers = errors_of(sizes, [](double N) { return 1e10 * std::pow(N, -20.0); });
  EXPECT_EQ(observe_rates(sizes, powers).law, ConvergenceLaw::undecided);  // the exponential fits much worse
  std::vector<double> errors = errors_of(sizes, [](double N) { return std::exp(-1.4 * N); });
  errors[1] *= 1.5;
  errors[3] *= 1.5;
  const ObservedRates rates = observe_rates(sizes, errors);
  EXPECT_GT(rates.algebraic.rate, 15.0);
  EXPECT_EQ(rates.law, ConvergenceLaw::exponential);
}

TEST(Rates, StepsThatShrink) {
  const std::vector<double> steps = {0.4, 0.2, 0.1, 0.05};
  const auto errors = errors_of(steps, [](double h) { return 5.0 * h * h * h; });
  const ObservedRates rates = observe_rates(steps, errors);
  EXPECT_EQ(rates.law, ConvergenceLaw::algebraic);
  EXPECT_NEAR(rates.algebraic.rate, 3.0, 1e-12);
  EXPECT_NEAR(rates.algebraic.constant, 5.0, 1e-10);
  EXPECT_TRUE(std::isnan(rates.exponential.rate));
}

TEST(Rates, ZeroErrorsAndEmptyStudies) {
  const std::vector<double> sizes = {8, 12, 16}, errors = {1e-5, 0.0, 0.0};
  EXPECT_EQ(observe_rates(sizes, errors).end, 1u);
  EXPECT_EQ(observe_rates({}, {}).law, ConvergenceLaw::none);
  const std::vector<double> one = {8}, error = {1e-3};
  EXPECT_EQ(observe_rates(one, error).law, ConvergenceLaw::none);
}

TEST(Rates, WhatMakesNoSenseIsRefused) {
  const std::vector<double> sizes = {8, 16, 12}, errors = {1, 0.1, 0.01}, infinite = {1, INFINITY, 0.01};
  EXPECT_THROW(observe_rates(sizes, errors), ShapeError);
  EXPECT_THROW(observe_rates(std::vector<double>{1, 2, 3}, infinite), ShapeError);
}

}  // namespace
}  // namespace gwrm::convergence_rates_test
