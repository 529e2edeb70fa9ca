// What tests on the device have in common: a context there, or the reason why they are skipped.
#pragma once

#include <gtest/gtest.h>

#include "core/context.hpp"

namespace gwrm::test {

class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    context_ = Context::create(BackendChoice::cuda);
  }

  Context context_ = Context::create(BackendChoice::cpu);
};

}  // namespace gwrm::test
