// Corners of steady problems where the data of sides do not fit together: where they are, how subdomains are graded
// toward them, and what is not judged.
#include "problems/time_spectral/side_corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/run_case.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/left_out_values.hpp"

namespace gwrm::side_corners_test {
namespace {

using test::run_case;
using test::value_at;

std::string square(const std::string& boundary, const std::string& extra = "resolution: {tolerance: 1.0e-6}\n") {
  return "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [f]\nequations: [\"lap(f) = 0\"]\nboundary: [" + boundary + "]\n" +
         extra;
}
const std::string kLid = "\"f(x=0) = 0\", \"f(x=1) = 0\", \"f(y=0) = 0\", \"f(y=1) = -1\"";
const std::string kPart =
    "\"f(x=0) = 0\", \"f(x=1) = 0\", \"f(y=1) = 0\", \"step(0.5 - x)*(f(y=0) - sin(2*pi*x)) + step(x - 0.5)*dy(f)(y=0) "
    "= 0\"";

struct Found {
  Case the_case;
  Model model;
  std::vector<SideCorner> corners;
  explicit Found(const std::string& yaml)
      : the_case(read_case_text(yaml, "test.yaml")),
        model(graded_toward_corners(the_case, with_edges_at_features(the_case, build_model(the_case)))),
        corners(side_corners(the_case, model)) {}
  int axis(const std::string& name) const {
    return static_cast<int>(
        std::find_if(model.axes.begin(), model.axes.end(), [&](const Axis& axis) { return axis.name == name; }) -
        model.axes.begin());
  }
};

TEST(SideCorners, WhereValuesOfTwoSidesDiffer) {
  const Found found(square(kLid));
  ASSERT_EQ(found.corners.size(), 2u);
  for (const SideCorner& corner : found.corners) {
    const std::size_t y = corner.axes[0] == found.axis("y") ? 0 : 1;
    EXPECT_EQ(corner.places[y], 1.0);
    EXPECT_EQ(corner.what, "f jumps by 1");
  }
  EXPECT_NE(found.corners[0].places, found.corners[1].places);
}

TEST(SideCorners, WhereTheKindOfConditionChanges) {
  const Found found(square(kPart));
  ASSERT_EQ(found.corners.size(), 1u);
  const std::size_t x = found.corners.front().axes[0] == found.axis("x") ? 0 : 1;
  EXPECT_NEAR(found.corners.front().places[x], 0.5, 1e-15);
  EXPECT_EQ(found.corners.front().places[1 - x], 0.0);
}

TEST(SideCorners, NoneWhereDataAgree) {
  for (const std::string conditions :
       {"\"f(x=0) = y\", \"f(x=1) = 1 + y\", \"f(y=0) = x\", \"f(y=1) = 1 + x\"",
        "\"dx(f)(x=0) = 0\", \"f(x=1) = 0\", \"f(y=0) = 0\", \"f(y=1) = 1 - x\"",
        "\"f(x=0) = 0\", \"f(x=1) = 0\", \"f(y=0) = abs(x - 0.5) - 0.5\", \"f(y=1) = 0\""})
    EXPECT_TRUE(Found(square(conditions)).corners.empty()) << conditions;
  EXPECT_TRUE(Found(square(kLid, "resolution: {degree: {x: 8, y: 8}}\n")).corners.empty());
}

TEST(SideCorners, SubdomainsBecomeShortTowardThem) {
  const Found found(square(kPart));
  const std::vector<double>& x = found.model.subdomains[static_cast<std::size_t>(found.axis("x"))].edges;
  const std::vector<double>& y = found.model.subdomains[static_cast<std::size_t>(found.axis("y"))].edges;
  const auto middle = static_cast<std::size_t>(
      std::min_element(x.begin(), x.end(), [](double a, double b) { return std::abs(a - 0.5) < std::abs(b - 0.5); }) -
      x.begin());
  EXPECT_LT(x[middle + 1] - x[middle], 1e-5);
  EXPECT_NEAR((x[middle + 2] - x[middle]) / (x[middle + 1] - x[middle]), 1.0 / 0.15, 1e-6);
  EXPECT_LT(y[1], 1e-5);
  EXPECT_NEAR(y[2] / y[1], 1.0 / 0.15, 1e-6);
  const std::vector<LeftOut> left_out = left_out_of(found.corners, found.model.subdomains);
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_LT(left_out.front().width, 0.003);
  EXPECT_GT(left_out.front().width, 100.0 * y[1]);
  const std::vector<AxisDescription> more = with_another_level(found.corners, found.model.subdomains);
  EXPECT_NEAR(more[static_cast<std::size_t>(found.axis("y"))].edges[1] / y[1], 0.15, 1e-6);
  EXPECT_EQ(more[static_cast<std::size_t>(found.axis("x"))].edges.size(), x.size() + 2);
}

TEST(LeftOutCorners, CountAsZero) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<LeftOut> corners{{-infinite, infinite, 0, 1.0, 0.1, "u jumps", "", 1, 0.0}};
  Array both({2, 3}, 1.0), side({1, 3}, 1.0);
  const std::vector<std::vector<double>> points{{0.5, 0.95}, {0.05, 0.2, 0.9}};
  leave_out_corners(corners, points, both);
  leave_out_corners(corners, points, side);
  EXPECT_EQ(both.data, (std::vector<double>{1.0, 1.0, 1.0, 0.0, 1.0, 1.0}));
  EXPECT_EQ(side.data, (std::vector<double>{0.0, 1.0, 1.0}));
}

// A square with one side at -1: the middle has a quarter of it.
TEST(SideCorners, AJumpOfValues) {
  const RunOutcome outcome = run_case(square(kLid));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_EQ(outcome.report.verification.left_out.size(), 2u);
  EXPECT_NEAR(value_at(outcome.solution, "f", {{"x", 0.5}, {"y", 0.5}}), -0.25, 1e-6);
}

// Re sqrt(x - 1/2 + i y) on part of a side, with the derivative zero on the other.
TEST(SideCorners, HalfASideInsulated) {
  const RunOutcome outcome = run_case(square(
      "\"f(x=0) = y/sqrt(2*(sqrt(0.25 + y^2) + 0.5))\", \"f(x=1) = sqrt(0.5*(sqrt(0.25 + y^2) + 0.5))\", \"f(y=1) "
      "= sqrt(0.5*(sqrt((x - 0.5)^2 + 1) + x - 0.5))\", \"step(0.5 - x)*f(y=0) + step(x - 0.5)*dy(f)(y=0) = 0\""));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  ASSERT_EQ(outcome.report.verification.left_out.size(), 1u);
  for (const double x : {0.2, 0.45, 0.51, 0.7})
    for (const double y : {0.02, 0.5}) {
      const double exact = std::sqrt(0.5 * (std::hypot(x - 0.5, y) + x - 0.5));
      EXPECT_NEAR(value_at(outcome.solution, "f", {{"x", x}, {"y", y}}), exact, 1e-6) << x << " " << y;
    }
}

}  // namespace
}  // namespace gwrm::side_corners_test
