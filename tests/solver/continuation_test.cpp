// Branches known in closed form: a line, the circle, imperfect and perfect pitchforks, a cubic with two folds, a
// corner.
#include "solver/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace gwrm::continuation_test {
namespace {

// f(u, p) = 0 for one u; the second row is free. Derivatives by hand: f, df/du, df/dp.
class ScalarFamily : public NonlinearSystem {
 public:
  using Function = std::function<double(double u, double p)>;
  ScalarFamily(Function f, Function fu, Function fp, bool linear = false)
      : f_(std::move(f)), fu_(std::move(fu)), fp_(std::move(fp)), linear_(linear) {}
  Index size() const override { return 2; }
  bool is_linear() const override { return linear_; }
  void residual(std::span<const double> x, std::span<double> f) override {
    f[0] = f_(x[0], x[1]);
    f[1] = 0.0;
  }
  void jacobian(std::span<const double> x, std::span<double> matrix) override {
    matrix[0] = fu_(x[0], x[1]);
    matrix[1] = 0.0;
    matrix[2] = fp_(x[0], x[1]);
    matrix[3] = 0.0;
  }

 private:
  Function f_, fu_, fp_;
  bool linear_;
};

struct Trace {
  std::vector<BranchPoint> points;
  BranchEnd end;
  double u(std::size_t i) const { return points[i].x[0]; }
  double p(std::size_t i) const { return points[i].x[1]; }
  std::vector<BranchPoint> folds() const {
    std::vector<BranchPoint> found;
    for (const BranchPoint& point : points)
      if (point.fold) found.push_back(point);
    return found;
  }
};

Trace follow(NonlinearSystem& system, double guess, const BranchSettings& settings,
             const std::function<bool()>& interrupted = {}) {
  Trace run;
  const auto lu = cpu::make_dense_lu();
  const BranchEquations equations{system, 1, {1, {1.0, 0.0}, {0, 0}}};
  run.end = follow_branch(
      equations, settings, *lu, {guess, 0.0},
      [&](const BranchPoint& point, const std::vector<NewtonIteration>&) { run.points.push_back(point); }, interrupted);
  return run;
}

BranchSettings way(double from, double to, bool arclength = true) {
  BranchSettings settings;
  settings.from = from;
  settings.to = to;
  settings.arclength = arclength;
  return settings;
}

ScalarFamily circle() {
  return {[](double u, double p) { return u * u + p * p - 1.0; }, [](double u, double) { return 2.0 * u; },
          [](double, double p) { return 2.0 * p; }};
}

// u^3 - p u = e: for e > 0 the branch from p = -1 runs into the upper half of the pitchfork without a fold.
ScalarFamily pitchfork(double e) {
  return {[e](double u, double p) { return u * u * u - p * u - e; }, [](double u, double p) { return 3.0 * u * u - p; },
          [](double u, double) { return -u; }};
}

void expect_ordered(const Trace& run) {
  for (std::size_t i = 1; i < run.points.size(); ++i) EXPECT_GT(run.points[i].s, run.points[i - 1].s);
}

TEST(Continuation, LineEndsExactly) {
  ScalarFamily line([](double u, double p) { return 2.0 * u - 3.0 * p; }, [](double, double) { return 2.0; },
                    [](double, double) { return -3.0; }, true);
  for (const bool arclength : {true, false}) {
    const Trace run = follow(line, 0.0, way(1.0, -4.0, arclength));
    EXPECT_EQ(run.end.status, BranchStatus::reached_end);
    EXPECT_EQ(run.p(0), 1.0);
    EXPECT_EQ(run.points.back().x[1], -4.0);
    EXPECT_GE(run.points.size(), 11u);  // no step covers more than a tenth of the way
    for (std::size_t i = 0; i < run.points.size(); ++i) EXPECT_NEAR(run.u(i), 1.5 * run.p(i), 1e-14 * 6.0);
    // |du| = 1.5 |dp| and the size of u is 7.5: both parts of the arc are as long.
    EXPECT_NEAR(run.points.back().s, std::numbers::sqrt2, 1e-12);
    expect_ordered(run);
  }
}

TEST(Continuation, CircleComesBackBehindItsFold) {
  ScalarFamily system = circle();
  const Trace run = follow(system, 0.8, way(-0.5, 2.0));
  EXPECT_EQ(run.end.status, BranchStatus::came_back);
  EXPECT_EQ(run.points.back().x[1], -0.5);
  EXPECT_NEAR(run.points.back().x[0], -std::sqrt(0.75), 1e-12);
  ASSERT_EQ(run.folds().size(), 1u);
  EXPECT_NEAR(run.folds()[0].x[1], 1.0, 1e-14);
  EXPECT_NEAR(run.folds()[0].x[0], 0.0, 1e-9);
  for (const BranchPoint& point : run.points) EXPECT_NEAR(std::hypot(point.x[0], point.x[1]), 1.0, 1e-12);
  expect_ordered(run);
}

// The arc is measured in u/size and p/range: an ellipse, whose length is known by quadrature.
TEST(Continuation, ArcLengthOfTheCircle) {
  ScalarFamily system = circle();
  const Trace run = follow(system, 1.0, way(0.0, 1.0));
  EXPECT_EQ(run.end.status, BranchStatus::reached_end);  // the fold itself is the end
  EXPECT_TRUE(run.points.back().fold);
  // At (1, 0) du/dp = 0: the size of u is 1, and so is the range; a quarter of the unit circle. Each step of angle a
  // is a cubic off by a^4 at most, of which the length sees the square and the error of its own slope.
  EXPECT_NEAR(run.points.back().s, std::numbers::pi / 2.0, 1e-6);
}

TEST(Continuation, CubicBetweenThePointsIsFourthOrder) {
  ScalarFamily system = circle();
  const Trace run = follow(system, 1.0, way(0.0, 2.0));
  for (std::size_t i = 1; i < run.points.size(); ++i) {
    const BranchPoint &a = run.points[i - 1], &b = run.points[i];
    const double angle = std::abs(std::atan2(a.x[1], a.x[0]) - std::atan2(b.x[1], b.x[0]));
    const std::vector<double> middle = between(a, b, b.s - a.s, 0.5);
    // angle^4/384 on the circle; the range of p is 2 and the size of u 1, so that angles are up to twice as large.
    EXPECT_NEAR(std::hypot(middle[0], middle[1]), 1.0, std::pow(2.0 * angle, 4) / 384.0 + 1e-13);
  }
}

TEST(Continuation, NaturalStopsAtTheFold) {
  ScalarFamily system = circle();
  const Trace run = follow(system, 1.0, way(0.0, 2.0, false));
  EXPECT_EQ(run.end.status, BranchStatus::step_failed);
  EXPECT_NEAR(run.end.parameter, 1.0, 1e-6);
  EXPECT_LT(run.end.parameter, 1.0);
  for (const BranchPoint& point : run.points) EXPECT_GE(point.x[0], 0.0);  // never on the other half
}

// p = u^3 - 3u: folds at u = -1 (p = 2) and u = 1 (p = -2), the classic S.
TEST(Continuation, BothFoldsOfAnS) {
  ScalarFamily system([](double u, double p) { return u * u * u - 3.0 * u - p; },
                      [](double u, double) { return 3.0 * u * u - 3.0; }, [](double, double) { return -1.0; });
  const Trace run = follow(system, -2.5, way(-4.0, 4.0));
  EXPECT_EQ(run.end.status, BranchStatus::reached_end);
  EXPECT_EQ(run.points.back().x[1], 4.0);
  const std::vector<BranchPoint> folds = run.folds();
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_NEAR(folds[0].x[1], 2.0, 1e-13);
  EXPECT_NEAR(folds[0].x[0], -1.0, 1e-8);
  EXPECT_NEAR(folds[1].x[1], -2.0, 1e-13);
  EXPECT_NEAR(folds[1].x[0], 1.0, 1e-8);
  expect_ordered(run);
}

TEST(Continuation, TheFirstCrossingOfTheEndCounts) {
  ScalarFamily system([](double u, double p) { return u * u * u - 3.0 * u - p; },
                      [](double u, double) { return 3.0 * u * u - 3.0; }, [](double, double) { return -1.0; });
  const Trace run = follow(system, -2.5, way(-4.0, 1.9999));  // just below the fold
  EXPECT_EQ(run.end.status, BranchStatus::reached_end);
  EXPECT_EQ(run.points.back().x[1], 1.9999);
  EXPECT_LT(run.points.back().x[0], -1.0);  // before the fold, not behind it
}

TEST(Continuation, ImperfectPitchforkHasNoFold) {
  for (const double e : {1e-1, 1e-3}) {
    ScalarFamily system = pitchfork(e);
    const Trace run = follow(system, -e, way(-1.0, 1.0));
    EXPECT_EQ(run.end.status, BranchStatus::reached_end);
    EXPECT_TRUE(run.folds().empty());
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      const double u = run.u(i), p = run.p(i);
      EXPECT_NEAR(u * u * u - p * u, e, 1e-12);
      EXPECT_GT(u * e, 0.0);  // stays on its own half
    }
    EXPECT_GT(run.points.back().x[0], 1.0);
  }
}

// The straight branch goes through the bifurcation at p = 0, where the corrector's matrix is singular.
TEST(Continuation, PerfectPitchforkIsPassed) {
  ScalarFamily system = pitchfork(0.0);
  const Trace run = follow(system, 0.0, way(-1.0, 1.0));
  EXPECT_EQ(run.end.status, BranchStatus::reached_end);
  for (std::size_t i = 0; i < run.points.size(); ++i) EXPECT_EQ(run.u(i), 0.0);
}

// u = p + |p|/2: the branch has a corner, whose tangents differ however small the step.
TEST(Continuation, CornerIsPassed) {
  ScalarFamily system([](double u, double p) { return u - p - std::abs(p) / 2.0; }, [](double, double) { return 1.0; },
                      [](double, double p) { return p < 0.0 ? -0.5 : -1.5; });
  const Trace run = follow(system, -0.5, way(-1.0, 1.1));
  EXPECT_EQ(run.end.status, BranchStatus::reached_end);
  EXPECT_NEAR(run.points.back().x[0], 1.65, 1e-14);
}

TEST(Continuation, PointLimit) {
  ScalarFamily system = circle();
  BranchSettings settings = way(0.0, 2.0);
  settings.max_points = 5;
  const Trace run = follow(system, 1.0, settings);
  EXPECT_EQ(run.end.status, BranchStatus::point_limit);
  EXPECT_EQ(run.points.size(), 5u);
}

TEST(Continuation, FirstStepAsGiven) {
  ScalarFamily system = circle();
  BranchSettings settings = way(0.0, 0.9);
  settings.first_step = 0.02;
  const Trace run = follow(system, 1.0, settings);
  // The prediction has p = 0.02; the correction is across the tangent, which is along p at (1, 0).
  EXPECT_NEAR(run.p(1), 0.02, 1e-13);
}

TEST(Continuation, NoFirstPoint) {
  ScalarFamily system = circle();
  const Trace run = follow(system, 1.0, way(2.0, 3.0));  // no real u there
  EXPECT_EQ(run.end.status, BranchStatus::first_failed);
  EXPECT_FALSE(succeeded(run.end.newton));
  EXPECT_TRUE(run.points.empty());
}

TEST(Continuation, SingularFirstPoint) {
  ScalarFamily system([](double u, double p) { return u * u - p; }, [](double u, double) { return 2.0 * u; },
                      [](double, double) { return -1.0; });
  const Trace run = follow(system, 0.0, way(0.0, 1.0));  // starts on the fold
  EXPECT_EQ(run.end.status, BranchStatus::first_failed);
  EXPECT_EQ(run.end.newton, NewtonStatus::singular);
}

TEST(Continuation, NotFinite) {
  ScalarFamily system([](double u, double p) { return u - std::sqrt(p); }, [](double, double) { return 1.0; },
                      [](double, double p) { return -0.5 / std::sqrt(p); });
  const Trace run = follow(system, 1.0, way(1.0, -1.0));  // u = sqrt(p) ends at p = 0
  EXPECT_EQ(run.end.status, BranchStatus::step_failed);
  EXPECT_GT(run.points.size(), 3u);
  EXPECT_GE(run.end.parameter, 0.0);
}

TEST(Continuation, Interrupted) {
  ScalarFamily system = circle();
  int asked = 0;
  const Trace run = follow(system, 1.0, way(0.0, 2.0), [&] { return ++asked > 12; });
  EXPECT_EQ(run.end.status, BranchStatus::interrupted);
  EXPECT_GE(run.points.size(), 2u);
}

// Fields of very different sizes weigh the same; one that is and stays zero takes the largest size.
TEST(BranchMetric, SizesOfFields) {
  const BranchUnknowns unknowns{3, {1.0, 0.5, 1.0, 0.0}, {0, 0, 1, 0}};
  const std::vector<double> x = {300.0, 0.0, 0.0, 2.0}, slope = {1.0, 2.0, 0.0, 1.0};
  const BranchMetric metric(unknowns, x, slope, 10.0);
  EXPECT_EQ(metric.sizes(), (std::vector<double>{300.0, 300.0, 300.0, 10.0}));
  const std::vector<double> v = {300.0, 600.0, 0.0, 10.0};
  EXPECT_NEAR(metric.norm(v), std::sqrt(1.0 + 0.5 * 4.0 + 1.0), 1e-15);
}

}  // namespace
}  // namespace gwrm::continuation_test
