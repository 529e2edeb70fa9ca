// noise(amplitude, seed): numbers that are the same everywhere, modes that keep them, derivatives that belong to it.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "expression/data_function.hpp"
#include "expression/lowering.hpp"
#include "expression/noise.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::noise_test {
namespace {

using std::numbers::pi;

Symbols box(int modes_x, int modes_y = 6) {
  Symbols symbols = samples::symbols();
  symbols.noise = {{"y", false, modes_y}, {"x", true, modes_x}};
  return symbols;
}

// Computed by another program: SplitMix64's output function in Python's whole numbers.
TEST(Noise, NumbersAreThoseOfTheDefinition) {
  EXPECT_DOUBLE_EQ(noise_number(42, {0, 0, 0}), 0.8846929328567013);
  EXPECT_DOUBLE_EQ(noise_number(42, {3, -2, 1}), 0.3398220095656511);
  EXPECT_DOUBLE_EQ(noise_number(7, {-1, 0, 0}), -1.6480867892600906);
}

TEST(Noise, NumbersHaveMeanZeroAndVarianceOne) {
  double sum = 0.0, squares = 0.0;
  constexpr int kN = 40000;
  for (int i = 0; i < kN; ++i) {
    const double g = noise_number(5, {i % 200 - 100, i / 200, 0});
    sum += g;
    squares += g * g;
  }
  EXPECT_NEAR(sum / kN, 0.0, 4.0 / std::sqrt(kN));  // four standard deviations
  EXPECT_NEAR(squares / kN, 1.0, 4.0 * std::sqrt(0.8 / kN));
}

// Against the sum of the definition, mode by mode.
TEST(Noise, IsTheSumOfItsModes) {
  const Symbols symbols = box(3, 2);
  const auto noise = noise_function(symbols, 42, -1);
  ASSERT_EQ(noise->axes(), (std::vector<std::string>{"y", "x"}));
  const double x = 0.4, y = -0.3, c = pi * pi / 6.0;
  const double scale = 1.0 / std::sqrt(c * 0.5 * (1.0 + c) - 1.0);
  double sum = 0.0, slope = 0.0;
  for (int ky = 0; ky <= 2; ++ky)
    for (int kx = -3; kx <= 3; ++kx) {
      if (kx == 0 && ky == 0) continue;
      const double k = 2.0 * pi * std::abs(kx) / 1.5, angle = k * x;
      const double amplitude =
          scale * noise_number(42, {kx, ky, 0}) / ((1.0 + std::abs(kx)) * (1.0 + ky)) * std::cos(ky * std::acos(y));
      sum += amplitude * (kx < 0 ? std::sin(angle) : std::cos(angle));
      slope += amplitude * (kx < 0 ? k * std::cos(angle) : -k * std::sin(angle));
    }
  EXPECT_NEAR(noise->at(std::vector<double>{y, x}, std::vector<int>{0, 0}), sum, 1e-13);
  EXPECT_NEAR(noise->at(std::vector<double>{y, x}, std::vector<int>{0, 1}), slope, 1e-12);
}

TEST(Noise, DerivativesOfPolynomialsAreTheirs) {
  const auto noise = noise_function(box(4, 9), 1, -1);
  const double h = 1e-4, x = 0.7;
  for (int order : {1, 2, 3})
    for (double y : {-0.9, 0.1, 0.8}) {
      const auto at = [&](double z) { return noise->at(std::vector<double>{z, x}, std::vector<int>{order - 1, 0}); };
      const double difference = (8.0 * (at(y + h) - at(y - h)) - at(y + 2 * h) + at(y - 2 * h)) / (12.0 * h);
      const double exact = noise->at(std::vector<double>{y, x}, std::vector<int>{order, 0});
      EXPECT_NEAR(exact, difference, 1e-8 * std::max(1.0, std::abs(exact)) * std::pow(10.0, order)) << order;
    }
}

// The mean square over seeds tends to 1: half of it is that of a few modes.
TEST(Noise, HigherDegreesAddModesAndKeepTheOthers) {
  const auto low = noise_function(box(4), 42, -1), high = noise_function(box(9), 42, -1);
  // Coefficients by quadrature, exact for so few waves.
  const auto coefficient = [](const DataFunction& noise, int k, double y, bool sine) {
    double sum = 0.0;
    for (int i = 0; i < 64; ++i) {
      const double x = 1.5 * i / 64.0, angle = 2.0 * pi * k * i / 64.0;
      sum += noise.at(std::vector<double>{y, x}, std::vector<int>{0, 0}) * (sine ? std::sin(angle) : std::cos(angle));
    }
    return sum / 32.0;
  };
  for (int k = 1; k <= 4; ++k)
    for (bool sine : {false, true}) {
      EXPECT_NEAR(coefficient(*low, k, 0.3, sine), coefficient(*high, k, 0.3, sine), 1e-14);
      EXPECT_NE(coefficient(*high, k, 0.3, sine), 0.0);
    }
  for (int k = 5; k <= 9; ++k) EXPECT_GT(std::abs(coefficient(*high, k, 0.3, false)), 1e-6);
  EXPECT_NEAR(coefficient(*low, 5, 0.3, false), 0.0, 1e-14);
}

TEST(Noise, MeanSquareTendsToOne) {
  double sum = 0.0;
  constexpr int kSeeds = 400, kPlaces = 8;
  Symbols symbols = box(-1);
  symbols.noise = {{"x", true, 60}};
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto noise = noise_function(symbols, static_cast<std::uint64_t>(seed), -1);
    for (int i = 0; i < kPlaces; ++i)
      sum += std::pow(noise->at(std::vector<double>{1.5 * i / kPlaces}, std::vector<int>{0}), 2);
  }
  // What the modes above 60 lack is 1/61 / (pi^2/6 - 1); the spread of the mean over so many is 0.05.
  EXPECT_NEAR(sum / (kSeeds * kPlaces), 1.0 - 1.0 / 61.0 / (pi * pi / 6.0 - 1.0), 0.15);
}

TEST(Noise, IsReadPrintedAndRestricted) {
  Pool pool(box(4));
  const Expr e = samples::parsed(pool, "dx(A*noise(2, 42))(y=0)");
  EXPECT_EQ(samples::parsed(pool, print(e)), e) << print(e);
  const Expr lowered = lower(pool, e);
  EXPECT_EQ(lowered->facts.axes, 1u << 3);
  EXPECT_EQ(lower(pool, samples::parsed(pool, print(lowered))), lowered) << print(lowered);
  EXPECT_NE(samples::parsed(pool, "noise(1, 42)"), samples::parsed(pool, "noise(1, 43)"));
  EXPECT_NE(samples::parsed(pool, "noise(1, 42)"), samples::parsed(pool, "noise(1, 42, 3)"));
  for (const char* bad : {"noise(1)", "noise(1, -3)", "noise(1, 0.5)", "noise(1, x)", "noise(1, 2, 3, 4)", "noise"})
    EXPECT_THROW(samples::parsed(pool, bad), CaseError) << bad;
  Pool open(box(-1));
  try {
    samples::parsed(open, "noise(1, 42)");
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find("noise(amplitude, 42, 16)"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(samples::parsed(open, "noise(1, 42, 16)"));
}

TEST(Noise, EnclosuresHoldItsValues) {
  const auto noise = noise_function(box(7), 3, -1);
  const std::vector<int> orders{0, 0};
  for (double y : {-1.0, -0.35, 0.6})
    for (double x : {0.0, 0.5, 1.2}) {
      const std::vector<Interval> cell{{y, y + 0.2, true}, {x, x + 0.15, true}};
      const Interval range = noise->enclosure(cell, orders);
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; j <= 20; ++j) {
          const double value = noise->at(std::vector<double>{y + 0.01 * i, x + 0.0075 * j}, orders);
          EXPECT_LE(range.lower - 0.02, value);
          EXPECT_GE(range.upper + 0.02, value);
        }
      EXPECT_LT(range.width(), 3.0);
    }
}

}  // namespace
}  // namespace gwrm::expression::noise_test
