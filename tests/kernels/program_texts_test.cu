// Code that is compiled at run time, compiled here for an architecture: no device is needed. Named as the tests of
// devices, which are those that run in builds with CUDA.
#include "kernels/device/run_time_compiler.cuh"
//
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/errors.hpp"
#include "kernels/banded/sweep_choices.hpp"
#include "kernels/device/device_text.hpp"
#include "kernels/device/run_time_compiler.hpp"

namespace gwrm::cuda {
namespace {

class DeviceProgramTexts : public testing::Test {
 protected:
  void SetUp() override {
    if (!run_time_compiler_missing().empty()) GTEST_SKIP() << run_time_compiler_missing();
    ASSERT_EQ(setenv("GWRM_CACHE", "off", 1), 0);
  }
  void TearDown() override { unsetenv("GWRM_CACHE"); }
};

TEST_F(DeviceProgramTexts, EveryHeaderIsFoundAndCompiles) {
  std::string source = "#define GWRM_BOTH_SIDES __device__\n";
  for (const DeviceText& text : device_texts()) source += "#include \"" + std::string(text.name) + "\"\n";
  EXPECT_FALSE(compile_for("sm_90", source + "extern \"C\" __global__ void kernel() {}", "all headers").empty());
  EXPECT_THROW(compile_for("sm_90", "#include \"kernels/no_such_header.hpp\"\n", "a header that is not there"),
               DeviceError);
}

TEST_F(DeviceProgramTexts, SweepsCompile) {
  for (Index n : {17, 2048}) {
    for (const KernelChoice& choice : {down_and_up_choices(n).back(), second_order_choices(n).back()})
      EXPECT_FALSE(compile_for("sm_90", choice.source, "sweeps").empty()) << choice.source;
  }
}

}  // namespace
}  // namespace gwrm::cuda
