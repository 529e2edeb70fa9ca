#include "problems/time_spectral/window_pace.hpp"

#include <gtest/gtest.h>

namespace gwrm::window_pace_test {
namespace {

TEST(WindowPace, EqualWindowsArePredictedExactly) {
  WindowPace pace;
  for (int i = 0; i < 15; ++i) {
    pace.update(0.01);
    EXPECT_EQ(pace.windows_for(1.0), 0.0);  // too few to tell
  }
  for (int i = 0; i < 20; ++i) pace.update(0.01);
  EXPECT_NEAR(pace.windows_for(1.0), 100.0, 1e-9);
}

TEST(WindowPace, GrowingWindowsPredictNothing) {
  WindowPace pace;
  double length = 1e-9;
  for (int i = 0; i < 40; ++i) pace.update(length *= 1.1);
  EXPECT_EQ(pace.windows_for(1.0), 0.0);
  for (int i = 0; i < 16; ++i) pace.update(length);
  EXPECT_NEAR(pace.windows_for(1.0), 1.0 / length, 1e-6 / length);
}

TEST(WindowPace, ShrinkingWindowsPredictNothing) {
  WindowPace pace;
  double length = 1.0;
  for (int i = 0; i < 40; ++i) pace.update(length *= 0.9);
  EXPECT_EQ(pace.windows_for(1.0), 0.0);
}

TEST(WindowPace, OnlyTheLastWindowsCount) {
  WindowPace pace;
  for (int i = 0; i < 100; ++i) pace.update(1.0);
  for (int i = 0; i < 16; ++i) pace.update(0.5);
  EXPECT_NEAR(pace.windows_for(8.0), 16.0, 1e-12);
}

TEST(WindowPace, ALongerWatchWaitsLonger) {
  WindowPace pace(100);
  for (int i = 0; i < 99; ++i) pace.update(1e-6);
  EXPECT_EQ(pace.windows_for(1.0), 0.0);
  pace.update(1e-6);
  EXPECT_NEAR(pace.windows_for(1.0), 1e6, 1e-3);
  for (int i = 0; i < 60; ++i) pace.update(0.1);  // behind a layer
  EXPECT_EQ(pace.windows_for(1.0), 0.0);
}

}  // namespace
}  // namespace gwrm::window_pace_test
