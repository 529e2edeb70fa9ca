#include <gtest/gtest.h>

#include <cstdlib>

#include "core/blas.hpp"
#include "core/context.hpp"

namespace gwrm {
namespace {

#if defined(__x86_64__)
// A processor with AVX2 never computes with SSE3 kernels, however new it is to the library.
TEST(BlasKernels, AreThoseOfThisProcessor) {
  if (blas_kernels().empty()) GTEST_SKIP() << "the BLAS is not OpenBLAS";
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "OPENBLAS_CORETYPE is set";
  Context::create(BackendChoice::cpu, 1);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "no AVX2";
  EXPECT_NE(blas_kernels(), "Prescott");
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
}
#endif

}  // namespace
}  // namespace gwrm
