// `goals`: numbers made of the whole solution and their estimated errors, against answers that are known independently.
#include <filesystem>

#include "core/errors.hpp"
#include "output/hdf5_file.hpp"
#include "problems/run_case.hpp"

namespace gwrm::goals_test {
namespace {

using test::find_check;
using test::replaced;
using test::run_case;

Goal goal_of(const RunOutcome& outcome, const std::string& name) {
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  for (const Goal& goal : outcome.report.verification.goals)
    if (goal.name == name) return goal;
  ADD_FAILURE() << "no goal " << name;
  return {};
}

// The estimate is right to a factor of two; `truth` is known to more digits than the run.
void expect_estimated(const RunOutcome& outcome, const std::string& name, double truth) {
  const Goal goal = goal_of(outcome, name);
  const double error = std::abs(goal.value - truth);
  ASSERT_GT(error, 1e-13 * std::abs(truth)) << name << " is right to rounding: take lower degrees";
  EXPECT_GT(goal.error, 0.5 * error) << name;
  EXPECT_LT(goal.error, 2.0 * error) << name;
  EXPECT_EQ(find_check(outcome, "goal", name).passed(),
            1.5 * goal.error <= find_check(outcome, "goal", name).tolerance * std::abs(goal.value));
}

// Two modes that decay.
const std::string kHeat = R"yaml(schema: 1
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x) + 0.2*sin(3*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
goals:
  flux: "integral(dx(u)(x=0), t)"
  energy: "integral(integral(u^2, x), t)"
  late: "u(t=1, x=0.3)"
  norm: "sqrt(integral(u(t=0.5)^2, x))"
resolution: {degree: {t: 4, x: 9}, domains: {t: [0, 0.2, 0.6, 1]}}
)yaml";

TEST(Goals, OfTheHeatEquationByItsModes) {
  const double k1 = 0.1 * M_PI * M_PI, k3 = 9.0 * k1;
  const RunOutcome outcome = run_case(kHeat);
  expect_estimated(outcome, "flux", M_PI * -std::expm1(-k1) / k1 + 0.6 * M_PI * -std::expm1(-k3) / k3);
  expect_estimated(outcome, "energy", 0.25 * -std::expm1(-2 * k1) / k1 + 0.01 * -std::expm1(-2 * k3) / k3);
  expect_estimated(outcome, "late", std::exp(-k1) * std::sin(0.3 * M_PI) + 0.2 * std::exp(-k3) * std::sin(0.9 * M_PI));
  expect_estimated(outcome, "norm", std::sqrt(0.5 * std::exp(-k1) + 0.02 * std::exp(-k3)));
}

TEST(Goals, OfAnEquationThatIsNotLinear) {
  const std::string logistic = R"yaml(schema: 1
domain: {t: [0, 6]}
unknowns: [u]
equations: ["dt(u) = u*(1 - u)"]
initial: {u: "0.01"}
goals: {last: "u(t=6)", mean: "integral(u, t)/6", ratio: "u(t=5)/u(t=2)"}
resolution: {degree: {t: 5}, domains: {t: [0, 2, 4, 6]}}
)yaml";
  const auto u = [](double t) { return 1.0 / (1.0 + 99.0 * std::exp(-t)); };
  const RunOutcome outcome = run_case(logistic);
  expect_estimated(outcome, "last", u(6.0));
  expect_estimated(outcome, "mean", std::log((std::exp(6.0) + 99.0) / 100.0) / 6.0);
  expect_estimated(outcome, "ratio", u(5.0) / u(2.0));
}

TEST(Goals, OfASteadyProblemInTwoDimensions) {
  const std::string torsion = R"yaml(schema: 1
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["-lap(u) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
goals: {moment: "integral(integral(u, x), y)", middle: "u(x=0.5, y=0.5)"}
resolution: {degree: {x: 8, y: 8}}
)yaml";
  // Fourier series of both: 64/pi^6 sum 1/(m^2 n^2 (m^2 + n^2)) and 16/pi^4 sum (+-) 1/(m n (m^2 + n^2)) over odd m, n,
  // the sums over n in closed form.
  double moment = 0.0, middle = 0.0, sign = 1.0;
  for (int m = 1; m < 4000; m += 2, sign = -sign) {
    const double a = 0.5 * M_PI * m;
    moment += (1.0 - std::tanh(a) / a) / std::pow(m, 4);
    middle += sign * (1.0 - 1.0 / std::cosh(a)) / std::pow(m, 3);
  }
  const RunOutcome outcome = run_case(torsion);
  expect_estimated(outcome, "moment", 8.0 / std::pow(M_PI, 4) * moment);
  expect_estimated(outcome, "middle", 4.0 / std::pow(M_PI, 3) * middle);
}

TEST(Goals, AtAParameterThatIsSolvedPointByPoint) {
  const std::string decay = R"yaml(schema: 1
domain: {t: [0, 1], k: [1, 3]}
unknowns: [u]
equations: ["dt(u) = -k*u"]
initial: {u: "1"}
goals: {there: "integral(u(k=1), t)"}
resolution: {degree: {t: 3, k: 12}}
parameters: {method: collocation}
)yaml";
  const RunOutcome outcome = run_case(decay);
  expect_estimated(outcome, "there", -std::expm1(-1.0));
}

TEST(Goals, ThatAreZeroBySymmetryAreRelativeToTheirTerms) {
  const std::string odd = replaced(kHeat, "sin(pi*x) + 0.2*sin(3*pi*x)", "sin(2*pi*x)");
  const RunOutcome outcome = run_case(replaced(odd, "u^2", "u") + "verification: {tolerance: 1.0e-2}\n");
  const Goal energy = goal_of(outcome, "energy");
  EXPECT_LT(std::abs(energy.value), 1e-12);
  EXPECT_GT(energy.size, 0.05);
  EXPECT_TRUE(find_check(outcome, "goal", "energy").passed());
}

// A small difference of large numbers is not as right as these are.
TEST(Goals, AWrongOneFailsWhereTheFieldsPass) {
  const RunOutcome outcome = run_case(replaced(kHeat, "integral(dx(u)(x=0), t)", "integral(dx(u)(x=0), t) - 2.17") +
                                      "verification: {tolerance: 8.0e-3}\n");
  EXPECT_TRUE(find_check(outcome, "estimate", "u").passed());
  EXPECT_FALSE(find_check(outcome, "goal", "flux").passed());
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_NE(outcome.report.reason.find("the goal flux"), std::string::npos) << outcome.report.reason;
}

TEST(Goals, HaveNoErrorWithoutAnEstimate) {
  const RunOutcome outcome = run_case(kHeat + "verification: {estimate: off}\n");
  EXPECT_TRUE(std::isnan(goal_of(outcome, "flux").error));
  for (const Check& check : outcome.report.verification.checks) EXPECT_NE(check.kind, "goal");
}

TEST(Goals, AnAutomaticRunIsRepeatedUntilTheyAreRight) {
  const std::string text = R"yaml(schema: 1
domain: {t: [0, 10]}
unknowns: [u, v]
equations: ["dt(u) = v", "dt(v) = -u"]
initial: {u: "1", v: "0"}
goals: {near_zero: "u(t=pi/2 + 0.001)"}
resolution: {tolerance: 1.0e-6}
)yaml";
  const RunOutcome outcome = run_case(text);
  const Goal goal = goal_of(outcome, "near_zero");
  EXPECT_LT(std::abs(goal.value + std::sin(0.001)), 3e-6 * 0.001);
  EXPECT_TRUE(outcome.report.verification.passed());
}

TEST(Goals, StandInTheFile) {
  const RunOutcome outcome = run_case(kHeat);
  const std::string path = (std::filesystem::temp_directory_path() / "gwrm_goals_test.h5").string();
  write_hdf5(path, outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path);
  std::filesystem::remove(path);
  ASSERT_EQ(stored.report.verification.goals.size(), 4u);
  const Goal &kept = stored.report.verification.goals[0], made = goal_of(outcome, "flux");
  EXPECT_EQ(kept.name, "flux");
  EXPECT_EQ(kept.expression, made.expression);
  EXPECT_EQ(kept.value, made.value);
  EXPECT_EQ(kept.error, made.error);
  EXPECT_EQ(kept.size, made.size);
}

void expect_refused(const std::string& yaml, const std::string& fragment) {
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
    ADD_FAILURE() << "accepted";
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
  }
}

TEST(Goals, WhatIsNoNumberIsRefused) {
  expect_refused(replaced(kHeat, "u(t=1, x=0.3)", "u(t=1)"), "depends on x");
  expect_refused(replaced(kHeat, "u(t=1, x=0.3)", "integral(u, x)"), "depends on t");
  expect_refused(kHeat + "output: {coefficients: none}\n", "coefficients: none");
}

TEST(Goals, BranchesHaveNone) {
  expect_refused(R"yaml(schema: 1
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
continue: {parameter: lam, to: 2}
goals: {middle: "u(x=0.5)"}
resolution: {degree: {x: 12}}
)yaml",
                 "a branch has many");
}

}  // namespace
}  // namespace gwrm::goals_test
