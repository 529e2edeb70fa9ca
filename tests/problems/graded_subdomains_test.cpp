// Series that fall by powers of the level, and subdomains graded toward the ends of an axis: against functions whose
// coefficients are summed up here by their definition.
#include "problems/time_spectral/graded_subdomains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "problems/run_case.hpp"

namespace gwrm::graded_subdomains_test {
namespace {

using Function = std::function<double(double)>;

// a_l = (2 - [l = 0]) / N sum_j f(cos theta_j) cos(l theta_j) on each subdomain, theta_j = (j + 1/2) pi / N; that N is
// large leaves aliases out.
Array series_of(const Function& f, const AxisDescription& axis) {
  constexpr int kN = 4096;
  Array a({axis.n_coefficients()});
  std::size_t next = 0;
  for (std::size_t p = 0; p + 1 < axis.edges.size(); ++p)
    for (int l = 0; l <= axis.degree; ++l) {
      double sum = 0.0;
      for (int j = 0; j < kN; ++j) {
        const double theta = (j + 0.5) * M_PI / kN, half = 0.5 * (axis.edges[p + 1] - axis.edges[p]);
        // Near the left end without cancellation: 1 + cos(theta) = 2 cos^2(theta/2).
        sum += f(axis.edges[p] + 2.0 * half * std::pow(std::cos(0.5 * theta), 2)) * std::cos(l * theta);
      }
      a.data[next++] = (l == 0 ? 1.0 : 2.0) * sum / kN;
    }
  return a;
}

std::vector<double> tails_of(const Array& a, const AxisDescription& axis) {
  std::vector<double> tails;
  for (Index p = 0; p < axis.n_subdomains(); ++p) {
    double largest = 0.0;
    for (int l = axis.degree - 2; l <= axis.degree; ++l)
      largest = std::max(largest, std::abs(a.data[static_cast<std::size_t>(p * (axis.degree + 1) + l)]));
    tails.push_back(largest);
  }
  return tails;
}

EndPowers powers_of(const Function& f, int degree = 24) {
  const AxisDescription axis{degree, {0.0, 1.0}};
  return end_powers(series_of(f, axis), 0, axis);
}

// x^alpha has a_n ~ n^-(2 alpha + 1). A fifth: of degree 24 the levels 4 .. 6 are looked at, where a_n is not yet its
// leading term.
TEST(EndPowers, OfPowersOfTheDistance) {
  for (double alpha : {0.5, 1.5, 2.5}) {
    const EndPowers left = powers_of([&](double x) { return std::pow(x, alpha); });
    EXPECT_NEAR(left[0], 2.0 * alpha + 1.0, 0.2 * (2.0 * alpha + 1.0)) << alpha;
    EXPECT_EQ(left[1], 0.0) << alpha;
    const EndPowers right = powers_of([&](double x) { return std::cos(x) + std::pow(1.0 - x, alpha); });
    EXPECT_EQ(right[0], 0.0) << alpha;
    EXPECT_NEAR(right[1], 2.0 * alpha + 1.0, 0.2 * (2.0 * alpha + 1.0)) << alpha;
  }
  const EndPowers both = powers_of([](double x) { return std::pow(x * (1.0 - x), 1.5); });
  EXPECT_NEAR(both[0], 4.0, 0.8);
  EXPECT_EQ(both[0], both[1]);
}

TEST(EndPowers, AreNoneOfAnalyticFunctionsAndOfJumps) {
  const auto none = EndPowers{};
  EXPECT_EQ(powers_of([](double x) { return 1.0 / (1.0 + 100.0 * (x - 0.4) * (x - 0.4)); }), none);
  EXPECT_EQ(powers_of([](double x) { return std::exp(3.0 * x); }), none);
  EXPECT_EQ(powers_of([](double x) { return std::exp(-x / 0.02); }), none);  // a layer
  EXPECT_EQ(powers_of([](double x) { return x < 0.37 ? 0.0 : 1.0; }), none);
  EXPECT_EQ(powers_of([](double x) { return std::sqrt(x); }, 12), none);  // too short to tell
}

// Cuts until all tails are below the tolerance: with far fewer coefficients than one series, whose length follows from
// its power.
TEST(Graded, ReachesTheToleranceWithFewCoefficients) {
  const double tolerance = 1e-9, alpha = 1.5;
  const auto f = [&](double x) { return std::pow(x, alpha); };
  AxisDescription axis{24, {0.0, 1.0}};
  int rounds = 0;
  for (; rounds < 6; ++rounds) {
    const Array a = series_of(f, axis);
    const std::vector<double> tails = tails_of(a, axis);
    for (std::size_t p = 1; p < tails.size(); ++p) EXPECT_LT(tails[p], tolerance) << p;
    if (tails.front() <= tolerance) break;
    AxisDescription finer = graded(axis, tails, end_powers(a, 0, axis), tolerance, 640);
    ASSERT_NE(finer, axis);
    for (std::size_t e = 1; e + 1 < finer.edges.size(); ++e)
      EXPECT_NEAR(finer.edges[e], 0.15 * finer.edges[e + 1], 1e-12) << e;
    axis = finer;
  }
  EXPECT_LE(rounds, 3);
  EXPECT_LE(axis.n_coefficients(), 300);  // n^-4 with one series: 24 (tail / 1e-9)^(1/4), about 1000
}

TEST(Graded, LeavesWhatOneSeriesDoesWithFewer) {
  const AxisDescription axis{24, {0.0, 1.0}};
  EXPECT_EQ(graded(axis, {2e-9}, {6.0, 0.0}, 1.9e-9, 640), axis);  // a few more levels
  EXPECT_EQ(graded(axis, {1e-4}, {0.0, 0.0}, 1e-9, 640), axis);    // no power
  EXPECT_EQ(graded(axis, {1e-10}, {4.0, 4.0}, 1e-9, 640), axis);   // resolved
  const AxisDescription three{24, {0.0, 0.4, 0.5, 1.0}};
  const AxisDescription cut = graded(three, {1e-10, 1e-4, 1e-5}, {4.0, 4.0}, 1e-9, 640);
  ASSERT_GT(cut.n_subdomains(), 3);
  EXPECT_EQ(cut.edges[1], 0.4);  // toward the end that needs it
  EXPECT_NEAR(cut.edges[cut.edges.size() - 2], 1.0 - std::pow(0.15, cut.n_subdomains() - 3) * 0.5, 1e-12);
}

TEST(Siblings, AreWhatOneDivisionMade) {
  const AxisDescription original{16, {0.0, 1.0, 3.0}};
  const auto siblings = [&](std::vector<double> edges) {
    const AxisDescription axis{16, std::move(edges)};
    std::vector<Index> found;
    for (Index p = 0; p + 1 < axis.n_subdomains(); ++p)
      if (are_siblings(axis, original, p)) found.push_back(p);
    return found;
  };
  EXPECT_EQ(siblings({0.0, 1.0, 3.0}), (std::vector<Index>{}));              // an edge of the case
  EXPECT_EQ(siblings({0.0, 0.5, 1.0, 3.0}), (std::vector<Index>{0}));        // halves
  EXPECT_EQ(siblings({0.0, 0.25, 0.5, 1.0, 3.0}), (std::vector<Index>{0}));  // halves of a half
  EXPECT_EQ(siblings({0.0, 0.25, 0.5, 0.75, 1.0, 3.0}), (std::vector<Index>{0, 2}));
  EXPECT_EQ(siblings({0.0, 0.0225, 0.15, 1.0, 3.0}), (std::vector<Index>{0}));   // two cuts toward 0
  EXPECT_EQ(siblings({0.0, 0.15, 0.85, 1.0, 3.0}), (std::vector<Index>{0, 1}));  // toward both ends
  EXPECT_EQ(siblings({0.0, 0.15, 0.575, 1.0, 3.0}), (std::vector<Index>{1}));    // the larger piece of a cut halved
  EXPECT_EQ(siblings({0.0, 1.0, 1.0 + 0.3, 3.0}), (std::vector<Index>{1}));
  EXPECT_EQ(siblings({0.0, 0.3, 1.0, 3.0}), (std::vector<Index>{}));  // no division of ours
}

// The square under a uniform load: u = r^2 log r at its corners. In the middle, u = 1/8 - 4/pi^3 sum over odd n of
// (-1)^((n-1)/2) / (n^3 cosh(n pi/2)) = 0.0736713532815138.
TEST(Graded, CornersOfASquare) {
  const std::string text = R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["-lap(u) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {tolerance: 1.0e-8}
output: {grid: {x: 3, y: 3}}
)yaml";
  const RunOutcome outcome = test::run_case(text);
  EXPECT_TRUE(outcome.status == ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"x", 0.5}, {"y", 0.5}}), 0.0736713532815138, 1e-9);
  Index n_unknowns = 1;
  for (const AxisDescription& axis : outcome.solution.subdomains.front()) n_unknowns *= axis.n_coefficients();
  EXPECT_LE(n_unknowns, 50000);  // one series along each axis: 331 776
}

// A plate clamped on all sides, driven at one: the largest eigenvalue of the fourth derivative on these subdomains is
// 1e14 times the smallest one, 2 (4.73)^4. Without conditions that fix a constant the smallest one is rounding.
TEST(GradedSubdomains, OnlyWhatNothingFixesIsSingular) {
  const std::string kGraded =
      "resolution: {degree: {x: 14, y: 14}, domains: {x: [0, 0.01, 0.15, 0.85, 0.99, 1], y: [0, 0.01, 0.15, 0.85, "
      "0.99, 1]}}\nsolver: {linear: tensor}\nverification: {tolerance: 1e-6}\n";
  const RunOutcome plate = test::run_case(
      "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"lap(lap(u)) = 0\"]\nboundary: [\"u(x=0) = 0\", "
      "\"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\", \"dx(u)(x=0) = 0\", \"dx(u)(x=1) = 0\", \"dy(u)(y=0) = 0\", "
      "\"dy(u)(y=1) = 16*x^2*(1 - x)^2\"]\n" +
      kGraded);
  EXPECT_EQ(plate.status, ExitStatus::converged) << plate.report.reason;
  const RunOutcome heat = test::run_case(
      "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"lap(u) = cos(pi*x)\"]\nboundary: [\"dx(u)(x=0) = "
      "0\", \"dx(u)(x=1) = 0\", \"dy(u)(y=0) = 0\", \"dy(u)(y=1) = 0\"]\n" +
      kGraded);
  EXPECT_EQ(heat.status, ExitStatus::singular) << heat.report.reason;
}

}  // namespace
}  // namespace gwrm::graded_subdomains_test
