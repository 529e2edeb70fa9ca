#include "core/log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gwrm::log_test {
namespace {

// What is told while a run goes on stands in its report, too.
TEST(Log, AWarningIsToldOnce) {
  testing::internal::CaptureStderr();
  configure_log(Verbosity::normal);
  for (int i = 0; i < 2; ++i) {
    logger().warn("{} h are left", 3);
    logger().info("window {}", 1);
  }
  logger().warn("{} h are left", 4);
  const std::string told = testing::internal::GetCapturedStderr();
  configure_log(Verbosity::quiet);
  EXPECT_EQ(told, "warning: 3 h are left\ninfo: window 1\ninfo: window 1\nwarning: 4 h are left\n");
}

TEST(Log, ANewLogTellsAWarningAgain) {
  testing::internal::CaptureStderr();
  for (int command = 0; command < 2; ++command) {
    configure_log(Verbosity::normal);
    logger().warn("of every case");
  }
  const std::string told = testing::internal::GetCapturedStderr();
  configure_log(Verbosity::quiet);
  EXPECT_EQ(told, "warning: of every case\nwarning: of every case\n");
}

}  // namespace
}  // namespace gwrm::log_test
