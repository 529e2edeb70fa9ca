#include "problems/time_spectral/time_degree.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/time_spectral/step_control.hpp"

namespace gwrm::time_degree_test {
namespace {

// (h/rho)^k, k = 0 .. degree: a solution with a pole at the distance rho.
std::vector<double> geometric(double ratio, int degree) {
  std::vector<double> levels;
  for (int k = 0; k <= degree; ++k) levels.push_back(std::pow(ratio, k));
  return levels;
}

TEST(TimeDegree, TailsBeyondTheEndGoOnFalling) {
  const std::vector<double> levels = geometric(0.1, 8);
  EXPECT_DOUBLE_EQ(tail_at_degree(levels, 6), levels[5]);
  EXPECT_DOUBLE_EQ(tail_at_degree(levels, 8), levels[7]);
  EXPECT_NEAR(tail_at_degree(levels, 12) / 1e-11, 1.0, 1e-6);
  EXPECT_DOUBLE_EQ(tail_at_degree({1.0, 1e-3, 1e-3, 1e-3, 1e-3}, 16), 1e-3);  // where they do not fall, nothing helps
}

// Far from the end ln(1/tol) nodes and more are cheapest (docs/numerics.md 2.4).
TEST(TimeDegree, ManyNodesOnALongWay) {
  EXPECT_GE(cheapest_time_degree(geometric(0.1, 8), 0.1, 1e-8, 100.0, 3.0), 12);
  EXPECT_GE(cheapest_time_degree(geometric(0.2, 12), 0.1, 1e-8, 100.0, 3.0), 12);
}

// What is left fits into one window of few nodes: no more than those.
TEST(TimeDegree, FewNodesForAShortRest) {
  const std::vector<double> levels = geometric(0.03, 12);
  const int degree = cheapest_time_degree(levels, 0.1, 1e-6, 0.1, 3.0);
  EXPECT_LE(degree, 6);
  EXPECT_GE(next_length(0.1, tail_at_degree(levels, degree), 1e-6, degree, 3.0), 0.9 * 0.1);  // the rest is taken along
}

// As long as windows may only grow threefold, nodes beyond what that asks for are wasted.
TEST(TimeDegree, FewNodesWhileWindowsGrow) {
  EXPECT_EQ(cheapest_time_degree(geometric(1e-4, 12), 1e-4, 1e-8, 100.0, 3.0), kLeastTimeDegree);
}

TEST(TimeDegree, StaysForASmallGain) {
  const std::vector<double> levels = geometric(0.2, 12);
  EXPECT_EQ(cheapest_time_degree(levels, 0.1, 1e-8, 100.0, 3.0), 12);
}

}  // namespace
}  // namespace gwrm::time_degree_test
