#include "core/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "core/required_memory.hpp"

namespace gwrm::memory_test {
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

// What HDF5 calls: a size that a file claims is refused while there is memory, its own records never are.
TEST(RequiredMemory, PiecesBeyondALimitAreRefused) {
  constexpr std::size_t kPiece = std::size_t{32} << 20;
  const auto is_given = [](void* memory) {
    std::free(memory);
    return memory != nullptr;
  };
  {
    const LargestPiece limit(kPiece);
    EXPECT_TRUE(is_given(gwrm_required_malloc(kPiece)));
    EXPECT_FALSE(is_given(gwrm_required_malloc(kPiece + 1)));
    EXPECT_FALSE(is_given(gwrm_required_calloc(kPiece / 8 + 1, 8)));
    EXPECT_FALSE(is_given(gwrm_required_calloc(~std::size_t{0}, 8)));
    void* const small = gwrm_required_malloc(100);
    EXPECT_EQ(gwrm_required_realloc(small, kPiece + 1), nullptr);
    std::free(small);  // it is still there
    const LargestPiece nothing(0);
    EXPECT_TRUE(is_given(gwrm_required_malloc(kOwnRecord)));
    EXPECT_FALSE(is_given(gwrm_required_malloc(kPiece)));
  }
  EXPECT_TRUE(is_given(gwrm_required_malloc(kPiece + 1)));
}

}  // namespace
}  // namespace gwrm::memory_test
