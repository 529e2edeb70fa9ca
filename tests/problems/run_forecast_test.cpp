#include "problems/time_spectral/run_forecast.hpp"

#include <gtest/gtest.h>

namespace gwrm::run_forecast_test {
namespace {

TEST(RunForecast, StepsAreThoseOfASum) {
  EXPECT_DOUBLE_EQ(steps_for(2.0, 2.0, 10.0), 5.0);
  EXPECT_DOUBLE_EQ(steps_for(4.0, 2.0, 10.0), 5.0);                 // slower: at the last pace
  EXPECT_NEAR(steps_for(1.0, 3.0, 9.0 + 27.0 + 81.0), 3.0, 1e-12);  // threefold each
  EXPECT_TRUE(std::isinf(steps_for(1.0, 0.0, 1.0)));                // nothing was gained
  EXPECT_DOUBLE_EQ(steps_for(0.0, 2.0, 10.0), 5.0);
}

TEST(RunForecast, EqualWindows) {
  MarchForecast forecast(1.0, 0.0);
  for (int i = 1; i <= 7; ++i) {
    forecast.update(1.0 + 0.5 * i, 0.01 * i);
    EXPECT_EQ(forecast.seconds_left(1.0), 0.0);  // too few to tell
  }
  for (int i = 8; i <= 5000; ++i) {  // some of them are forgotten on the way
    forecast.update(1.0 + 0.5 * i, 0.01 * i);
    ASSERT_NEAR(forecast.seconds_left(60.0), 0.5 * (6000 - i), 1e-6 * 6000) << i;
  }
}

// Each window takes as long as the one before and gets three times as far: 25 windows to the end, not 1e12.
TEST(RunForecast, GrowingWindows) {
  MarchForecast forecast(0.0, 0.0);
  double t = 0.0, length = 1e-12;
  for (int i = 1; i <= 10; ++i, length *= 3.0) forecast.update(0.1 * i, t += length);
  const double needed = std::log(1.0 / t) / std::log(3.0);  // windows
  EXPECT_NEAR(forecast.seconds_left(1.0), 0.1 * needed, 0.1 * 2.0);
  EXPECT_GT(forecast.growth(), 100.0);
}

// Windows that stop growing are found out.
TEST(RunForecast, OnlyTheLastPaceCounts) {
  MarchForecast forecast(0.0, 0.0);
  double t = 0.0;
  for (int i = 1; i <= 10; ++i) forecast.update(i, t += 0.1);
  for (int i = 11; i <= 40; ++i) forecast.update(i, t += 1e-6);
  EXPECT_GT(forecast.seconds_left(2.0), 0.9 * (2.0 - t) / 1e-6);
}

// Attempts that look for the length of the first window take a second, equal windows .03 s each afterwards: the pace
// has grown once, and grows no more.
TEST(RunForecast, AttemptsAtTheFirstWindowAreNoTrend) {
  MarchForecast forecast(0.0, 0.0);
  for (int i = 1; i <= 60; ++i) {
    forecast.update(0.97 + 0.03 * i, 0.005 * i);
    const double needed = 0.03 * (100 - i);
    if (i < 8) continue;
    EXPECT_GT(forecast.seconds_left(0.5), 0.9 * needed) << i;
    EXPECT_GT(forecast.seconds_left(0.5, 0.97 + 0.03 * (i + 1), 0.005 * (i + 1)), 0.9 * (needed - 0.03)) << i;
    EXPECT_NEAR(forecast.growth_of_windows(), 1.0, 0.02) << i;
  }
}

TEST(RunForecast, RefinementOfOneWindow) {
  RefinementForecast creeping;
  creeping.update(1.0, 1e6);
  creeping.update(2.0, 9e5);
  EXPECT_EQ(creeping.seconds_left(), 0.0);  // too few to tell
  creeping.update(4.0, 8e5);
  EXPECT_DOUBLE_EQ(creeping.seconds_left(), 8.0 + 16.0 + 32.0);  // as many as were seen
  RefinementForecast falling;
  falling.update(1.0, 1e12);
  falling.update(2.0, 1e9);
  falling.update(4.0, 1e3);  // three digits, then six, then more than the three that are left
  EXPECT_DOUBLE_EQ(falling.seconds_left(), 8.0);
}

// What was seen of a run for a hundredth of the limit is trusted to a factor of ten.
TEST(RunForecast, EarlyEstimatesAreTrustedLess) {
  EXPECT_FALSE(exceeds_limit(1.0, 900.0, 100.0));
  EXPECT_TRUE(exceeds_limit(1.0, 1100.0, 100.0));
  EXPECT_TRUE(exceeds_limit(90.0, 40.0, 100.0));
  EXPECT_FALSE(exceeds_limit(90.0, 0.0, 100.0));  // no estimate
  EXPECT_TRUE(exceeds_limit(101.0, 0.0, 100.0));
}

}  // namespace
}  // namespace gwrm::run_forecast_test
