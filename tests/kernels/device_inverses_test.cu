// Inverses of many matrices on the device against the LU of Eigen.
#include "kernels/linear_algebra/device_inverses.cuh"
//
#include "core/matrix_storage.hpp"
//
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>
#include <random>
#include <vector>

#include "core/context.hpp"
#include "kernels/linear_algebra/inverse_steps.cuh"

namespace gwrm {
namespace {

using Matrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Batch {
  std::vector<std::complex<double>> numbers;
  std::vector<int> status;
};

Batch inverted(const std::vector<std::complex<double>>& numbers, int n, std::size_t count) {
  const Context context = Context::create(BackendChoice::cuda, 1);
  DeviceHandles& handles = *context.device();
  cuda::DeviceBuffer matrices, workspace, status;
  auto* const on_device = matrices.reserve<std::complex<double>>(numbers.size());
  handles.upload(on_device, numbers.data(), numbers.size());
  workspace.reserve<char>(cuda::inverse_workspace(n, count));
  cuda::invert(handles, reinterpret_cast<double2*>(on_device), n, count, workspace.as<void>(),
               status.reserve<int>(count));
  Batch result{std::vector<std::complex<double>>(numbers.size()), std::vector<int>(count)};
  handles.download(result.numbers.data(), on_device, numbers.size());
  handles.download(result.status.data(), status.as<int>(), count);
  return result;
}

// Sizes around panels, warps and blocks of threads; 900 has narrower panels. Round-off times the condition.
TEST(DeviceInverses, AreThoseOfTheLu) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const auto& [n, count] : {std::pair{1, 40}, {2, 3}, {15, 5}, {16, 1}, {33, 300}, {257, 4}, {900, 2}}) {
    const auto square = static_cast<std::size_t>(n) * static_cast<std::size_t>(n),
               batch = static_cast<std::size_t>(count);
    std::vector<std::complex<double>> numbers(square * batch);
    for (auto& entry : numbers) {
      const double re = uniform(generator);
      entry = {re, uniform(generator)};
    }
    const Batch once = inverted(numbers, n, batch), again = inverted(numbers, n, batch);
    EXPECT_EQ(once.numbers, again.numbers) << "two runs differ";
    for (std::size_t m = 0; m < batch; m += 1 + batch / 5) {
      const Matrix a = Eigen::Map<const Matrix>(numbers.data() + m * square, n, n);
      const Matrix x = Eigen::Map<const Matrix>(once.numbers.data() + m * square, n, n);
      EXPECT_EQ(once.status[m], cuda::kInverseRegular);
      EXPECT_LE((a * x - Matrix::Identity(n, n)).norm(), 1e-13 * a.norm() * x.norm()) << n;
    }
  }
}

TEST(DeviceInverses, TellWhichMatricesHaveNone) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  constexpr int n = 20;
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<std::complex<double>> numbers(3 * n * n);
  for (auto& entry : numbers) entry = {uniform(generator), 1.0};
  for (int j = 0; j < n; ++j) numbers[n * n + 7 * n + j] = 2.0 * numbers[n * n + 3 * n + j];
  numbers[2 * n * n + 11] = {0.0, NAN};
  EXPECT_EQ(inverted(numbers, n, 3).status,
            (std::vector<int>{cuda::kInverseRegular, cuda::kInverseSingular, cuda::kInverseNotFinite}));
}

}  // namespace
}  // namespace gwrm
