// What a rank sends of a level of a study (problems/convergence/study_runs.hpp).
#include "problems/convergence/study_runs.hpp"

#include "problems/convergence/self_difference.hpp"
#include "run_case.hpp"

namespace gwrm::study_runs_test {
namespace {

const std::string kHeat = R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 10}, domains: {t: 2, x: [0, 0.5, 1]}}
)yaml";

const std::string kPoisson = R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {order: 2, intervals: 16, source: "2*pi^2*sin(pi*(x + y))", tau: 13}
boundary:
  - "u(x=0) = sin(pi*y)"
  - "u(x=1) = -sin(pi*y)"
  - "dy(u)(y=0) = pi*cos(pi*x)"
  - "dy(u)(y=1) = -pi*cos(pi*x)"
)yaml";

RunOutcome run_of(const std::string& yaml) {
  return prepare_run(problem_modules(), read_case_text(yaml, "test.yaml"))
      .problem->run(Context::create(BackendChoice::cpu, 1), {});
}

TEST(StudyRuns, ComeBackFromTheirBytesToTheLastBit) {
  const RunOutcome run = run_of(kHeat);
  ASSERT_TRUE(run.complete);
  const auto back = outcome_of(bytes_of(3, run, true));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->first, 3u);
  const RunOutcome& other = back->second;
  EXPECT_EQ(other.status, run.status);
  EXPECT_TRUE(other.complete);
  EXPECT_EQ(other.report.status, run.report.status);
  EXPECT_EQ(other.report.n_newton_iterations, run.report.n_newton_iterations);
  EXPECT_EQ(other.report.wall_seconds, run.report.wall_seconds);
  ASSERT_EQ(other.report.verification.checks.size(), run.report.verification.checks.size());
  for (std::size_t c = 0; c < run.report.verification.checks.size(); ++c) {
    EXPECT_EQ(other.report.verification.checks[c].kind, run.report.verification.checks[c].kind);
    EXPECT_EQ(other.report.verification.checks[c].subject, run.report.verification.checks[c].subject);
    EXPECT_EQ(other.report.verification.checks[c].value, run.report.verification.checks[c].value);
  }
  const Solution &a = run.solution, &b = other.solution;
  ASSERT_NO_THROW(b.check());
  ASSERT_EQ(b.axes.size(), a.axes.size());
  for (std::size_t axis = 0; axis < a.axes.size(); ++axis) {
    EXPECT_EQ(b.axes[axis].name, a.axes[axis].name);
    EXPECT_EQ(b.axes[axis].kind, a.axes[axis].kind);
    EXPECT_EQ(b.axes[axis].upper, a.axes[axis].upper);
    EXPECT_EQ(b.axes[axis].map, a.axes[axis].map);
  }
  EXPECT_EQ(b.window_edges, a.window_edges);
  EXPECT_EQ(b.subdomains, a.subdomains);
  ASSERT_EQ(b.fields.size(), a.fields.size());
  EXPECT_EQ(b.fields[0].name, "u");
  EXPECT_EQ(b.fields[0].axes, a.fields[0].axes);
  ASSERT_EQ(b.fields[0].windows.size(), 2u);
  for (std::size_t w = 0; w < 2; ++w) {
    EXPECT_EQ(b.fields[0].windows[w].shape, a.fields[0].windows[w].shape);
    EXPECT_EQ(b.fields[0].windows[w].data, a.fields[0].windows[w].data);
  }
}

TEST(StudyRuns, OfAGridBringTheirFirstFieldAndItsPoints) {
  const RunOutcome run = run_of(kPoisson);
  ASSERT_TRUE(run.complete) << run.report.reason;
  const auto back = outcome_of(bytes_of(0, run, true));
  ASSERT_TRUE(back);
  const Case the_case = read_case_text(kPoisson, "test.yaml");
  const auto none = self_differences(the_case, back->second, run);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].maximum, 0.0);
}

TEST(StudyRuns, WithoutAnswerAreShortAndTornBytesAreNone) {
  const RunOutcome run = run_of(kHeat);
  Team::Bytes bytes = bytes_of(1, run, false);
  EXPECT_LT(bytes.size(), bytes_of(1, run, true).size());
  const auto back = outcome_of(bytes);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->second.solution.fields.empty());
  bytes.pop_back();
  EXPECT_FALSE(outcome_of(bytes));
  EXPECT_FALSE(outcome_of({}));
}

}  // namespace
}  // namespace gwrm::study_runs_test
