#include "core/blas.hpp"

#include <gtest/gtest.h>

#include "cli/process_settings.hpp"

namespace gwrm::blas_test {
namespace {

// The layer itself links no BLAS: everything is a no-op there, and says so.
TEST(Blas, WithoutOpenBlasNothingHappens) {
  apply_process_settings();
  set_blas_threads(2);
  EXPECT_EQ(blas_kernels(), "");
}

}  // namespace
}  // namespace gwrm::blas_test
