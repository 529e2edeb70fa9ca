// Convergence studies from the case to the law (problems/convergence/study.hpp).
#include "problems/convergence/study.hpp"

#include "run_case.hpp"

namespace gwrm::study_test {
namespace {

ConvergenceStudy study_of(const std::string& yaml, int n_threads = 2) {
  const ReadAgain read = [&](const std::vector<Override>& changes) {
    return read_case_text(yaml, "test.yaml", changes);
  };
  const Case base = read({});
  Team alone;
  return run_study(alone, problem_modules(), base, plan_study(problem_modules(), base, read),
                   {BackendChoice::cpu, n_threads}, {});
}

std::string message_of(const std::string& yaml) {
  try {
    study_of(yaml);
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

const std::string kHeat = R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "START"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 4}}
convergence: {vary: {x: [6, 8, 10, 12, 16, 20, 24], t: [6, 8, 10, 12, 16, 20, 24]}}
)yaml";
const std::string kSmooth = test::replaced(kHeat, "START", "sin(pi*x)");
const std::string kParabola = test::replaced(kHeat, "START", "x*(1 - x)");

TEST(Study, SmoothDataConvergeExponentially) {
  const ConvergenceStudy study = study_of(kSmooth + "exact: {u: \"sin(pi*x)*exp(-pi^2*t)\"}\n");
  EXPECT_EQ(study.measure, "error_max");
  EXPECT_EQ(study.law, "exponential") << study.statement;
  EXPECT_GT(study.exponential.rate, 1.0);
  EXPECT_TRUE(study.floor_is_rounding);
  test::expect_holds(study.reason, "agree in the corners");
  EXPECT_EQ(status_of(study), ExitStatus::converged);  // that coarse runs miss their tolerance is no failure
}

TEST(Study, DataThatClashConvergeAlgebraicallyAndItSaysWhy) {
  // The last run much finer than the others, so that the difference to it is their error.
  const ConvergenceStudy study =
      study_of(test::replaced(kParabola, "x: [6, 8, 10, 12, 16, 20, 24], t: [6, 8, 10, 12, 16, 20, 24]",
                              "x: [6, 8, 12, 16, 24, 32, 64], t: [6, 8, 12, 16, 24, 32, 64]"));
  EXPECT_EQ(study.measure, "self_max");
  EXPECT_TRUE(study.levels.back().is_reference);
  EXPECT_EQ(study.law, "algebraic") << study.statement;
  test::expect_holds(study.reason, "incompatible in a corner");
  test::expect_holds(study.reason, "u(x=0) = 0");
}

// Velocity and pressure of Kovasznay's flow: the errors of u, v and p fall together at every step, so that no level is
// lost to the pressure's mean or to a mode that the velocities do not see.
TEST(Study, FlowsConvergeExponentially) {
  const ConvergenceStudy study = study_of(R"yaml(
domain: {x: [-0.5, 1], y: [-0.5, 0.5]}
constants: {Re: 40, a: "Re/2 - sqrt(Re^2/4 + 4*pi^2)"}
unknowns: [u, v, p]
equations:
  - "u*dx(u) + v*dy(u) = -dx(p) + lap(u)/Re"
  - "u*dx(v) + v*dy(v) = -dy(p) + lap(v)/Re"
  - "dx(u) + dy(v) = 0"
boundary:
  - "u(x=-0.5) = 1 - exp(-0.5*a)*cos(2*pi*y)"
  - "v(x=-0.5) = a/(2*pi)*exp(-0.5*a)*sin(2*pi*y)"
  - "-p(x=1) + dx(u)(x=1)/Re = exp(2*a)/2 - a*exp(a)*cos(2*pi*y)/Re"
  - "dx(v)(x=1)/Re = a^2/(2*pi)*exp(a)*sin(2*pi*y)/Re"
  - "u(y=-0.5) = 1 + exp(a*x)"
  - "v(y=-0.5) = 0"
  - "u(y=0.5) = 1 + exp(a*x)"
  - "v(y=0.5) = 0"
exact: {u: "1 - exp(a*x)*cos(2*pi*y)", v: "a/(2*pi)*exp(a*x)*sin(2*pi*y)", p: "-exp(2*a*x)/2"}
resolution: {degree: {x: 8, y: 8}}
convergence: {vary: {x: [8, 10, 12, 14, 16], y: [8, 10, 12, 14, 16]}}
)yaml");
  EXPECT_EQ(study.measure, "error_max");
  EXPECT_EQ(study.law, "exponential") << study.statement;
  for (std::size_t i = 1; i < study.levels.size(); ++i)
    EXPECT_LT(study.levels[i].error, 0.2 * study.levels[i - 1].error) << i;
  EXPECT_LT(study.levels.back().error, 1e-8);
}

// The difference to a much finer run is the error itself.
TEST(Study, SelfConvergenceSeesTheErrors) {
  const ConvergenceStudy exact = study_of(kSmooth + "exact: {u: \"sin(pi*x)*exp(-pi^2*t)\"}\n"),
                         self = study_of(kSmooth);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(self.levels[i].error / exact.levels[i].error, 1.0, 0.2) << i;
}

TEST(Study, OneThreadAndManyGiveTheSame) {
  const ConvergenceStudy one = study_of(kSmooth, 1), many = study_of(kSmooth, 4);
  for (std::size_t i = 0; i + 1 < one.levels.size(); ++i) EXPECT_EQ(one.levels[i].error, many.levels[i].error) << i;
}

TEST(Study, AnyKeyMayChangeAndSingleValuesHoldForAll) {
  const ConvergenceStudy study = study_of(test::replaced(
      kSmooth, "vary: {x: [6, 8, 10, 12, 16, 20, 24], t: [6, 8, 10, 12, 16, 20, 24]}",
      "vary: {x: [20], resolution.domains.t: [1, 2, 4, 8], time.weighting: [radau], domain.x: [[0, 1]]}"));
  EXPECT_EQ(study.size_name, "resolution.domains.t");
  EXPECT_EQ(study.keys.size(), 4u);
  EXPECT_EQ(study.law, "algebraic") << study.statement;
  EXPECT_GT(study.algebraic.rate, 3.0);
  test::expect_holds(study.reason, "degrees stay");
}

TEST(Study, WordsAreCountedWhereNothingHasASize) {
  const ConvergenceStudy study =
      study_of(test::replaced(kSmooth, "vary: {x: [6, 8, 10, 12, 16, 20, 24], t: [6, 8, 10, 12, 16, 20, 24]}",
                              "vary: {solver.linear: [averaged, dense]}"));
  EXPECT_EQ(study.size_name, "run");
  EXPECT_EQ(study.levels[1].size, 2.0);
  EXPECT_LT(study.levels[0].error, 1e-12);  // the same discrete solution by another solver
}

// The errors of table 1 of the SBP-SAT paper from an exact solution of the same systems, and its rates, eq. (16).
TEST(Study, TableOneOfTheSbpPaper) {
  const ConvergenceStudy study = study_of(R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {order: 2, intervals: 4, source: "2*pi^2*sin(pi*(x + y))", tau: 13}
boundary: ["u(x=0) = sin(pi*y)", "u(x=1) = -sin(pi*y)", "dy(u)(y=0) = pi*cos(pi*x)", "dy(u)(y=1) = -pi*cos(pi*x)"]
exact: {u: "sin(pi*(x + y))"}
convergence: {vary: {sbp_sat.intervals: [4, 8, 16, 32, 64, 128, 256]}, least_order: 1.95}
)yaml");
  const std::vector<double> table = {3.109914322e-02, 7.086547124e-03, 1.735014887e-03, 4.318775702e-04,
                                     1.078700281e-04, 2.696196037e-05, 6.740166176e-06};
  ASSERT_EQ(study.levels.size(), table.size());
  EXPECT_EQ(study.measure, "error_h");
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_NEAR(study.levels[i].error / table[i], 1.0, 5e-10) << i;
  for (std::size_t i = 1; i < table.size(); ++i)
    EXPECT_NEAR(study.levels[i].order, std::log2(table[i - 1] / table[i]), 1e-8) << i;
  EXPECT_EQ(study.law, "algebraic");
  EXPECT_NEAR(study.algebraic.rate, 2.0, 0.02);
  EXPECT_TRUE(study.passed);
  test::expect_holds(study.reason, "finite differences of order 2");
}

// Tables I and II of the paper on recurrences, column A1D, all printed digits of the first rows (2^20; the rows of 2^22
// and on take longer: tests/cases/converge.py).
TEST(Study, TableOneOfTheRecurrencePaper) {
  const ConvergenceStudy study = study_of(R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 8, source: "pi^2/4*cos(pi/2*x)"}
exact: {u: "cos(pi/2*x)"}
convergence: {vary: {x: [2^16, 2^18, 2^20], recurrence.algorithm: [a1d]}}
)yaml");
  EXPECT_EQ(study.measure, "error_l2");
  EXPECT_NEAR(study.levels[2].error, 1.930917e-13, 0.5e-19);
  EXPECT_NEAR(study.levels[1].order, 2.0, 0.01);
}

TEST(Study, GridsAreComparedAtTheirCommonPoints) {
  const std::string bvp = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 8, source: "exp(x)"}
convergence: {vary: {x: [16, 32, 64, 1024]}}
)yaml";
  EXPECT_NEAR(study_of(bvp).algebraic.rate, 2.0, 0.02);
  // 17 and 31 intervals share the ends with 1024 and nothing else.
  test::expect_holds(message_of(test::replaced(bvp, "16, 32, 64, 1024", "17, 31, 64, 1024")), "points in common");
}

TEST(Study, ARateThatIsMissedIsStatusSix) {
  const ConvergenceStudy study = study_of(kSmooth + "exact: {u: \"sin(pi*x)*exp(-pi^2*t)\"}\n");
  ConvergenceStudy asked = study;
  asked.least_rate = 100.0;
  EXPECT_EQ(status_of(study), ExitStatus::converged);
  const ConvergenceStudy missed = study_of(test::replaced(kSmooth, "24]}}", "24]}, least_rate: 100}"));
  EXPECT_FALSE(missed.passed);
  EXPECT_EQ(status_of(missed), ExitStatus::unresolved);
  test::expect_holds(missed.verdict, "FAIL");
}

TEST(Study, ARunThatFailsIsALevelWithoutError) {
  const ConvergenceStudy study = study_of(R"yaml(
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 12}}
convergence: {vary: {x: [8, 12, 16], constants.lam: [1, 20, 1]}}
)yaml");
  EXPECT_TRUE(std::isnan(study.levels[1].error));
  EXPECT_EQ(study.levels[1].exit_status, 3);
  EXPECT_EQ(status_of(study), ExitStatus::not_converged);
}

TEST(Study, WhatCannotBeStudiedIsRefused) {
  test::expect_holds(message_of(test::replaced(kSmooth, "convergence: {vary", "convergence: {} #")), "nothing to vary");
  test::expect_holds(message_of(test::replaced(kSmooth, "t: [6, 8, 10, 12, 16, 20, 24]}}", "t: [6, 8]}}")),
                     "same length");
  test::expect_holds(message_of(test::replaced(kSmooth, "t: [6, 8, 10,", "resolution.degre.t: [6, 8, 10,")),
                     "is no key");
  test::expect_holds(message_of(test::replaced(kSmooth, "24]}}", "24]}, measure: error_max}")),
                     "need the section `exact`");
  test::expect_holds(message_of(test::replaced(kSmooth, "24]}}", "24]}, measure: value}")), "verification.values");
}

}  // namespace
}  // namespace gwrm::study_test
