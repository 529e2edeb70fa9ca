// output: {error: on}: the estimated error as fields on the output grid, held against the true one.
#include <algorithm>

#include "run_case.hpp"

namespace gwrm::error_fields_test {
namespace {

using test::run_case;

constexpr const char* kHeat = R"yaml(
domain: {t: [0, 0.4], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x) + 0.3*sin(3*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 9}, domains: {t: 3}}
verification: {tolerance: 1, tail: 1}
output:
  error: on
  fields:
    u: "u"
    slope: "dx(u)"
    exact: "exp(-pi^2*t)*sin(pi*x) + 0.3*exp(-9*pi^2*t)*sin(3*pi*x)"
    exact_slope: "pi*exp(-pi^2*t)*cos(pi*x) + 0.9*pi*exp(-9*pi^2*t)*cos(3*pi*x)"
)yaml";

const std::string kBurgers = std::string(test::kMovingFront) + R"yaml(
resolution: {degree: {t: 6, x: 13}, domains: {t: 4}}
verification: {tolerance: 1, tail: 1}
output:
  error: on
  fields: {u: "u", exact: "1 - 0.5*tanh((x - t - 0.3)/(4*nu))"}
)yaml";

const SampledField& field(const RunOutcome& outcome, const std::string& name) {
  for (const SampledField& sampled : outcome.fields)
    if (sampled.name == name) return sampled;
  throw std::runtime_error("no field " + name);
}

// Of the estimate on the grid to |u - exact|: the largest of both, and at the place of the largest true error.
void expect_estimated(const RunOutcome& outcome, const std::string& name, const std::string& exact) {
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  const SampledField& error = field(outcome, name + "_error");
  EXPECT_EQ(error.error_of, name);
  EXPECT_EQ(error.expression, "estimated error of " + name);
  const std::vector<double>&u = field(outcome, name).values.data, &truth = field(outcome, exact).values.data;
  ASSERT_EQ(error.values.shape, field(outcome, name).values.shape);
  double largest = 0.0, largest_estimate = 0.0, there = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    ASSERT_GE(error.values.data[i], 0.0) << i;  // a number everywhere
    largest_estimate = std::max(largest_estimate, error.values.data[i]);
    if (const double e = std::abs(u[i] - truth[i]); e > largest) {
      largest = e;
      there = error.values.data[i];
    }
  }
  EXPECT_GT(largest, 1e-9) << "that would be rounding";
  EXPECT_GE(largest_estimate, 0.7 * largest) << name;
  EXPECT_LE(largest_estimate, 1.6 * largest) << name;
  EXPECT_GE(there, 0.5 * largest) << name;
}

TEST(ErrorFields, OfHeatAreTheTrueErrorsInPlace) {
  const RunOutcome outcome = run_case(kHeat);
  expect_estimated(outcome, "u", "exact");
  expect_estimated(outcome, "slope", "exact_slope");
  for (double e : field(outcome, "exact_error").values.data) EXPECT_EQ(e, 0.0);  // known as it is
}

TEST(ErrorFields, OfBurgersAreTheTrueErrorsInPlace) {
  expect_estimated(run_case(kBurgers), "u", "exact");
}

TEST(ErrorFields, OfParameterPointsLieBetweenThemToo) {
  const std::string yaml = test::replaced(test::replaced(kBurgers, "x: [0, 1]}", "x: [0, 1], a: [0.3, 0.4]}"),
                                          "degree: {t: 6, x: 13}", "degree: {t: 6, x: 13, a: 7}");
  std::string moved = yaml;
  for (std::size_t at; (at = moved.find("- 0.3)")) != std::string::npos;) moved.replace(at, 6, "- a)");
  const RunOutcome outcome = run_case(moved);
  expect_estimated(outcome, "u", "exact");
  EXPECT_EQ(field(outcome, "u_error").axes.size(), 3u);
}

TEST(ErrorFields, AreTheSameWhereWindowsAreDropped) {
  const std::string yaml = test::replaced(kHeat, "domains: {t: 3}", "domains: {t: 40}");
  const RunOutcome all = run_case(yaml),
                   none = run_case(test::replaced(yaml, "error: on", "error: on\n  coefficients: none"));
  EXPECT_EQ(field(all, "u_error").values.data, field(none, "u_error").values.data);
}

TEST(ErrorFields, OfASteadyProblemWithANumber) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u, {name: k, dims: []}]
equations: ["dx(u,2) = k*exp(3*x)", "integral(u, x) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 6}}
verification: {tolerance: 1, tail: 1}
output: {error: on, fields: {exact: "(exp(3*x) - 1 - (exp(3) - 1)*x)/((exp(3) - 1)/3 - 1 - (exp(3) - 1)/2)"}}
)yaml");
  expect_estimated(outcome, "u", "exact");
  const SampledField& error = field(outcome, "k_error");
  EXPECT_TRUE(error.axes.empty());
  const double k = 9.0 / ((std::exp(3.0) - 1) / 3 - 1 - (std::exp(3.0) - 1) / 2);
  const double truth = std::abs(field(outcome, "k").values.data.front() - k);
  EXPECT_GE(error.values.data.front(), 0.5 * truth);
  EXPECT_LE(error.values.data.front(), 2.0 * truth);
}

TEST(ErrorFields, OfOtherTimesAreNotKnown) {
  const RunOutcome outcome =
      run_case(test::replaced(kHeat, "slope: \"dx(u)\"", "slope: \"dx(u)\"\n    total: \"integral(u, t)\""));
  for (double e : field(outcome, "total_error").values.data) EXPECT_TRUE(std::isnan(e));
  expect_estimated(outcome, "u", "exact");
}

TEST(ErrorFields, AreThereOnDemandOnly) {
  const RunOutcome outcome = run_case(test::replaced(kHeat, "error: on", "error: off"));
  EXPECT_EQ(outcome.fields.size(), 4u);
}

std::string refusal(const std::string& yaml) {
  try {
    (void)read_case_text(yaml, "test.yaml");
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

TEST(ErrorFields, AreRefusedWithTheCure) {
  test::expect_holds(refusal(test::replaced(kHeat, "{tolerance: 1,", "{estimate: off, tolerance: 1,")),
                     "errors are not estimated with verification: {estimate: off}");
  test::expect_holds(refusal(test::replaced(kHeat, "slope: \"dx(u)\"", "u_error: \"dx(u)\"")),
                     "stores the error of `u` as `u_error`: choose another name");
}

}  // namespace
}  // namespace gwrm::error_fields_test
