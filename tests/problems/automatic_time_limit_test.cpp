// `resolution.limits.time`: runs that creep end early, those that are slow at first alone do not.
#include "problems/run_case.hpp"

namespace gwrm::automatic_time_limit_test {
namespace {

using test::expect_holds;
using test::run_case;

// A front that is thinner than a hundred thousandth of the domain and moves: minutes of windows as short as its
// passage.
constexpr const char* kThinFront = R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
constants: {nu: 2.0e-6}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "1 - 0.5*tanh((x - 0.3)/(4*nu))"}
boundary: ["u(x=0) = 1.5", "u(x=1) = 0.5"]
verification: {estimate: off}
)yaml";

TEST(AutomaticTimeLimit, TimeByTheClock) {
  const RunOutcome outcome = run_case(std::string(kThinFront) + "resolution: {tolerance: 1e-6, limits: {time: 20}}\n");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.report.status, "tolerance not met");
  expect_holds(outcome.report.reason, "(resolution.limits.time is 20 s)");
  expect_holds(outcome.report.reason, "by its own estimate the run takes ");
  expect_holds(outcome.report.reason, "front, layer or shock near x = 0.3");
  EXPECT_GE(outcome.solution.n_windows(), 8u);  // what there is
  EXPECT_LT(outcome.solution.window_edges.back(), 0.1);
}

// However short the limit is: it is kept by the first iteration of the first window, too.
TEST(AutomaticTimeLimit, WithinTheFirstWindow) {
  const std::string limit = "resolution: {tolerance: 1e-6, limits: {time: 1e-6}}\n";
  const RunOutcome moving = run_case(std::string(kThinFront) + limit);
  EXPECT_EQ(moving.status, ExitStatus::unresolved);
  expect_holds(moving.report.reason, "(resolution.limits.time is 1e-06 s)");
  const RunOutcome steady = run_case(
      "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"lap(u) = -1\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n" +
      limit);
  EXPECT_EQ(steady.status, ExitStatus::unresolved);
  EXPECT_EQ(steady.report.status, "tolerance not met");
  expect_holds(steady.report.reason, "(resolution.limits.time is 1e-06 s), 0 s of it before an answer, attempt 1 on y");
}

// A dense matrix of 10 000 unknowns, which GMRES without it does not converge for (a mixed derivative, nearly as large
// as those that the tensor products invert), takes half a minute and is not interrupted by anything: it is not begun.
TEST(AutomaticTimeLimit, AFactorisationThatOutlastsItIsNotBegun) {
  const RunOutcome outcome = run_case(
      "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\n"
      "equations: [\"dx(u,2) + 1.99*dx(dy(u)) + dy(u,2) + 4000*u = 1\"]\n"
      "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"
      "resolution: {tolerance: 1e-6, degree: {x: 99, y: 99}, limits: {time: 4}}\n");
  EXPECT_NE(outcome.status, ExitStatus::converged);
  ASSERT_FALSE(outcome.report.warnings.empty());
  expect_holds(outcome.report.warnings.back(),
               "dense LU (instead) was not begun: it would take another 7 s at the least");
  EXPECT_LT(outcome.report.wall_seconds, 4.0);
}

// x (1 - x) and u = 0 at the ends contradict each other in u_t.
constexpr const char* kClashingParabola = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
)yaml";

// Data that clash in the corner: the first windows are shorter than any clock would allow for the rest, but they grow.
TEST(AutomaticTimeLimit, TimeIsNotRefusedForAShortBeginning) {
  const RunOutcome outcome =
      run_case(std::string(kClashingParabola) + "resolution: {tolerance: 1e-6, limits: {time: 300}}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LT(outcome.solution.window_edges[1], 1e-4);
  EXPECT_GT(outcome.solution.n_windows(), 8u);
}

}  // namespace
}  // namespace gwrm::automatic_time_limit_test
