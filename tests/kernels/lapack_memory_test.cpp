#include "kernels/linear_algebra/lapack_memory.hpp"

#include <gtest/gtest.h>

#include <new>

namespace gwrm::lapack_memory_test {
namespace {

TEST(LapackMemory, WantOfMemoryIsNoAnswer) {
  EXPECT_THROW(with_memory(LAPACK_WORK_MEMORY_ERROR), std::bad_alloc);
  EXPECT_THROW(with_memory(LAPACK_TRANSPOSE_MEMORY_ERROR), std::bad_alloc);
}

TEST(LapackMemory, AnswersPass) {
  for (const lapack_int info : {-3, 0, 5}) EXPECT_EQ(with_memory(info), info);
}

}  // namespace
}  // namespace gwrm::lapack_memory_test
