// The programs that families of kernels are compiled to at run time.
#include <gtest/gtest.h>

#include <set>

#include "kernels/banded/sweep_choices.hpp"

namespace gwrm::tuned_kernels_test {
namespace {

TEST(KernelChoices, AreFewProgramsForAllSizes) {
  std::set<std::string> programs;
  for (Index n = 16; n <= 2048; ++n)
    for (const auto& choices : {down_and_up_choices(n), second_order_choices(n)}) {
      ASSERT_GE(choices.size(), 2u);
      ASSERT_LE(choices.size(), kMostChoices);
      for (const KernelChoice& choice : choices) {
        programs.insert(choice.source);
        EXPECT_LE(choice.shared_bytes, 227 * 1024);
        EXPECT_LE(choice.n_threads, 1024);
      }
    }
  EXPECT_LE(programs.size(), 100u);
  EXPECT_GE(programs.size(), 20u);
}

TEST(KernelChoices, OfSystemsLongerThanAllRegistersAreNone) {
  EXPECT_FALSE(down_and_up_choices(4096).empty());
  EXPECT_TRUE(down_and_up_choices(4097).empty());
  EXPECT_FALSE(second_order_choices(2048).empty());
  EXPECT_TRUE(second_order_choices(2049).empty());
}

}  // namespace
}  // namespace gwrm::tuned_kernels_test
