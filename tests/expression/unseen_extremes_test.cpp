// Extremes between the points of a grid: pulses that hide there are found, what the points resolve is no finding, and
// the search stays cheap.
#include "expression/unseen_extremes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/errors.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::unseen_extremes_test {
namespace {

using Outcome = UnseenExtreme::Outcome;

Symbols unit_symbols() {
  Symbols s;
  for (const char* name : {"t", "z", "y", "x"})
    s.axes.push_back({name, name[0] == 't' ? AxisKind::time : AxisKind::space, 0.0, 1.0, MapKind::linear});
  return s;
}

// n Gauss-Chebyshev points on each of the subdomains.
SampledAxis gauss(int n, const std::vector<double>& edges = {0.0, 1.0}) {
  std::vector<double> points;
  for (std::size_t s = 0; s + 1 < edges.size(); ++s)
    for (int i = n; i-- > 0;)
      points.push_back(edges[s] + 0.5 * (edges[s + 1] - edges[s]) * (1.0 + std::cos((i + 0.5) / n * std::numbers::pi)));
  return {points, edges};
}

std::string pulse_text(double w, double c) {
  return fmt::format("exp(-{}*(x - {})^2)", w, c);
}

UnseenExtreme search(const std::string& text, const SampledAxis& axis, long max_boxes = 40000) {
  Pool pool(unit_symbols());
  const std::vector<SampledAxis> axes(4, axis);
  return find_unseen_extreme(pool, lower(pool, samples::parsed(pool, text)), axes, max_boxes);
}

// The largest value that the points and the polynomial through the nearest of them show of exp(-w (x - c)^2).
double shown_of_pulse(const SampledAxis& axis, double w, double c) {
  const auto f = [w, c](double x) { return std::exp(-w * (x - c) * (x - c)); };
  double shown = 0.0;
  for (std::size_t i = 0; i < axis.n_points(); ++i) shown = std::max(shown, f(axis.point(i)));
  for (std::size_t k = 0; k < axis.n_cells(); ++k)
    for (double position : {0.2, 0.4, 0.5, 0.6, 0.8}) {
      const SampledAxis::Cell cell = axis.cell(k);
      const Stencil stencil = axis.interpolation(cell, cell.lower + position * (cell.upper - cell.lower), 8);
      double sum = 0.0;
      for (std::size_t i = 0; i < stencil.weights.size(); ++i)
        sum += stencil.weights[i] * f(axis.point(stencil.first + i));
      shown = std::max(shown, sum);
    }
  return shown;
}

TEST(UnseenExtremes, NoRandomPulseIsMissed) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> anywhere(0.0, 1.0);
  long boxes = 0;
  int wrong = 0, unresolved_peaks = 0;
  for (double w : {3e5, 3e6})
    for (int trial = 0; trial < 60; ++trial)
      for (int n : {24, 60, 150}) {
        const double c = anywhere(random);
        const SampledAxis axis = gauss(n);
        const UnseenExtreme result = search(pulse_text(w, c), axis);
        boxes += result.boxes;
        const bool found = result.outcome == Outcome::found;
        if (found) {
          EXPECT_NEAR(result.at[0], c, 2.0 / std::sqrt(w));
          EXPECT_GT(result.value, result.by_one_point ? 0.25 : 0.9);
        }
        EXPECT_NE(result.outcome, Outcome::undecided);
        if (shown_of_pulse(axis, w, c) < 0.85) {
          ++wrong;
          EXPECT_TRUE(found) << "w = " << w << ", c = " << c << ", " << n << " points";
        } else if (!found) {
          ++unresolved_peaks;
        }
      }
  EXPECT_GE(wrong, 300);
  EXPECT_LE(unresolved_peaks, 20) << unresolved_peaks;
  EXPECT_LE(boxes, 360 * 400);
}

TEST(UnseenExtremes, WhatPointsResolveIsNoFinding) {
  struct Benign {
    const char* text;
    int n;           // points
    long max_boxes;  // spent
  };
  const Benign table[] = {
      {"sin(3*x)", 24, 200},
      {"cos(40*x)", 45, 1200},  // 20 radians to each side: 30 modes resolve them
      {"cos(100*pi*x)", 300, 8000},
      {"tanh((x - 0.37)/0.001)", 24, 500},  // a steep front is not resolved, but no extreme
      {"tanh((x - 0.37)/0.05)", 60, 500},
      {"exp(-400*(x - 0.43)^2)", 60, 1000},
      {"exp(-3e5*(x - 0.43)^2)", 4000, 9000},
      {"1/(1 + 25*(2*x - 1)^2)", 24, 500},
      {"x*(1 - x)", 24, 100},
      {"exp(-x)/(exp(-x) + exp(x - 1))", 24, 4000},
      {"exp(5*x)*exp(-5*x) + sin(4*x)", 24, 4000},
      {"step(x - 0.4)", 24, 500},
      {"1 + step(x - 0.3)*step(0.7 - x)", 24, 500},
      {"abs(x - 0.51)", 24, 500},
      {"sqrt(x)", 24, 500},
      {"max(0, 1 - 8*abs(x - 0.5))", 60, 500},
      {"1/x", 24, 500},  // a pole at the end of the axis, which no point sees
      {"log(x)", 24, 500},
      {"x/x", 24, 500},
      {"1000 + exp(-3e5*(x - 0.43)^2)", 24, 500},  // a thousandth of the data
      {"0*x + 3", 24, 0},
      {"sin(pi*x)^20", 60, 4000},
      {"x^3 - 3*x^2 + 3*x - 1", 24, 1000},
  };
  for (const Benign& each : table) {
    const UnseenExtreme result = search(each.text, gauss(each.n));
    EXPECT_EQ(result.outcome, Outcome::none) << each.text << " " << result.value << " at "
                                             << (result.at.empty() ? -1 : result.at[0]) << ", seen " << result.seen;
    EXPECT_LE(result.boxes, each.max_boxes) << each.text;
  }
}

// 2 n + 1 points of a periodic axis.
SampledAxis around(int degree) {
  std::vector<double> points;
  for (int i = 0; i < 2 * degree + 1; ++i) points.push_back(static_cast<double>(i) / (2 * degree + 1));
  return SampledAxis::around(points, 1.0);
}

// Few points per wave show it all the same: the trigonometric polynomial through all of them is the wave.
TEST(UnseenExtremes, WavesThatPeriodicPointsResolveAreNoFinding) {
  const std::pair<int, int> table[] = {{6, 8}, {8, 8}, {12, 16}, {16, 16}, {24, 32}, {30, 32}, {40, 48}, {40, 40}};
  for (const auto& [wave, degree] : table) {
    const std::string text = fmt::format("cos(2*pi*{}*x + 0.3)", wave);
    const UnseenExtreme result = search(text, around(degree));
    EXPECT_EQ(result.outcome, Outcome::none)
        << text << " at degree " << degree << ": " << result.value << ", seen " << result.seen;
  }
  EXPECT_EQ(search("cos(2*pi*7*x)*cos(2*pi*6*y)", around(8)).outcome, Outcome::none);
  EXPECT_EQ(search("cos(2*pi*7*x) + y^2", around(8)).outcome, Outcome::none);
}

TEST(UnseenExtremes, AliasedWavesAndSpotsBetweenPeriodicPointsAreFound) {
  EXPECT_EQ(search("1 + 0.5*cos(2*pi*17*x)", around(8)).outcome, Outcome::found);  // 1.5 at all points
  EXPECT_EQ(search("1 + cos(2*pi*34*x)", around(8)).outcome, Outcome::found);
  for (const double centre : {0.03, 0.21, 0.48, 0.77, 0.97})
    for (const int degree : {8, 16, 48}) {
      const std::string spot = fmt::format("cos(2*pi*x) + 5*exp(-{}*sin(pi*(x - {}))^2)", 4e6, centre);
      EXPECT_EQ(search(spot, around(degree)).outcome, Outcome::found) << spot << " at degree " << degree;
    }
}

TEST(SampledAxis, TrigonometricWeightsAreThoseOfTheInterpolant) {
  const double length = 3.0;
  for (const int n : {7, 8}) {
    std::vector<double> points;
    for (int i = 0; i < n; ++i) points.push_back(0.5 + length * i / n);
    const SampledAxis axis = SampledAxis::around(points, length);
    EXPECT_EQ(axis.n_around(), static_cast<std::size_t>(n));
    const auto wave = [&](double x, int k) { return std::cos(2.0 * std::numbers::pi * k * x / length + 0.7); };
    for (int k = 0; 2 * k < n; ++k)
      for (const double z : {0.5, 0.61, 1.7, 3.2, 3.49}) {
        const Stencil stencil = axis.interpolation(axis.cell(0), z, 8);
        double sum = 0.0;
        for (std::size_t i = 0; i < stencil.weights.size(); ++i)
          sum += stencil.weights[i] * wave(axis.point(stencil.first + i), k);
        EXPECT_NEAR(sum, wave(z, k), 1e-13) << "wave " << k << " of " << n << " points at " << z;
      }
  }
}

TEST(UnseenExtremes, SmoothDataTimesSmoothDataOnSubdomains) {
  const std::vector<double> edges = {0.0, 0.1, 0.3, 0.35, 1.0};
  for (const char* text : {"sin(20*x)*exp(-x)", "step(x - 0.3)*step(0.35 - x)*cos(x)", "abs(x - 0.1) + max(x, 0.35)"})
    EXPECT_EQ(search(text, gauss(12, edges)).outcome, Outcome::none) << text;
}

TEST(UnseenExtremes, HiddenJumpsPolesAndDips) {
  const SampledAxis axis = gauss(36);
  const UnseenExtreme pulse = search("1000*step(x - 0.4)*step(0.4001 - x)", axis);
  ASSERT_EQ(pulse.outcome, Outcome::found);
  EXPECT_NEAR(pulse.at[0], 0.40005, 5e-5);
  EXPECT_EQ(pulse.value, 1000.0);
  EXPECT_EQ(pulse.seen, 0.0);
  EXPECT_EQ(pulse.fraction(), 1.0);

  const UnseenExtreme dip = search("2 - exp(-1e7*(x - 0.7)^2)", axis);
  ASSERT_EQ(dip.outcome, Outcome::found);
  EXPECT_NEAR(dip.value, 1.0, 0.1);
  EXPECT_NEAR(dip.seen, 2.0, 1e-12);

  EXPECT_EQ(search("1/(x - 0.43)", axis).outcome, Outcome::found);
  EXPECT_EQ(search("sin(400*x)", axis).outcome, Outcome::found);  // between points of 60 radians
  EXPECT_EQ(search("exp(-1e7*x^2)", axis).outcome, Outcome::found);
  EXPECT_EQ(search("1e-30*exp(-1e6*(x - 0.777)^2)", axis).outcome, Outcome::found);
}

// One point on the peak of a pulse that is narrower than the cells: no extreme is unseen, yet what the points show is a
// pulse as wide as two cells.
TEST(UnseenExtremes, APeakThatOnePointHits) {
  const SampledAxis axis = gauss(36);
  const double c = axis.point(20);
  const UnseenExtreme result = search(pulse_text(1e6, c), axis);
  ASSERT_EQ(result.outcome, Outcome::found);
  EXPECT_TRUE(result.by_one_point);
  EXPECT_EQ(result.at[0], c);
  EXPECT_LT(result.seen, 1e-6);
}

TEST(UnseenExtremes, InTwoAndThreeDimensions) {
  EXPECT_EQ(search("sin(4*x)*cos(5*y)", gauss(24)).outcome, Outcome::none);
  EXPECT_EQ(search("exp(-20*((x - 0.4)^2 + (y - 0.5)^2))*cos(3*t)", gauss(24)).outcome, Outcome::none);
  EXPECT_EQ(search("step(x - 0.5 - 0.3*t)*sin(y)", gauss(16)).outcome, Outcome::none);
  const UnseenExtreme spot = search("x*y + exp(-1e5*((x - 0.41)^2 + (y - 0.73)^2))", gauss(24));
  ASSERT_EQ(spot.outcome, Outcome::found);
  EXPECT_NEAR(spot.at[0], 0.73, 0.01);  // y comes before x
  EXPECT_NEAR(spot.at[1], 0.41, 0.01);
  EXPECT_EQ(search("exp(-1e4*((x - 0.41)^2 + (y - 0.73)^2 + (z - 0.2)^2))", gauss(12)).outcome, Outcome::found);
  EXPECT_EQ(search("exp(-1e5*(x - 0.5 - 0.3*sin(6*t))^2)", gauss(20)).outcome, Outcome::found);
}

TEST(UnseenExtremes, TheBoxesAreLimited) {
  const UnseenExtreme result =
      search("exp(20*x) - exp(10*x)*exp(10*x)", gauss(24), 300);  // zero, to interval arithmetic no
  EXPECT_EQ(result.outcome, Outcome::undecided);
  EXPECT_LE(result.boxes, 302);
}

TEST(SampledAxis, CellsRunFromPointToPointAndToTheEdges) {
  const SampledAxis axis({0.1, 0.4, 0.5, 0.9}, {0.0, 0.5, 1.0});
  ASSERT_EQ(axis.n_cells(), 5u);
  EXPECT_EQ(axis.cell(0), (SampledAxis::Cell{0.0, 0.1, false, true, 0, 1, 0}));
  EXPECT_EQ(axis.cell(2), (SampledAxis::Cell{0.4, 0.5, true, true, 0, 3, 0}));
  EXPECT_EQ(axis.cell(4), (SampledAxis::Cell{0.9, 1.0, true, false, 2, 3, 1}));
  EXPECT_THROW(SampledAxis({0.5, 0.2}, {0.0, 1.0}), ShapeError);
  // x^2 through three points of the first subdomain
  const Stencil stencil = axis.interpolation(axis.cell(1), 0.2, 8);
  double square = 0.0;
  for (std::size_t i = 0; i < stencil.weights.size(); ++i)
    square += stencil.weights[i] * axis.point(stencil.first + i) * axis.point(stencil.first + i);
  EXPECT_NEAR(square, 0.04, 1e-15);
  EXPECT_EQ(axis.cell_at(0.45), 2u);
  EXPECT_DOUBLE_EQ(axis.reach(0, 2), 0.15);  // half of the second cell; of the first only the upper end is a point
  EXPECT_DOUBLE_EQ(axis.reach(3, 4), 0.4);   // the point at 0.5 is the other subdomain's
  EXPECT_DOUBLE_EQ(axis.reach(4, 4), 0.1);
}

TEST(SampledAxis, EqualIntervalsAreTheSameWithoutStoring) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{40}}) {
    std::vector<double> points;
    for (std::size_t i = 0; i <= n; ++i) points.push_back(-1.0 + 3.0 * static_cast<double>(i) / static_cast<double>(n));
    const SampledAxis stored(points, {-1.0, 2.0}), equal = SampledAxis::equal(-1.0, 2.0, n);
    ASSERT_EQ(equal.n_points(), stored.n_points());
    ASSERT_EQ(equal.n_cells(), stored.n_cells());
    EXPECT_DOUBLE_EQ(equal.length(), stored.length());
    for (std::size_t k = 0; k < n; ++k) {
      const SampledAxis::Cell a = equal.cell(k), b = stored.cell(k);
      EXPECT_NEAR(a.lower, b.lower, 1e-15);
      EXPECT_NEAR(a.upper, b.upper, 1e-15);
      EXPECT_TRUE(a.lower_is_point && a.upper_is_point);
      EXPECT_EQ(a.first, b.first);
      EXPECT_EQ(a.last, b.last);
      EXPECT_NEAR(equal.reach(0, k), stored.reach(0, k), 1e-15);
      const double middle = 0.5 * (a.lower + a.upper);
      EXPECT_EQ(equal.cell_at(middle), k);
      EXPECT_EQ(stored.cell_at(middle), k);
      const Stencil mine = equal.interpolation(a, middle, 8), other = stored.interpolation(b, middle, 8);
      EXPECT_EQ(mine.first, other.first);
      ASSERT_EQ(mine.weights.size(), other.weights.size());
      for (std::size_t i = 0; i < mine.weights.size(); ++i) EXPECT_NEAR(mine.weights[i], other.weights[i], 1e-12);
    }
  }
  EXPECT_THROW(SampledAxis::equal(0.0, 1.0, 0), ShapeError);
}

TEST(UnseenExtremes, PulsesAreFoundAmongMillionsOfPointsWithinFewBoxes) {
  const SampledAxis axis = SampledAxis::equal(0.0, 1.0, std::size_t{1} << 28);
  EXPECT_LE(search("1000*cos(50*x) + exp(-3e5*(x - 0.3)^2)", axis).boxes, 10);
  EXPECT_EQ(search("exp(-1e14*(x - 0.3)^2)", axis).outcome, Outcome::none);  // 27 points wide
  const UnseenExtreme narrow =
      search("1 + exp(-1e17*(x - 0.29999998)^2)", SampledAxis::equal(0.0, 1.0, std::size_t{1} << 24));
  ASSERT_EQ(narrow.outcome, Outcome::found);
  EXPECT_NEAR(narrow.at[0], 0.29999998, 1e-8);
}

std::vector<std::vector<double>> places(const std::string& text, const SampledAxis& axis, double fraction,
                                        std::size_t most = 9) {
  Pool pool(unit_symbols());
  const std::vector<SampledAxis> axes(4, axis);
  return find_unseen_places(pool, lower(pool, samples::parsed(pool, text)), axes, fraction, 4000, most).at;
}

TEST(UnseenPlaces, AreThoseOfAllFeaturesAboveTheFraction) {
  const SampledAxis axis = gauss(100);
  const std::string two = "cos(8*x) + 0.05*exp(-1e7*(x - 0.4137)^2) + 0.004*exp(-1e7*(x - 0.7211)^2)";
  EXPECT_TRUE(places(two, axis, 0.1).empty());
  const auto first = places(two, axis, 0.01), both = places(two, axis, 1e-3);
  ASSERT_GE(both.size(), 2u);
  const auto holds = [](const auto& found, double z) {
    return std::any_of(found.begin(), found.end(), [z](const auto& at) { return std::abs(at[0] - z) < 3e-4; });
  };
  EXPECT_NEAR(both[0][0], 0.4137, 3e-4);  // the larger one first
  EXPECT_TRUE(holds(both, 0.7211));
  EXPECT_TRUE(holds(first, 0.4137) && !holds(first, 0.7211));
  EXPECT_TRUE(places("cos(8*x) + exp(x)", axis, 1e-6).empty());
}

TEST(UnseenPlaces, OfOscillationsAreAsManyAsAskedFor) {
  EXPECT_EQ(places("cos(3000*x)", gauss(50), 0.01, 5).size(), 5u);
}

}  // namespace
}  // namespace gwrm::expression::unseen_extremes_test
