// Ill-posed problems have answers of any size at any resolution, whose residuals are small: the estimated error fails
// them. What grows by its equations passes.
#include <algorithm>

#include "problems/journal_test.hpp"

namespace gwrm::ill_posed_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;

// The condition stands where the solution leaves.
const std::string kOutflow = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 12, x: 10}, domains: {t: 1}}
)yaml";

// The largest estimated error of any unknown.
double estimated_error(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.report.verification.estimate.status, ErrorEstimate::Status::made);
  double largest = 0.0;
  for (const FieldError& error : outcome.report.verification.estimate.fields)
    largest = std::max(largest, error.total());
  return largest;
}

// There is an answer, and nothing of it is right.
void expect_all_lost(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_TRUE(outcome.complete);
  EXPECT_GT(estimated_error(outcome), 1.0);
}

void expect_passes(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

TEST(IllPosed, OfAConditionAtTheOutflowEndFails) {
  const RunOutcome outcome = run_case(kOutflow);
  expect_all_lost(outcome);
  expect_holds(outcome.report.reason, "the estimated error of u is ");
  expect_holds(outcome.report.reason, "the accuracy is lost from t = 0.");
  expect_holds(outcome.report.reason, "a boundary condition at the end where characteristics leave");
}

TEST(IllPosed, OfAConditionAtTheOutflowEndFailsInSeveralWindows) {
  const std::string fine = replaced(replaced(kOutflow, "x: 10}", "x: 16}"), "domains: {t: 1}", "domains: {t: 4}");
  expect_all_lost(run_case(fine));
  expect_all_lost(run_case(fine + "output: {coefficients: none}\n"));
}

class IllPosedAfterARestart : public test::JournalTest {};

// What was solved before the interruption is compared too.
TEST_F(IllPosedAfterARestart, Fails) {
  const std::string fine = replaced(replaced(kOutflow, "x: 10}", "x: 16}"), "domains: {t: 1}", "domains: {t: 4}");
  for (int k : {1, 3}) {
    ASSERT_EQ(interrupted_after(fine, k).status, ExitStatus::interrupted);
    RunOutcome rest = continued(fine);
    expect_all_lost(rest);
    remove_journal(rest.journal);
  }
}

TEST(IllPosed, OfSmoothDataWithAConditionAtTheOutflowEndFails) {
  expect_all_lost(run_case(replaced(replaced(kOutflow, "sin(pi*x)", "cos(x)"), "u(x=1) = 0", "u(x=1) = cos(1 + t)")));
}

// What leaves is no larger than 1; the rounding of the pulse has grown to 35 when the run ends.
TEST(IllPosed, OfRoundingFails) {
  expect_all_lost(run_case(R"yaml(
domain: {t: [0, 0.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "exp(-60*(x - 0.4)^2)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 12, x: 32}}
)yaml"));
}

TEST(IllPosed, OfAWaveWithBothConditionsAtOneEndFails) {
  expect_all_lost(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(v)", "dt(v) = dx(u)"]
initial: {u: "sin(pi*x)^2", v: "0"}
boundary: ["u(x=0) = 0", "v(x=0) = 0"]
resolution: {degree: {t: 12, x: 16}}
)yaml"));
}

// In one long window the fast modes are damped: the answer is 0.26 exp(pi^2 t) sin(pi x) and looks harmless.
TEST(IllPosed, OfBackwardDiffusionFails) {
  const std::string backward = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 16}}
)yaml";
  expect_all_lost(run_case(backward));
  expect_all_lost(run_case(replaced(replaced(backward, "-dx(u,2)", "-dx(u,2) + 1"), "x*(1 - x)", "0")));
}

// Windows follow what grows, and space refines what rounding has become.
TEST(IllPosed, OfBackwardDiffusionFailsInAnAutomaticRun) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1.0e-4}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "grow at the rate ");
  expect_holds(outcome.report.reason, "diffusion of the wrong sign");
}

// Solved directly: on its way to 1e7 the iteration for it ends at the rounding of some BLAS kernels, and the run then
// takes shorter windows, in which more fails than the growth.
TEST(IllPosed, OfAnInitialValueProblemForLaplacesEquationFails) {
  expect_all_lost(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = -dx(u,2)"]
initial: {u: "exp(-20*(x - 0.5)^2)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 20, x: 24}}
solver: {linear: dense}
)yaml"));
}

TEST(IllPosed, OfAConditionAtTheOutflowEndFailsForAParameter) {
  expect_all_lost(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1], c: [1.0, 1.01]}
unknowns: [u]
equations: ["dt(u) + c*dx(u) = 0"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 14, x: 10, c: 4}}
)yaml"));
}

TEST(IllPosed, ThatFailsOtherwiseIsNamedToo) {
  const RunOutcome outcome = run_case(replaced(kOutflow, "x: 10}", "x: 24}"));
  expect_all_lost(outcome);
  expect_holds(outcome.report.reason, "where characteristics leave");
}

// exp(50) = 5e21.
TEST(IllPosed, OfTheEquationsPasses) {
  const std::string advected = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 50*u"]
initial: {u: "exp(-x)"}
boundary: ["u(x=0) = exp(51*t)"]
exact: {u: "exp(51*t - x)"}
resolution: {degree: {t: 16, x: 12}, domains: {t: 10}}
)yaml";
  expect_passes(run_case(advected));
  expect_passes(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + (50 + pi^2)*u"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(50*t)*sin(pi*x)"}
resolution: {degree: {t: 20, x: 16}, domains: {t: 10}}
)yaml"));
}

// From 1e-6 to 1, where it stays.
TEST(IllPosed, ThatSaturatesPasses) {
  expect_passes(run_case(R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.01*dx(u,2) + 20*u*(1 - u)"]
initial: {u: "1e-6*(2 + cos(pi*x))"}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"]
resolution: {degree: {t: 12, x: 20}, domains: {t: 20}}
)yaml"));
}

// Near the time at which it becomes infinite.
TEST(IllPosed, ToInfinityPasses) {
  expect_passes(run_case(R"yaml(
domain: {t: [0, 0.99], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = u^2"]
initial: {u: "1"}
boundary: ["u(x=0) = u(x=1)"]
resolution: {tolerance: 1.0e-6}
)yaml"));
}

// Growth by ten and more that the equations have: parabolic ones, a factor u, coupling by highest derivatives, sources
// and walls that start from zero.
TEST(IllPosed, IsNotWhatGrowsByItself) {
  const std::string heat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = (1 + x)*dx(u,2) + 17.2*u"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 14, x: 20}, domains: {t: 4}}
verification: {tolerance: 1.0e-4}
)yaml";
  expect_passes(run_case(heat));
  expect_passes(run_case(replaced(heat, "17.2", "30")));
  expect_passes(run_case(replaced(heat, "(1 + x)*dx(u,2)", "(1 + x + 0.01*u)*dx(u,2)")));
  expect_passes(run_case(replaced(heat, "(1 + x)*dx(u,2)", "dx((1 + x)*dx(u)) - dx(u)")));
  const std::string from_zero = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + 1000*sin(pi*x)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 14, x: 16}}
)yaml";
  expect_passes(run_case(from_zero));
  expect_passes(run_case(R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 50*u"]
initial: {u: "1"}
exact: {u: "exp(50*t)"}
resolution: {degree: {t: 16}, domains: {t: 10}}
)yaml"));
}

}  // namespace
}  // namespace gwrm::ill_posed_test
