// The device code that inverts complex matrices in place, run on the host, against the LU of Eigen.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>
#include <random>
#include <vector>

#include "kernels/host_warps.cuh"
//
#include "kernels/linear_algebra/inverse_steps.cuh"

namespace gwrm::inverse_steps_test {
namespace {

using Matrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix random_matrix(int n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix a(n, n);
  for (auto& entry : a.reshaped()) {
    const double re = uniform(generator);
    entry = {re, uniform(generator)};
  }
  return a;
}

// As invert() does it, panels of `widest` columns; the product between by Eigen.
int invert(Matrix& matrix, int widest) {
  const int n = static_cast<int>(matrix.rows());
  auto* const a = reinterpret_cast<double2*>(matrix.data());
  Matrix w = Matrix::Zero(n, cuda::kPanelColumns), y(widest, n);
  std::vector<double> row_scale(n), column_scale(n);
  std::vector<int> pivots(n), order(n);
  std::vector<double2> panel(n * widest), row(n);
  int status = cuda::kInverseRegular;
  static cuda::InverseShared shared;
  const auto run = [](const std::function<void()>& kernel) { test::HostBlocks::run(1, cuda::kInverseThreads, kernel); };
  run([&] { cuda::scale_matrix(a, n, row_scale.data(), column_scale.data(), &status); });
  for (int first = 0; first < n; first += widest) {
    const int width = std::min(widest, n - first);
    run([&] {
      cuda::eliminate_panel(a, n, first, width, panel.data(), shared, reinterpret_cast<double2*>(w.data()),
                            pivots.data(), &status);
    });
    run([&] { cuda::move_pivot_rows(a, n, first, width, pivots.data(), reinterpret_cast<double2*>(y.data())); });
    matrix += w.leftCols(width) * y.topRows(width);
  }
  run([&] {
    cuda::finish_inverse(a, n, pivots.data(), row_scale.data(), column_scale.data(), row.data(), order.data(), &status);
  });
  return status;
}

// Round-off times the condition, some hundreds; rows and columns of any size, pivots off the diagonal.
TEST(InverseSteps, InvertAsTheLuDoes) {
  for (const auto& [n, widest] : {std::pair{1, 16}, {2, 16}, {7, 2}, {16, 16}, {37, 16}, {37, 8}, {70, 4}, {300, 16}}) {
    Matrix a = random_matrix(n, static_cast<unsigned>(n));
    a.diagonal().setZero();
    if (n == 1) a(0, 0) = {0.0, 2.0};
    const Eigen::MatrixXcd expected = Eigen::MatrixXcd(a).fullPivLu().inverse();
    for (int i = 0; i < n; ++i) a.row(i) *= std::pow(1e3, i % 7 - 3);
    for (int j = 0; j < n; ++j) a.col(j) *= std::pow(1e4, j % 5 - 2);
    ASSERT_EQ(invert(a, widest), cuda::kInverseRegular) << n;
    for (int i = 0; i < n; ++i) a.row(i) *= std::pow(1e4, i % 5 - 2);
    for (int j = 0; j < n; ++j) a.col(j) *= std::pow(1e3, j % 7 - 3);
    EXPECT_LE((a - expected).norm(), 1e-11 * expected.norm()) << n << " " << widest;
  }
}

TEST(InverseSteps, TellWhatHasNoInverse) {
  Matrix a = random_matrix(20, 3);
  a.row(13) = 2.0 * a.row(4);
  EXPECT_EQ(invert(a, 16), cuda::kInverseSingular);
  a = random_matrix(20, 3);
  a.row(5).setZero();
  EXPECT_EQ(invert(a, 16), cuda::kInverseSingular);
  a = random_matrix(20, 3);
  a(7, 19) = {0.0, NAN};
  EXPECT_EQ(invert(a, 16), cuda::kInverseNotFinite);
}

}  // namespace
}  // namespace gwrm::inverse_steps_test
