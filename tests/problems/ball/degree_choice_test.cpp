// Cases of problem: ball that leave degrees to the program.
#include <gtest/gtest.h>

#include <string>

#include "problems/ball/ball_answer.hpp"
#include "problems/journal_test.hpp"

namespace gwrm::test::degree_choice_test {
namespace {

class BallDegrees : public JournalTest {};

ball::Degrees degrees_of(const RunOutcome& outcome) {
  return ball::stored_degrees(*outcome.module_arrays);
}

const std::string kMagnetic = R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  fields: {B: {kind: magnetic}}
initial: {B: {poloidal: {"1,0": "r*(5/3 - r^2)"}}}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
)yaml";

const std::string kScalar = R"yaml(
problem: ball
domain: {t: [0, 0.05]}
ball:
  fields: {u: {kind: scalar}}
initial: {u: "(1 - r^2)^3*DATA"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
)yaml";

const std::string kConvection = R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  tolerance: 1.0e-3
  fields:
    Theta: {kind: scalar, buoyancy: 20000, background: 1}
    U: {kind: velocity}
  terms: [buoyancy, background, advection, inertia]
initial: {Theta: "z*(1 - r^2)^3"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
)yaml";

TEST_F(BallDegrees, WithoutAnyTheRunPasses) {
  const RunOutcome outcome = run_case(kMagnetic);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const ball::Degrees degrees = degrees_of(outcome);
  EXPECT_EQ(degrees.l, 1);
  EXPECT_EQ(degrees.m, 0);
  EXPECT_GT(degrees.r, 8) << "the data contradict the equations at first";
  EXPECT_EQ(degrees.t, 12);
}

TEST_F(BallDegrees, HarmonicsAreThoseOfTheData) {
  const RunOutcome few = run_case(replaced(kScalar, "DATA", "(x*y*z + 1)"));
  EXPECT_EQ(few.status, ExitStatus::converged) << few.report.reason;
  EXPECT_EQ(degrees_of(few).l, 3);
  EXPECT_EQ(degrees_of(few).m, 2);
  // exp(2z) = sum (2l + 1) i_l(2r) P_l: below 1e-7 from l = 10 on, with (1 - r^2)^3 sooner.
  const RunOutcome many = run_case(replaced(kScalar, "DATA", "exp(2*z)"));
  EXPECT_EQ(many.status, ExitStatus::converged) << many.report.reason;
  EXPECT_GE(degrees_of(many).l, 6);
  EXPECT_LE(degrees_of(many).l, 10);
  EXPECT_EQ(degrees_of(many).m, 0);
  // A source that has another order than the initial values, at a later time.
  const RunOutcome driven =
      run_case(replaced(replaced(kScalar, "DATA", "z"), "kind: scalar", "kind: scalar, source: \"t*(x^2 - y^2)\""));
  EXPECT_EQ(driven.status, ExitStatus::converged) << driven.report.reason;
  EXPECT_EQ(degrees_of(driven).l, 2);
  EXPECT_EQ(degrees_of(driven).m, 2);
}

TEST_F(BallDegrees, TermsRaiseThem) {
  const RunOutcome outcome = run_case(kConvection);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const ball::Degrees degrees = degrees_of(outcome);
  EXPECT_GT(degrees.l, 4);
  EXPECT_EQ(degrees.m, 0) << "symmetric about the axis";
  // Against degrees that are given, and higher.
  const std::string given =
      replaced(kConvection, "tolerance: 1.0e-3", "degree: {t: 10, r: 18, l: 14, m: 0}\n  tolerance: 1.0e-8");
  const RunOutcome fine = run_case(given);
  const ball::BallAnswer own(read_case_text(kConvection, "test.yaml"), *outcome.module_arrays),
      truth(read_case_text(given, "test.yaml"), *fine.module_arrays);
  for (const FieldDifference& difference : own.differences(truth))
    EXPECT_LE(difference.maximum, 1e-3) << difference.field;
}

TEST_F(BallDegrees, ThoseGivenAreKept) {
  const RunOutcome outcome = run_case(replaced(kMagnetic, "ball:", "ball:\n  degree: {t: 9, l: 3}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_EQ(degrees_of(outcome).t, 9);
  EXPECT_EQ(degrees_of(outcome).l, 3);
  EXPECT_EQ(degrees_of(outcome).m, 3);
  const RunOutcome low = run_case(replaced(kMagnetic, "ball:", "ball:\n  degree: {r: 8}"));
  EXPECT_EQ(degrees_of(low).r, 8);
  EXPECT_EQ(low.status, ExitStatus::unresolved);
  const Case the_case = read_case_text(kMagnetic, "test.yaml");
  EXPECT_EQ(the_case.resolved_text.find("degree"), std::string::npos);
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  // What is asked for is what the answer is held against.
  EXPECT_EQ(read_case_text(kConvection, "test.yaml").verification.tolerance, 1e-3);
  EXPECT_EQ(the_case.verification.tolerance, 1e-6);
}

// A wrong `exact` is not for the degrees to mend.
TEST_F(BallDegrees, MistakesOfTheUserRaiseNothing) {
  const std::string smooth = replaced(kScalar, "DATA", "z");
  const RunOutcome right = run_case(smooth), wrong = run_case(smooth + "exact: {u: \"z\"}\n");
  EXPECT_EQ(right.status, ExitStatus::converged);
  EXPECT_EQ(wrong.status, ExitStatus::unresolved);
  EXPECT_EQ(degrees_of(wrong).r, degrees_of(right).r);
}

TEST_F(BallDegrees, AnInterruptedRoundGoesOnWithItsDegrees) {
  const RunOutcome whole = run_case(kConvection);
  const int in_all = whole.report.n_windows;
  // Rounds have about as many windows each: stop in one of the later ones.
  const RunOutcome stopped = interrupted_after(kConvection, 2 * in_all + 2);
  ASSERT_EQ(stopped.status, ExitStatus::interrupted);
  ASSERT_TRUE(stopped.module_arrays.has_value());
  const RunOutcome rest = continued(kConvection);
  EXPECT_EQ(rest.status, ExitStatus::converged) << rest.report.reason;
  EXPECT_EQ(degrees_of(rest).l, degrees_of(whole).l);
  EXPECT_EQ(rest.solution.window_edges, whole.solution.window_edges);
  const Case the_case = read_case_text(kConvection, "test.yaml");
  const ball::BallAnswer a(the_case, *rest.module_arrays), b(the_case, *whole.module_arrays);
  for (const FieldDifference& difference : a.differences(b)) EXPECT_LE(difference.maximum, 1e-13) << difference.field;
}

}  // namespace
}  // namespace gwrm::test::degree_choice_test
