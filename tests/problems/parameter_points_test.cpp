// Values of parameters at which the error is estimated: between the points of the run, where its series are largest.
#include "problems/time_spectral/parameter_points.hpp"

#include <fmt/format.h>

#include "problems/run_case.hpp"

namespace gwrm::parameter_points_test {
namespace {

using test::run_case;

Model model_of(const std::string& yaml) {
  return build_model(read_case_text(yaml, "test.yaml"));
}

std::string peak(int degree) {
  return fmt::format(R"yaml(
domain: {{a: [0, 1]}}
unknowns: [u]
equations: ["(1 + 1000*(a - 0.23)^2)*u = 1"]
resolution: {{degree: {{a: {}}}}}
verification: {{tolerance: 1.0e-3}}
)yaml",
                     degree);
}

// The values of f at all points of the run, as a window has them.
template <class F>
MarchWindow window_of(const Model& model, F f) {
  MarchWindow window;
  window.subdomains = model.subdomains;
  for (const std::vector<double>& point : parameter_points(model)) {
    window.fields.emplace_back();
    Array value(Shape(model.axes.size(), 1));
    value.data[0] = f(point);
    window.fields.back().push_back(std::move(value));
  }
  return window;
}

double distance_to_points(const Model& model, double a) {
  double least = 1.0;
  for (const std::vector<double>& point : parameter_points(model)) least = std::min(least, std::abs(point[0] - a));
  return least;
}

TEST(ParameterPoints, TheEstimateIsMadeWhereTheSeriesEndsBadly) {
  const Model model = model_of(peak(60));
  const auto f = [](const std::vector<double>& z) { return 1.0 / (1.0 + 1000.0 * (z[0] - 0.23) * (z[0] - 0.23)); };
  const MarchWindow window = window_of(model, f);
  const std::vector<std::vector<double>> without = points_between(model), with = points_between(model, &window);
  ASSERT_EQ(without.size(), 3u);
  ASSERT_EQ(with.size(), 8u);
  const MarchWindow between = interpolated(window, [&] {
    std::vector<std::vector<double>> weights;
    for (const std::vector<double>& point : with) weights.push_back(interpolation_weights(model, point));
    return weights;
  }());
  const auto error_at = [&](std::size_t i) { return std::abs(between.fields[i][0].data[0] - f(with[i])); };
  double found = 0.0, before = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    (i < 3 ? before : found) = std::max(i < 3 ? before : found, error_at(i));
    if (i < 3) continue;
    EXPECT_GT(distance_to_points(model, with[i][0]), 1e-3) << with[i][0];
    EXPECT_NEAR(with[i][0], 0.23, 0.15);
  }
  for (int i = 0; i <= 4000; ++i) {
    const std::vector<double> z{i / 4000.0};
    const std::vector<double> weights = interpolation_weights(model, z);
    largest = std::max(largest, std::abs(interpolated(window, {weights}).fields[0][0].data[0] - f(z)));
  }
  EXPECT_GT(found, 0.5 * largest);
  EXPECT_LE(found, largest * 1.001);
  EXPECT_LT(before, 0.5 * largest);  // why it is done
}

TEST(ParameterPoints, FourMiddlesOfSeveralParameters) {
  const Model model = model_of(R"yaml(
domain: {a: [0, 1], b: [0, 1]}
unknowns: [u]
equations: ["(1 + a + b)*u = 1"]
resolution: {degree: {a: 12, b: 12}}
)yaml");
  const MarchWindow window = window_of(model, [](const std::vector<double>& z) {
    return 1.0 / (1.0 + 100.0 * (std::pow(z[0] - 0.25, 2) + std::pow(z[1] - 0.75, 2)));
  });
  const std::vector<std::vector<double>> points = points_between(model, &window);
  ASSERT_EQ(points.size(), points_between(model).size() + 4);
  for (std::size_t i = points.size() - 4; i < points.size(); ++i) {
    EXPECT_NEAR(points[i][0], 0.25, 0.35);
    EXPECT_NEAR(points[i][1], 0.75, 0.35);
  }
}

TEST(ParameterPoints, VerdictsOfPeaksAreRight) {
  EXPECT_EQ(run_case(peak(60)).status, ExitStatus::unresolved);  // errs by 1e-2
  EXPECT_EQ(run_case(peak(150)).status, ExitStatus::converged);  // 2e-5
  const std::string two = R"yaml(
domain: {a: [0, 1], b: [0, 1]}
unknowns: [u]
equations: ["(1 + 100*((a - 0.25)^2 + (b - 0.75)^2))*u = 1"]
resolution: {degree: {a: 28, b: 28}}
verification: {tolerance: 1.0e-3}
)yaml";
  const RunOutcome outcome = run_case(two);  // errs by 3.7e-3
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_GT(outcome.report.verification.estimate.fields.at(0).largest, 2e-3);
  EXPECT_EQ(run_case(test::replaced(two, "{a: 28, b: 28}", "{a: 44, b: 44}")).status, ExitStatus::converged);
}

}  // namespace
}  // namespace gwrm::parameter_points_test
