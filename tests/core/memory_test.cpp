#include "core/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace gwrm {
namespace {

TEST(Memory, IsMoreThanThisTestUsesAndLessThanTheMachineHas) {
  const std::size_t physical =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
  EXPECT_LE(available_memory(), physical);
}

TEST(Memory, IsWrittenInPowersOfTen) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1300), "1.3 kB");
  EXPECT_EQ(format_bytes(1'300'000'000), "1.3 GB");
  EXPECT_EQ(format_bytes(146'000'000'000), "146 GB");
  EXPECT_EQ(format_bytes(10'000'000'000'000'000), "10 PB");
}

}  // namespace
}  // namespace gwrm
