// Iterations of GMRES with the diffusion as its preconditioner, to 1e-13, in windows of the dynamo s2t2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems/ball/window_solver.hpp"
#include "run_case.hpp"

namespace gwrm::test::window_iterations_test {
namespace {

using namespace ball;

// The most of three windows, from fields that contradict the flow and from what it has made of them. A reach of 0: the
// longest windows that the program takes of its own.
int most_iterations(double reynolds, double reach) {
  const Case the_case = read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  degree: {{t: 8, r: 18, l: 14, m: [1]}}
  fields: {{B: {{kind: magnetic}}}}
  flow: {{toroidal: {{"2,0": "r^2*sin(pi*r)"}}, poloidal: {{"2,0": "0.14*r^2*sin(pi*r)"}}, factor: {}}}
  terms: [induction]
initial: {{B: {{poloidal: {{"1,1": "r*(5/3 - r^2)", "2,1": "r^2*(7/5 - r^2)"}}}}}}
)yaml",
                                                   reynolds),
                                       "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  std::vector<double> state = space.project(model.initial_series(space));
  int most = 0;
  for (int window = 0; window < 3; ++window) {
    WindowSolver solver(model, space);  // each with its first window, which GMRES solves
    const double length = reach > 0.0 ? std::pow(reach / reynolds, 2) : solver.longest_window(state);
    const WindowValues values = solver.solve(state, 0.0, length);
    EXPECT_TRUE(values.failure.empty()) << values.failure;
    EXPECT_GT(values.iterations, 3);
    most = std::max(most, values.iterations);
    const auto last = values.rows.bottomRows(1);
    state.assign(last.data(), last.data() + last.size());
  }
  testing::Test::RecordProperty(fmt::format("iterations_{}_{}", reynolds, reach), most);
  return most;
}

// method/ball, section 6: sqrt(h) Rm of 1.7 and 3.4 with Rm = 54.
TEST(BallIterations, AreAtMostTwentyWhereTheFlowIsFast) {
  for (const double reynolds : {54.0, 150.0}) {
    EXPECT_LE(most_iterations(reynolds, 1.7), 12) << reynolds;
    EXPECT_LE(most_iterations(reynolds, 3.4), 20) << reynolds;
  }
}

// They follow h, too: slow flows have long windows, in which a preconditioner without the flow is worse.
TEST(BallIterations, AreMoreInTheLongWindowsOfASlowFlow) {
  EXPECT_LE(most_iterations(10.0, 1.7), 17);
  EXPECT_LE(most_iterations(10.0, 3.4), 25);
}

TEST(BallIterations, AreAtMostTwentyFiveInWindowsThatTheProgramTakes) {
  for (const double reynolds : {10.0, 54.0, 150.0}) EXPECT_LE(most_iterations(reynolds, 0.0), 25) << reynolds;
}

}  // namespace
}  // namespace gwrm::test::window_iterations_test
