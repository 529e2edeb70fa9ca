// A run that is told to stop when its equations are solved, and its answer is being judged, has no answer.
#include <utility>

#include "problems/run_case.hpp"

namespace gwrm::interruption_test {
namespace {

// The last question whether to stop comes behind the estimate of the error, in every module.
void expect_interrupted_at_the_last_question(const std::string& yaml) {
  int n_asked = 0;
  RunControl control;
  control.interrupted = [&] {
    ++n_asked;
    return false;
  };
  const RunOutcome whole = test::run_case(yaml, control);
  ASSERT_TRUE(whole.complete) << whole.report.reason;
  EXPECT_EQ(whole.report.verification.estimate.status, ErrorEstimate::Status::made);
  const int n_all = std::exchange(n_asked, 0);
  ASSERT_GT(n_all, 0);
  control.interrupted = [&] { return ++n_asked == n_all; };
  const RunOutcome part = test::run_case(yaml, control);
  EXPECT_EQ(part.status, ExitStatus::interrupted);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.report.status, "interrupted");
  EXPECT_FALSE(part.report.reason.empty());
  EXPECT_TRUE(part.report.verification.checks.empty());
}

TEST(Interruption, WhileTheEstimateOfWindowsIsMade) {
  expect_interrupted_at_the_last_question(
      std::string(test::kMovingFront) +
      "resolution: {degree: {t: 8, x: 16}, domains: {t: 3}}\nverification: {tolerance: 1, tail: 1, residual: 1}\n");
}

TEST(Interruption, WhileTheEstimateOfABranchIsMade) {
  expect_interrupted_at_the_last_question(R"yaml(
domain: {x: [0, 1]}
constants: {lam: 0}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 20}}
verification: {tolerance: 1, tail: 1, residual: 1}
continue: {parameter: lam, to: 1}
)yaml");
}

TEST(Interruption, WhileTheEstimateOfPoissonsEquationIsMade) {
  expect_interrupted_at_the_last_question(R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {order: 4, intervals: 24, source: "x"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
verification: {tolerance: 1}
)yaml");
}

TEST(Interruption, WhileTheEstimateOfARecurrenceIsMade) {
  expect_interrupted_at_the_last_question(R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 64, source: "sin(3*x)", order: 4}
verification: {tolerance: 1}
)yaml");
}

}  // namespace
}  // namespace gwrm::interruption_test
