// verification: {estimate: budget}: where the error comes from, and how much perturbations of the initial values grow.
#include <cmath>

#include "run_case.hpp"

namespace gwrm::error_budget_test {
namespace {

ErrorBudgetParts budget_of(const RunOutcome& outcome) {
  EXPECT_TRUE(outcome.report.verification.estimate.budget.has_value()) << outcome.report.reason;
  return outcome.report.verification.estimate.budget.value_or(ErrorBudgetParts());
}

// Of the whole run, in the budget's norm at most.
double largest_error(const RunOutcome& outcome) {
  return outcome.report.verification.estimate.fields.front().largest;
}

std::string heat(const std::string& resolution) {
  return R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x) + 0.2*sin(4*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}
resolution: )yaml" +
         resolution + "\n";
}

TEST(ErrorBudgets, TellWhatSpaceLeavesOut) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2) + t^2*exp(-150*(x - 0.5)^2)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}
resolution: {degree: {t: 8, x: 20}, domains: {t: 10}}
)yaml");
  const ErrorBudgetParts budget = budget_of(outcome);
  EXPECT_GT(budget.space, 100 * budget.time);
  EXPECT_GT(budget.space, 100 * budget.conditions);
  // The root mean square beside the largest.
  EXPECT_LT(budget.space, largest_error(outcome));
  EXPECT_GT(budget.space, 0.1 * largest_error(outcome));
}

TEST(ErrorBudgets, TellWhatTimeLeavesOut) {
  const RunOutcome outcome = test::run_case(heat("{degree: {t: 1, x: 32}, domains: {t: 10}}"));
  const ErrorBudgetParts budget = budget_of(outcome);
  EXPECT_GT(budget.time, 100 * budget.space);
  EXPECT_GT(budget.time, 100 * budget.conditions);
  EXPECT_LT(budget.time, largest_error(outcome));
  EXPECT_GT(budget.time, 0.1 * largest_error(outcome));
}

// A boundary value that swings faster than the nodes in time follow; the equation itself is solved well.
TEST(ErrorBudgets, TellWhatConditionsLeaveOut) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = 0.001*dt(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = sin(20*t)^2", "u(x=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}
resolution: {degree: {t: 4, x: 40}, domains: {t: 4}}
)yaml");
  const ErrorBudgetParts budget = budget_of(outcome);
  EXPECT_GT(budget.conditions, 3 * budget.time);
  EXPECT_GT(budget.conditions, 100 * budget.space);
}

double growth_of(const std::string& yaml) {
  return budget_of(test::run_case(yaml + "verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}\n"))
      .growth;
}

// exp(3) at the end; measured over the last quarter of the last window, whose mean is a little less.
TEST(ErrorBudgets, MeasureExponentialGrowth) {
  const double growth = growth_of(R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 3*u"]
initial: {u: "2"}
resolution: {degree: {t: 8}, domains: {t: 10}}
)yaml");
  EXPECT_LE(growth, std::exp(3.0) * (1 + 1e-6));
  EXPECT_GE(growth, std::exp(3.0) * 0.9);
}

// v grows while u, ten thousand times larger, does not: each counts by its own size.
TEST(ErrorBudgets, MeasureFieldsByTheirSizes) {
  const double growth = growth_of(R"yaml(
domain: {t: [0, 2]}
unknowns: [u, v]
equations: ["dt(u) = -u + 10000", "dt(v) = v - u/20000"]
initial: {u: "10000", v: "1"}
resolution: {degree: {t: 10}, domains: {t: 10}}
)yaml");
  EXPECT_LE(growth, 2.0 * std::exp(2.0));
  EXPECT_GE(growth, 0.5);
}

TEST(ErrorBudgets, MeasureDecay) {
  EXPECT_LE(growth_of(test::replaced(heat("{degree: {t: 8, x: 20}, domains: {t: 10}}"),
                                     "verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}\n", "")),
            1.0);
}

// Steady problems have no initial values. Between points of a parameter stands its interpolation where else time does.
TEST(ErrorBudgets, ServeSteadyProblemsAndParameters) {
  const auto run = [](const std::string& domain, const std::string& degree) {
    return test::run_case("domain: {x: [0, 1]" + domain + R"yaml(}
unknowns: [u]
equations: ["-0.05*dx(u,2) + a*dx(u) = u^2 + 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 100, estimate: budget}
resolution: {degree: {x: )yaml" +
                          degree + "}}\n" + (domain.empty() ? "constants: {a: 1.5}\n" : ""));
  };
  const RunOutcome steady = run("", "12");
  EXPECT_GT(budget_of(steady).space, 0.05 * largest_error(steady));
  EXPECT_LT(budget_of(steady).time, 1e-8 * budget_of(steady).space);
  EXPECT_TRUE(std::isnan(budget_of(steady).growth));
  const RunOutcome with_parameter = run(", a: [1, 2]", "30, a: 1");
  EXPECT_GT(budget_of(with_parameter).time, 100 * budget_of(with_parameter).space);
}

// The estimate is the same with and without it.
TEST(ErrorBudgets, ChangeNoEstimate) {
  const std::string yaml = heat("{degree: {t: 4, x: 16}, domains: {t: 5}}");
  const ErrorEstimate with = test::run_case(yaml).report.verification.estimate;
  const ErrorEstimate without =
      test::run_case(test::replaced(yaml, "estimate: budget", "estimate: on")).report.verification.estimate;
  EXPECT_EQ(with.fields.front().largest, without.fields.front().largest);
  EXPECT_EQ(with.fields.front().at_end, without.fields.front().at_end);
  EXPECT_FALSE(without.budget.has_value());
}

}  // namespace
}  // namespace gwrm::error_budget_test
