#include "core/context.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "core/errors.hpp"

namespace gwrm::context_test {
namespace {

TEST(Context, RunsOnTheCpuWhenTold) {
  const Context context = Context::create(BackendChoice::cpu, 3);
  EXPECT_EQ(context.backend(), Backend::cpu);
  EXPECT_EQ(context.n_threads(), 3);
  EXPECT_EQ(context.device_name(), "cpu (3 threads)");
  EXPECT_EQ(context.device(), nullptr);
  EXPECT_TRUE(context.note().empty());
  EXPECT_EQ(Context::create(BackendChoice::cpu, 1).device_name(), "cpu (1 thread)");
}

TEST(Context, TakesTheCoresOfTheProcessByDefault) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(Context::create(BackendChoice::cpu).n_threads(), CPU_COUNT(&before));
  int core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const int n_threads = Context::create(BackendChoice::cpu).n_threads();
  sched_setaffinity(0, sizeof(before), &before);
  EXPECT_EQ(n_threads, 1);
}

TEST(Context, RefusesANegativeNumberOfThreads) {
  EXPECT_THROW(Context::create(BackendChoice::cpu, -1), CaseError);
}

TEST(Context, TakesTheDeviceIfThereIsOneAndSaysWhyNot) {
  std::string why;
  const std::string device = find_device(why);
  const Context context = Context::create(BackendChoice::automatic);
  if (device.empty()) {
    EXPECT_FALSE(why.empty());
    EXPECT_EQ(context.backend(), Backend::cpu);
    EXPECT_EQ(context.device(), nullptr);
    EXPECT_NE(context.note().find(why), std::string::npos);
    try {
      Context::create(BackendChoice::cuda);
      FAIL() << "a context on a device that does not exist";
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos);
      EXPECT_EQ(error.status(), ExitStatus::resources);
    }
  } else {
    EXPECT_TRUE(built_with_cuda());
    EXPECT_EQ(context.backend(), Backend::cuda);
    EXPECT_EQ(context.device_name(), device);
    EXPECT_NE(context.device(), nullptr);
    EXPECT_EQ(Context::create(BackendChoice::cuda).backend(), Backend::cuda);
  }
}

}  // namespace
}  // namespace gwrm::context_test
