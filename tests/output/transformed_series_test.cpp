// Series along periodic axes at scattered points by non-uniform transforms, against evaluate() of each point by itself:
// sums over all coefficients, the functions in extended precision.
#include "output/transformed_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::transformed_series_test {
namespace {

using expression::Expr;
using expression::Pool;

AxisDescription periodic(int highest, double lower, double upper) {
  return {highest, {lower, upper}, MapKind::linear, kFourier};
}

void fill(Solution& s, const std::vector<std::pair<std::string, std::vector<int>>>& fields) {
  std::mt19937_64 random(21);
  for (const auto& [name, axes] : fields) {
    const bool in_time = !axes.empty() && axes.front() == s.windowed_axis();
    s.fields.push_back(test::random_field(s, name, axes, in_time ? s.n_windows() : 1, random));
  }
}

// u(x) and v(x): wavenumbers up to M.
Solution circle(int highest) {
  Solution s;
  s.axes = {{"x", AxisKind::space, -1.0, 2.0, MapKind::linear}};
  s.subdomains = {{periodic(highest, -1.0, 2.0)}};
  fill(s, {{"u", {0}}, {"v", {0}}});
  return s;
}

// u, v(t, nu, x) and w(x): x periodic with another M in each window, t in three windows.
Solution circle_in_time() {
  Solution s = test::windowed_solution();
  s.fields.clear();
  for (std::size_t w = 0; w < 3; ++w) s.subdomains[w][2] = periodic(5 + 3 * static_cast<int>(w), -1.0, 3.0);
  fill(s, {{"u", {0, 1, 2}}, {"v", {0, 1, 2}}, {"w", {2}}, {"s", {0}}});
  return s;
}

// u(t, y, x), c(y): two periodic axes.
Solution torus() {
  Solution s = test::plane_solution();
  s.fields.clear();
  s.subdomains[0][1] = periodic(4, 0.0, 2.0);
  s.subdomains[0][2] = periodic(7, 0.0, 3.0);
  fill(s, {{"u", {0, 1, 2}}, {"c", {1}}});
  return s;
}

// u(t, y, x): x periodic, y in subdomains that differ from window to window.
Solution channel() {
  Solution s = test::tensor_solution();
  s.fields.clear();
  s.subdomains[0][2] = periodic(6, 0.0, 3.0);
  s.subdomains[1][2] = periodic(0, 0.0, 3.0);
  fill(s, {{"u", {0, 1, 2}}, {"v", {0, 1, 2}}});
  return s;
}

// u(z, y, x): all periodic, M = 0 and 1 among them.
Solution box() {
  Solution s;
  s.axes = {{"z", AxisKind::space, 0.0, 1.0, MapKind::linear},
            {"y", AxisKind::space, -2.0, 2.0, MapKind::linear},
            {"x", AxisKind::space, 5.0, 6.5, MapKind::linear}};
  s.subdomains = {{periodic(3, 0.0, 1.0), periodic(1, -2.0, 2.0), periodic(6, 5.0, 6.5)}};
  fill(s, {{"u", {0, 1, 2}}, {"p", {0, 2}}});
  return s;
}

// Uniform, every fourth on an edge; `repeated` axes have one coordinate for all.
std::vector<std::vector<double>> points_in(const Solution& s, std::size_t count, const std::vector<int>& repeated) {
  std::mt19937_64 random(22);
  std::vector<std::vector<double>> points;
  for (std::size_t axis = 0; axis < s.axes.size(); ++axis) {
    const bool in_windows = static_cast<int>(axis) == s.windowed_axis();
    const double lower = in_windows ? s.window_edges.front() : s.axes[axis].lower;
    const double upper = in_windows ? s.window_edges.back() : s.axes[axis].upper;
    std::uniform_real_distribution<double> uniform(lower, upper);
    std::vector<double>& along = points.emplace_back();
    for (std::size_t p = 0; p < count; ++p) {
      const auto& edges = s.subdomains[random() % s.subdomains.size()][axis].edges;
      along.push_back(random() % 4 == 0 ? edges[random() % edges.size()] : uniform(random));
    }
    if (std::find(repeated.begin(), repeated.end(), static_cast<int>(axis)) != repeated.end()) along.resize(1);
  }
  return points;
}

ScatteredPoints views(const std::vector<std::vector<double>>& points) {
  ScatteredPoints result;
  for (const auto& along : points) {
    result.count = std::max(result.count, along.size());
    result.axes.emplace_back(along);
  }
  return result;
}

struct Lowered {
  Pool pool;
  std::vector<Expr> es;
  Lowered(const Solution& s, const std::vector<std::string>& texts) : pool(test::symbols_of(s)) {
    for (const std::string& text : texts)
      es.push_back(expression::lower(pool, expression::parse(pool, SourceText::from_argument(text))));
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    const double here = std::abs(a[p] - b[p]);
    difference = here <= difference ? difference : here;
  }
  return difference;
}
double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

// The transform's tolerance is 1e-14 in the 2-norm and its error at most ten times that; round-off of the angles,
// 2e-16 each, times the highest wavenumber, which is below 20, comes to less.
constexpr double kBound = 1e-13;

void compare(const Solution& s, const std::vector<std::string>& texts, const std::vector<std::size_t>& counts,
             const std::vector<int>& repeated = {}) {
  Lowered lowered(s, texts);
  for (std::size_t count : counts) {
    const auto points = points_in(s, count, repeated);
    const auto values = evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms);
    EXPECT_EQ(values, evaluate_points(lowered.pool, s, lowered.es, views(points), 3, ScatteredMethod::transforms));
    for (std::size_t e = 0; e < texts.size(); ++e) {
      std::vector<double> expected;  // at the points, of which there may be few, and the largest value is one of these
      auto elsewhere = points_in(s, 7, {});
      for (auto& along : elsewhere) std::sort(along.begin(), along.end());
      const double size = largest(evaluate(lowered.pool, s, lowered.es[e], elsewhere).data);
      for (std::size_t p = 0; p < count; ++p) {
        GridPoints one;
        for (const auto& along : points) one.push_back({along[along.size() == 1 ? 0 : p]});
        expected.push_back(evaluate(lowered.pool, s, lowered.es[e], one).data[0]);
      }
      EXPECT_LE(largest_difference(values[e], expected), kBound * std::max(size, largest(expected)))
          << texts[e] << " at " << count << " points";
    }
  }
}

TEST(TransformedSeries, OnePeriodicAxis) {
  for (int highest : {0, 1, 2, 16, 19})
    compare(circle(highest), {"u", "dx(u)", "u*dx(v,2) - v", "dx(u,3)", "x*v"}, {1, 2, 3, 64, 65, 200});
}

TEST(TransformedSeries, BesideWindowsAndAParameter) {
  const std::vector<std::string> texts{
      "u", "dt(u) + u*dx(u) - nu*dx(v,2)", "u*s + w", "u(t=1.2)", "dx(u)(nu=0.1)", "v(x=1)", "dnu(v)", "dx(w)"};
  compare(circle_in_time(), texts, {1, 130, 131});
  compare(circle_in_time(), texts, {130}, {0});     // one time
  compare(circle_in_time(), texts, {130}, {2});     // one place
  compare(circle_in_time(), texts, {130}, {0, 1});  // one time, one parameter
}

TEST(TransformedSeries, TwoPeriodicAxes) {
  const std::vector<std::string> texts{"u", "dx(u)*dy(u)", "lap(u)", "u(t=0.5)", "dx(u)(y=0.25)", "u + c", "dy(c,3)"};
  compare(torus(), texts, {1, 100, 255});
  compare(torus(), texts, {100}, {0});
  compare(torus(), texts, {100}, {1});
}

TEST(TransformedSeries, BesideSubdomains) {
  const std::vector<std::string> texts{"u", "dy(u) - v*dx(u)", "lap(u)", "u(y=1.75)", "u(t=1)", "integral(u, x) + v"};
  compare(channel(), texts, {99, 300});
  compare(channel(), texts, {99}, {1});
}

TEST(TransformedSeries, ThreePeriodicAxes) {
  compare(box(), {"u", "dz(dy(dx(u)))", "lap(u) + p", "dx(p) - dz(u)", "u(y=0)"}, {1, 63, 200});
  compare(box(), {"u*p"}, {64}, {0, 2});
}

// Where the choice falls on transforms, and high wavenumbers: against the sums over all coefficients.
TEST(TransformedSeries, ManyPointsAgreeWithSums) {
  Solution s = torus();
  s.subdomains[0][1].degree = 40;
  s.subdomains[0][2].degree = 33;
  s.fields.clear();
  fill(s, {{"u", {0, 1, 2}}, {"c", {1}}});
  Lowered lowered(s, {"u", "dx(u)"});
  const auto points = points_in(s, 20000, {0});
  const auto automatic = evaluate_points(lowered.pool, s, lowered.es, views(points), 2);
  EXPECT_EQ(automatic, evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms));
  const auto sums = evaluate_points(lowered.pool, s, lowered.es, views(points), 2, ScatteredMethod::sums);
  EXPECT_NE(automatic, sums);
  for (std::size_t e = 0; e < 2; ++e) EXPECT_LE(largest_difference(automatic[e], sums[e]), kBound * largest(sums[e]));
  // A few points are summed.
  const auto few = points_in(s, 3, {0});
  EXPECT_EQ(evaluate_points(lowered.pool, s, lowered.es, views(few), 1),
            evaluate_points(lowered.pool, s, lowered.es, views(few), 1, ScatteredMethod::sums));
}

// cos M theta on a length whose multiples are rounded: to the tolerance, and what half a unit in the last place of
// theta (2.2e-16) and of the transform's own coordinate is M times.
TEST(TransformedSeries, HighWavenumbersKeepTheirDigits) {
  for (int highest : {64, 257, 1000}) {
    Solution s = circle(highest);
    s.fields[0].windows[0].data.assign(2 * static_cast<std::size_t>(highest) + 1, 0.0);
    s.fields[0].windows[0].data.back() = 1.0;
    Lowered lowered(s, {"u"});
    const auto points = points_in(s, 500, {});
    const auto values = evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms)[0];
    double error = 0.0;
    for (std::size_t p = 0; p < values.size(); ++p) {
      const long double position = (static_cast<long double>(points[0][p]) + 1.0L) / 3.0L;
      const long double exact = std::cos(2 * 3.14159265358979323846L * highest * position);
      error = std::max(error, std::abs(values[p] - static_cast<double>(exact)));
    }
    EXPECT_LE(error, 1e-13 + 5e-16 * highest) << highest;
  }
}

// A run that failed may leave such coefficients: they are those of one unknown.
TEST(TransformedSeries, WhatIsNoNumberStaysByItself) {
  Solution s = circle(8);
  Lowered lowered(s, {"u", "v"});
  const auto points = points_in(s, 70, {});
  const auto before = evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms);
  s.fields[1].windows[0].data[3] = std::nan("");
  const auto values = evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms);
  for (std::size_t p = 0; p < 70; ++p) {
    EXPECT_NEAR(values[0][p], before[0][p], 1e-12);
    EXPECT_TRUE(std::isnan(values[1][p]));
  }
}

TEST(TransformedSeries, OutsideThereIsNoNumber) {
  const Solution s = circle(8);
  Lowered lowered(s, {"u"});
  const std::vector<std::vector<double>> points{{-1.1, -1.0, 0.5, 2.0, 2.1, std::nan("")}};
  const auto values = evaluate_points(lowered.pool, s, lowered.es, views(points), 1, ScatteredMethod::transforms)[0];
  const std::vector<bool> is_inside{false, true, true, true, false, false};
  for (std::size_t p = 0; p < values.size(); ++p) EXPECT_EQ(!std::isnan(values[p]), is_inside[p]) << p;
  EXPECT_NEAR(values[1], values[3], 1e-13);  // the seam
}

}  // namespace
}  // namespace gwrm::transformed_series_test
