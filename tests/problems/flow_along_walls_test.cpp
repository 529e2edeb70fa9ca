// Flow along walls, whose pressure is zero but for rounding, and what is said of channels that are not well posed.
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/multiplier_size.hpp"
#include "problems/time_spectral/tails.hpp"
#include "problems/time_spectral/verification.hpp"
#include "run_case.hpp"

namespace gwrm::flow_along_walls_test {
namespace {

using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

// Flow along walls that its force drives to and fro (Womersley): p is zero but for rounding, which grows like 1/h in
// short windows and has no series that could decay.
const std::string kToAndFro = R"yaml(
domain: {t: [0, 0.1], x: {range: [0, 2], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.02, w: 2*pi, k: sqrt(w/(2*nu))}
definitions:
  D: "cosh(k)^2*cos(k)^2 + sinh(k)^2*sin(k)^2"
  A: "(cosh(k*y)*cos(k*y)*cosh(k)*cos(k) + sinh(k*y)*sin(k*y)*sinh(k)*sin(k))/D"
  B: "(sinh(k*y)*sin(k*y)*cosh(k)*cos(k) - cosh(k*y)*cos(k*y)*sinh(k)*sin(k))/D"
unknowns: [u, v, p]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + nu*lap(u) + cos(w*t)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
initial: {u: "-B/w", v: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
exact: {u: "((1 - A)*sin(w*t) - B*cos(w*t))/w"}
)yaml";

TEST(FlowAlongWalls, AutomaticWindows) {
  const RunOutcome outcome = run_case(kToAndFro + "resolution: {tolerance: 1.0e-8}\nverification: {estimate: off}\n");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(outcome.solution.window_edges.size(), 6u);
  EXPECT_LT(find_check(outcome, "error_max", "u").value, 1e-8);
  EXPECT_FALSE(find_check(outcome, "tail", "p along t").judged);
}

TEST(FlowAlongWalls, APressureThatVanishesFailsByNoTail) {
  const std::string by_degrees =
      kToAndFro + "resolution: {degree: {t: 8, x: 4, y: 40}}\nverification: {estimate: off}\n";
  const RunOutcome outcome = run_case(by_degrees);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_GT(find_check(outcome, "tail", "p along t").value, 1e-4);
  // One of 1e-9 of the velocity is judged.
  Solution wrong = outcome.solution;
  wrong.fields[2].windows[0].data.back() += 1e-9;
  const Case the_case = read_case_text(by_degrees, "test.yaml");
  for (const Check& check : verify(the_case, build_model(the_case), wrong).checks) {
    const bool is_of_p = check.kind == "tail" && check.subject.starts_with("p along");
    EXPECT_TRUE(check.judged || !is_of_p) << check.subject;
  }
}

// dx(p) balances dt(u): |p| = |u| l/h, l the larger of 2 and 2; with a density of 3 three times that.
TEST(FlowAlongWalls, APressureIsComparedWithWhatShortWindowsMakeOfIt) {
  const std::string yaml = kToAndFro + "resolution: {degree: {t: 8, x: 4, y: 40}}\n";
  const Model model = build_model(read_case_text(yaml, "test.yaml"));
  FieldScales sizes(model);
  sizes.update({5.0, 0.0, 1e-9});
  EXPECT_NEAR(sizes.of(2, 1e-3) / (1e-6 * 5.0 * 2.0 / 1e-3), 1.0, 1e-12);
  EXPECT_NEAR(sizes.of(1, 1e-3) / (1e-6 * 5.0), 1.0, 1e-12);
  EXPECT_NEAR(sizes.of(2) / (1e-6 * 5.0), 1.0, 1e-12);  // whatever the window
  const std::vector<SizeOfMultiplier> heavy =
      sizes_of_multipliers(build_model(read_case_text(replaced(yaml, "dt(u)", "3*dt(u)"), "test.yaml")));
  ASSERT_EQ(heavy.size(), 1u);
  EXPECT_NEAR(heavy.front().factor, 6.0, 1e-12);
  EXPECT_EQ(heavy.front().time_order, 1);
}

const std::string kFlowRate = R"yaml(
domain: {x: {range: [0, 2], basis: fourier}, y: [0, 1]}
constants: {nu: 0.05}
unknowns: [u, v, p, {name: G, dims: []}]
equations:
  - "u*dx(u) + v*dy(u) = -dx(p) + nu*lap(u) + G"
  - "u*dx(v) + v*dy(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
  - "integral(u(x=0), y) = 1"
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
exact: {u: "6*y*(1-y)", G: "12*nu"}
resolution: {degree: {x: 4, y: 8}}
)yaml";

TEST(FlowAlongWalls, TheGradientOfAFlowRateIsANumber) {
  EXPECT_EQ(run_case(kFlowRate).status, ExitStatus::converged);
  try {
    (void)build_model(read_case_text(replaced(kFlowRate, "{name: G, dims: []}", "G"), "test.yaml"));
    FAIL();
  } catch (const CaseError& error) {
    expect_holds(error.what(), "test.yaml:9:");
    expect_holds(error.what(), "is the same everywhere along y, x and cannot determine G");
    expect_holds(error.what(), "{name: G, dims: [..]}");
  }
}

// Too small a flux to be refused before the run: the mean that fails is the reason, not the errors that it makes.
TEST(FlowAlongWalls, ASmallNetFluxIsTheReason) {
  const std::string flux =
      replaced(replaced(kToAndFro, "v(y=-1) = 0", "v(y=-1) = t"), "v(y=1) = 0", "v(y=1) = t*(1 + 1.0e-5)");
  const RunOutcome outcome = run_case(flux + "resolution: {degree: {t: 4, x: 2, y: 8}}\n");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "the mean of equation 3");
  expect_holds(outcome.report.reason, "net flux");
}

TEST(FlowAlongWalls, SteadyRunsAreNotToldToShortenWindows) {
  MarchEnd end;
  end.status = MarchStatus::newton_failed;
  end.newton = NewtonStatus::linear_failed;
  const auto reason = [&](const std::string& yaml) {
    const Model model = build_model(read_case_text(yaml, "test.yaml"));
    return describe_failure(model, end, std::vector<double>(model.axes.size(), 0.0), 0).reason;
  };
  const std::string steady = reason(kFlowRate);
  expect_holds(steady, "march to the steady state");
  EXPECT_EQ(steady.find("time windows"), std::string::npos);
  expect_holds(reason(kToAndFro + "resolution: {degree: {t: 4, x: 2, y: 8}}\n"), "try shorter time windows");
}

}  // namespace
}  // namespace gwrm::flow_along_walls_test
