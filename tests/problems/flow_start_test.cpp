// Flows that start: the slip of the acceleration along walls, first windows, and what is judged of the pressure.
#include "problems/time_spectral/flow_start.hpp"

#include <algorithm>
#include <cmath>

#include "problems/run_case.hpp"
#include "problems/time_spectral/time_attempts.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm::flow_start_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

const std::string kStokes = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.1}
unknowns: [{name: u, vector: [x, y]}, p]
equations: ["dt(u) = -grad(p) + nu*lap(u)", "div(u) = 0"]
initial: {u: ["-4*y*(1 - y^2)*cos(x)", "(1 - y^2)^2*sin(x)"]}
boundary: ["u(y=-1) = 0", "u(y=1) = 0"]
resolution: {tolerance: 1.0e-4}
)yaml";

const std::string kFlowRate = R"yaml(
domain: {t: [0, 1], y: [-1, 1]}
unknowns: [u, {name: G, dims: [t]}]
equations: ["dt(u) = G + dy(u,2)", "integral(u, y) = 4/3*(1 - exp(-5*t))"]
initial: {u: "0"}
boundary: ["u(y=-1) = 0", "u(y=1) = 0"]
resolution: {tolerance: 1.0e-5}
)yaml";

FlowStarts starts_of(const std::string& yaml) {
  const Case the_case = read_case_text(yaml, "test.yaml");
  const Model model = build_model(the_case);
  return flow_starts(the_case, model, SystemPlan(model));
}

// The Neumann problem for the pressure gives 1.7907246752 (a code of its own, 8 digits with 12 modes).
TEST(FlowStartTest, TheSlipIsThatOfTheNeumannProblem) {
  const FlowStarts starts = starts_of(kStokes);
  ASSERT_EQ(starts.times.size(), 1u);
  EXPECT_EQ(starts.times.front(), 0.0);
  EXPECT_NEAR(starts.slip, 1.7907246752, 1e-3);  // the largest of points along x
  EXPECT_EQ(starts.unknowns, (std::vector<bool>{false, false, true}));
  EXPECT_FALSE(starts.starts_from_rest);
}

// G of dt(u) = G + u'' with the rate 20/3 of the flow rate, from rest: 10/3 at the walls, which stand still.
TEST(FlowStartTest, AGivenFlowRateSlipsToo) {
  const FlowStarts starts = starts_of(kFlowRate);
  ASSERT_EQ(starts.times.size(), 1u);
  EXPECT_NEAR(starts.slip, 10.0 / 3.0, 0.03);  // of the starting degree: two digits are enough for a length
  EXPECT_TRUE(starts.starts_from_rest);
}

TEST(FlowStartTest, FlowsThatFitTheirWallsHaveNone) {
  // Poiseuille flow, its gradient part of the pressure or not
  EXPECT_TRUE(
      starts_of(replaced(replaced(replaced(kStokes, "-4*y*(1 - y^2)*cos(x)", "1 - y^2"), "(1 - y^2)^2*sin(x)", "0"),
                         "nu*lap(u)", "nu*lap(u) + [2*nu, 0]"))
          .times.empty());
  // nothing is kept by an unknown
  EXPECT_TRUE(starts_of("domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u,2)\"]\n"
                        "initial: {u: \"x*(1 - x)\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
                        "resolution: {tolerance: 1.0e-4}\n")
                  .times.empty());
}

TEST(FlowStartTest, AForceThatIsSwitchedOnIsAStart) {
  const FlowStarts starts = starts_of(replaced(kStokes, "nu*lap(u)", "nu*lap(u) + [step(t - 0.25)*sin(y), 0]"));
  ASSERT_EQ(starts.times.size(), 2u);
  EXPECT_NEAR(starts.times[1], 0.25, 1e-12);
  EXPECT_TRUE(starts.is_one(0.25));
  EXPECT_DOUBLE_EQ(starts.judged_from(0.25, 0.01), 0.27);
  EXPECT_DOUBLE_EQ(starts.judged_from(0.25, 0.5), 0.3);  // a twentieth of the run later
}

TEST(FlowStartTest, LengthAndDegreeFollowFromTheSlip) {
  FlowStarts starts;
  starts.end = 10.0;
  WallSlip slip{{2.0, 0.0}, {0.0, 0.0}, {4.0, 1.0}, {true, false}, {{0, 0, true, 20.0}}, "y = 1"};
  EXPECT_NEAR(first_flow_window(starts, slip, {0.0, 0.0}, 1e-6, 10), 0.3e-6 * 4.0 / (9e-4 * 2.0), 1e-12);
  EXPECT_DOUBLE_EQ(first_flow_window(starts, slip, {0.0, 0.0}, 1e-1, 10), 0.1);  // a hundredth of the run
  AxisDescription wall;
  wall.edges = {-1.0, 1.0};
  wall.degree = 12;
  const auto finer = flow_degrees(starts, slip, {0.0, 0.0}, 1e-4, 96, {wall});
  EXPECT_EQ(finer.front().degree, std::ceil(std::pow(3.0 * 20.0 / (0.5e-4 * 4.0), 0.25)));
  EXPECT_EQ(flow_degrees(starts, slip, {0.0, 0.0}, 1e-4, 16, {wall}).front().degree, 12);  // not by a degree, then
}

// Series of modes at (0.5, 0.5): tests/verdict/problems/flows.py.
TEST(FlowStartTest, AStokesWaveIsRightInFewWindows) {
  const RunOutcome outcome = run_case(kStokes);
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(outcome.report.n_windows, 12);
  const std::vector<LeftOut>& left_out = outcome.report.verification.left_out;
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out.front().unknown, "p");
  EXPECT_LT(left_out.front().axis, 0);
  EXPECT_LE(left_out.front().end, 0.05);
  expect_holds(left_out.front().what, "slip along y =");
  const double values[][4] = {{0.001, -1.31542230454, 0.269326470562, NAN},
                              {0.1, -1.21870088517, 0.239551780084, 0.0965296334622},
                              {1.0, -0.538431053542, 0.0974998172421, 0.0356674347858}};
  for (const auto& [t, u_x, u_y, p] : values) {
    const std::vector<std::pair<std::string, double>> at{{"t", t}, {"x", 0.5}, {"y", 0.5}};
    EXPECT_NEAR(value_at(outcome.solution, "u_x", at), u_x, 1.5e-4) << t;
    EXPECT_NEAR(value_at(outcome.solution, "u_y", at), u_y, 1e-4) << t;
    if (!std::isnan(p)) {
      EXPECT_NEAR(value_at(outcome.solution, "p", at), p, 3e-5) << t;
    }
  }
}

TEST(FlowStartTest, AFlowRateFromRest) {
  const RunOutcome outcome = run_case(kFlowRate);
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(outcome.report.n_windows, 24);
  EXPECT_NEAR(value_at(outcome.solution, "G", {{"t", 1.0}}), 2.01430563, 1e-5 * 10.0);
}

TEST(FlowStartTest, OnlyConstraintsOfIndexTwo) {
  const auto kept = [](const std::string& yaml, int field) {
    return is_fixed_by_constraint(build_model(read_case_text(yaml, "test.yaml")), field);
  };
  EXPECT_TRUE(kept(kStokes, 2));
  EXPECT_FALSE(kept(kStokes, 0));
  EXPECT_TRUE(kept(kFlowRate, 1));
  // A pendulum of first order: the tension drives the velocities, of which the constraint holds nothing (index 3).
  EXPECT_FALSE(kept(R"yaml(
domain: {t: [0, 1]}
unknowns: [x, y, u, v, l]
equations: ["dt(x) = u", "dt(y) = v", "dt(u) = -l*x", "dt(v) = -l*y - 1", "x^2 + y^2 = 1"]
initial: {x: 1, y: 0, u: 0, v: 0}
resolution: {tolerance: 1.0e-4}
)yaml",
                    4));
}

TEST(TimeAttemptsTest, ExponentsAndTailsThatDoNotFall) {
  const std::vector<AxisDescription> axes(2);
  TimeAttempts attempts;
  attempts.add(0.0, 1e-1, axes, {0.9, 1e-2, 3e-3});  // not yet asymptotic
  EXPECT_EQ(attempts.exponent(1e-6), 0.0);
  attempts.add(0.0, 1e-2, axes, {1e-2, 1e-3, 3e-3});
  EXPECT_NEAR(attempts.exponent(5e-3), 0.0, 0.0);  // the first is known once only
  attempts.add(0.0, 1e-3, axes, {1e-3, 1e-4, 3e-3});
  EXPECT_NEAR(attempts.exponent(5e-4), 0.0, 0.0);  // the third does not fall
  EXPECT_EQ(attempts.unmoved(5e-4), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(attempts.unmoved(5e-3), (std::vector<bool>{false, false, false}));
  attempts.add(0.1, 1e-3, axes, {1e-2, 1e-3, 1e-6});  // from another start
  attempts.add(0.1, 1e-4, axes, {1e-4, 1e-4, 1e-6});
  EXPECT_NEAR(attempts.exponent(1e-5), 1.0, 1e-12);
}

}  // namespace
}  // namespace gwrm::flow_start_test
