// Data that jump in time: where, and that windows end there.
#include "problems/time_spectral/time_kinks.hpp"

#include <algorithm>
#include <cmath>

#include "problems/run_case.hpp"

namespace gwrm::time_kinks_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::replaced;
using test::run_case;

const std::string kSwitched = R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = -u + step(t - 0.7)"]
initial: {u: "0"}
exact: {u: "1 - exp(-max(t - 0.7, 0))"}
resolution: {tolerance: 1.0e-10}
)yaml";

std::vector<double> kinks_of(const std::string& right_hand_side) {
  return times_of_kinks(
      build_model(read_case_text(replaced(kSwitched, "step(t - 0.7)", right_hand_side), "test.yaml")));
}

void expect_times(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
}

bool has_edge(const RunOutcome& outcome, double t) {
  const std::vector<double>& edges = outcome.solution.window_edges;
  return std::any_of(edges.begin(), edges.end(), [&](double edge) { return std::abs(edge - t) < 1e-14; });
}

TEST(TimeKinks, OfEveryFunctionThatHasThem) {
  expect_times(kinks_of("step(t - 0.7) - step(1.3 - t)"), {0.7, 1.3});
  expect_times(kinks_of("sign(sin(2*pi*t))"), {0.5, 1.0, 1.5});
  expect_times(kinks_of("abs(t - 1)"), {1.0});
  expect_times(kinks_of("max(t, 2 - t^2)"), {1.0});
  expect_times(kinks_of("min(exp(t), 3)"), {std::log(3.0)});
  expect_times(kinks_of("u*step(t - 0.00001)"), {0.00001});
  expect_times(kinks_of("step(t - 0.7)*abs(0.7 - t)"), {0.7});
}

TEST(TimeKinks, NotOfWhatIsSmoothOrOutside) {
  expect_times(kinks_of("sin(t) + sqrt(t + 1)"), {});
  expect_times(kinks_of("step(t) + step(t - 2) + abs(t + 1)"), {});
  expect_times(kinks_of("abs(u - t)"), {});  // when, only the answer says
}

TEST(TimeKinks, NotWhereSpaceOrAParameterDecides) {
  const std::string heat = R"yaml(
domain: {t: [0, 2], p: [0.5, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + step(x - t) + step(t - p)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = max(t - 1, 0)"]
resolution: {degree: {t: 4, p: 2, x: 4}}
)yaml";
  expect_times(times_of_kinks(build_model(read_case_text(heat, "test.yaml"))), {1.0});
}

TEST(TimeKinks, AnAutomaticRunEndsWindowsThere) {
  const RunOutcome outcome = expect_exact(kSwitched, 1e-10);
  EXPECT_TRUE(has_edge(outcome, 0.7));
  EXPECT_LE(outcome.solution.n_windows(), 12u);
}

TEST(TimeKinks, EdgesOfTheCaseAreKeptByAnAutomaticRun) {
  const std::string edges = replaced(kSwitched, "1.0e-10}", "1.0e-10, domains: {t: [0, 0.3, 0.7, 2]}}");
  const RunOutcome outcome = expect_exact(edges, 1e-10);
  EXPECT_TRUE(has_edge(outcome, 0.3));
  EXPECT_TRUE(has_edge(outcome, 0.7));
}

// The last point of a window is its end: there the source is what it was before it jumped.
TEST(TimeKinks, AnEdgeOnAJumpMakesBothSidesSmooth) {
  const std::string fixed = replaced(kSwitched, "{tolerance: 1.0e-10}", "{degree: {t: 14}, domains: {t: [0, 0.7, 2]}}");
  const RunOutcome outcome = expect_exact(fixed, 1e-12);
  EXPECT_TRUE(outcome.report.warnings.empty());
}

TEST(TimeKinks, AJumpWithinAWindowIsWarnedOf) {
  const RunOutcome outcome =
      run_case(replaced(kSwitched, "{tolerance: 1.0e-10}", "{degree: {t: 14}, domains: {t: 3}}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  ASSERT_EQ(outcome.report.warnings.size(), 1u);
  expect_holds(outcome.report.warnings.front(), "t = 0.7");
}

}  // namespace
}  // namespace gwrm::time_kinks_test
