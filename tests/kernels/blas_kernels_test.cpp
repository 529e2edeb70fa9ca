#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <cblas.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "core/blas.hpp"

namespace gwrm::blas_kernels_test {
namespace {

#if defined(__x86_64__)
// A processor with AVX2 never computes with SSE3 kernels, however new it is to the library (cli/process_settings.hpp,
// in the main of the tests as in that of the program).
TEST(BlasKernels, AreThoseOfThisProcessor) {
  ASSERT_NE(blas_kernels(), "") << "the BLAS is not OpenBLAS";
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  EXPECT_EQ(blas_kernels() == "Prescott", !has_avx2);
}
#endif

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Threads that wait for work in a loop slow those that have some: none are left when one is asked for, and products are
// right before, with threads again, and after.
TEST(BlasKernels, NoThreadWaitsWhereOneIsAskedFor) {
  const int n = 300;
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n), b = Eigen::MatrixXd::Random(n, n);
  const Eigen::MatrixXd expected = a.lazyProduct(b);
  set_blas_threads(2);
  const std::ptrdiff_t with_two = threads_of_this_process();
  for (int n_threads : {1, 2, 1}) {
    set_blas_threads(n_threads);
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(n, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, c.data(), n);
    EXPECT_LT((c - expected).cwiseAbs().maxCoeff(), 1e-12) << n_threads << " threads";
  }
  if (with_two > 1) {
    EXPECT_LT(threads_of_this_process(), with_two);
  }
}

}  // namespace
}  // namespace gwrm::blas_kernels_test
