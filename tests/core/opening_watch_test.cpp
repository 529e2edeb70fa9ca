// The end of a rank that does not find the others (core/opening_watch.hpp): each in a child that ends so.
// What a limit leaves: tests/cases/ranks_without_memory.py, in the program, which has a BLAS with buffers.
#include "core/opening_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>

namespace gwrm::opening_watch_test {
namespace {

// As much as a program's libraries may have on the stack of every thread: those of CUDA have 220 kB.
thread_local std::array<std::byte, std::size_t{600} << 10> of_libraries{};

const testing::ExitedWithCode kTooLittle(7);

void watch_for_a_second(double longest_wait) {
  of_libraries.front() = std::byte{1};
  const OpeningWatch watch(longest_wait);
  sleep(1);
  std::_Exit(3);
}

TEST(OpeningWatch, EndsARankThatFindsNobody) {
  EXPECT_EXIT(watch_for_a_second(0.3), kTooLittle, "the ranks have not found one another for 0.3 s");
}

TEST(OpeningWatch, EndsNobodyInTime) {
  EXPECT_EXIT(watch_for_a_second(600.0), testing::ExitedWithCode(3), "^$");
}

TEST(OpeningWatch, IsOverWithItsLife) {
  const auto open = [] {
    { const OpeningWatch watch(0.3); }
    sleep(1);
    std::_Exit(3);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(3), "^$");
}

}  // namespace
}  // namespace gwrm::opening_watch_test
