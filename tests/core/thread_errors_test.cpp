// Exceptions of loops in OpenMP.
#include "core/thread_errors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>

namespace gwrm::thread_errors_test {
namespace {

TEST(ThreadErrors, TheExceptionComesOutBehindTheLoop) {
  ThreadErrors errors;
  std::atomic<int> done = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 300; ++i)
    errors.run([&] {
      if (i % 100 == 50) throw std::bad_alloc();
      ++done;
    });
  EXPECT_THROW(errors.rethrow(), std::bad_alloc);
  EXPECT_LT(done, 300);
}

TEST(ThreadErrors, WhatFollowsTheFirstIsLeftOut) {
  ThreadErrors errors;
  int done = 0;
  errors.run([&] { ++done; });
  errors.run([] { throw std::runtime_error("first"); });
  errors.run([&] { ++done; });
  errors.run([] { throw std::logic_error("second"); });
  EXPECT_THROW(errors.rethrow(), std::runtime_error);
  EXPECT_EQ(done, 1);
}

TEST(ThreadErrors, WithoutOneNothingIsThrown) {
  ThreadErrors errors;
  errors.run([] {});
  EXPECT_NO_THROW(errors.rethrow());
}

}  // namespace
}  // namespace gwrm::thread_errors_test
