// Associated Legendre transforms by rotations on the device against those of the CPU, which legendre_rotations_test.cpp
// holds to the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/random_array.hpp"
#include "kernels/transform/legendre_rotations.hpp"

namespace gwrm::legendre_rotations_device_test {
namespace {

#if GWRM_HAVE_CUDA
class DeviceLegendreRotations : public test::DeviceTest {
 protected:
  // Both are within 2.5e-16 (1 + sqrt m) + 7.5e-16 of what is exact; the device adds the terms of a connection in an
  // order of its own.
  void expect_equal(Index m, Index n, Index outer, Index inner, Index more_points = 0, Index higher_degree = 0) const {
    const Index degree = m + n - 1 + higher_degree, n_points = legendre_rotation_points(degree) + more_points;
    const auto grid = std::make_shared<const LegendreRotationGrid>(degree, n_points);
    const LegendreRotationPlan plan(grid, m, n);
    const auto columns = cuda::make_legendre_rotation_columns(context_, grid, outer, inner);
    const auto transform = cuda::make_legendre_rotation_transform(columns, plan);
    std::vector<double> scratch(static_cast<std::size_t>(cpu::legendre_rotations_workspace(plan, 1)));
    for (const bool forward : {true, false}) {
      const Index n_in = forward ? n_points : n, n_out = forward ? n : n_points;
      const Array x = test::Random(1).array({outer, n_in, inner});
      Array exact({outer, n_out, inner});
      (forward ? cpu::legendre_rotations_forward : cpu::legendre_rotations_backward)(
          plan, x.data.data(), exact.data.data(), outer, inner, scratch.data(), 1);
      const std::vector<double> given(x.data.begin(), x.data.end());
      std::vector<double> first;
      for (const double before : {double(NAN), 1e300}) {  // what the memory held must not matter
        ContextArray<double> in(context_, given), out(context_, std::vector<double>(exact.data.size(), before)),
            workspace(context_, std::vector<double>(transform->workspace_bytes() / sizeof(double), before));
        if (forward)
          transform->forward(in.data(), out.data(), workspace.data());
        else
          transform->backward(in.data(), out.data(), workspace.data());
        const std::vector<double> found = out.values();
        ASSERT_TRUE(first.empty() || found == first) << "m " << m << ", n " << n;
        first = found;
      }
      double error = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < first.size(); ++i) {
        const double here = std::abs(first[i] - exact.data[i]);
        error = here <= error ? error : here;
        largest = std::max(largest, std::abs(exact.data[i]));
      }
      EXPECT_LE(error, 2.0 * (2.5e-16 * (1.0 + std::sqrt(static_cast<double>(m))) + 7.5e-16) * largest)
          << "m " << m << ", n " << n << ", " << n_points << " points, " << outer << " x " << inner
          << (forward ? " forward" : " backward");
    }
  }
};

// One coefficient may be next to nothing; sixteen columns of them are not.
TEST_F(DeviceLegendreRotations, AreThoseOfTheCpu) {
  for (const Index n : {1, 2, 31, 32, 33, 255, 256, 257})
    for (const Index m : {0, 1, 2, 3, 16, 17, 64, 65}) expect_equal(m, n, 16, 1);
}

TEST_F(DeviceLegendreRotations, TakeBatchesOfAnyLayout) {
  for (const auto& [outer, inner] : {std::pair<Index, Index>{3, 1}, {1, 3}, {1000, 1}, {1, 1000}, {5, 70}})
    for (const Index m : {0, 1, 6, 7}) expect_equal(m, 20, outer, inner, 5, 3);
}

TEST_F(DeviceLegendreRotations, StayExactAtHighOrder) {
  for (const Index m : {2, 101, 500, 1000}) expect_equal(m, 512, 3, 1);
  expect_equal(1000, 1048, 1, 2);
}

TEST_F(DeviceLegendreRotations, RefuseWhatDoesNotFit) {
  const auto grid = std::make_shared<const LegendreRotationGrid>(7, 9),
             other = std::make_shared<const LegendreRotationGrid>(7, 9);
  const auto columns = cuda::make_legendre_rotation_columns(context_, grid, 0, 4);
  EXPECT_THROW(cuda::make_legendre_rotation_transform(columns, {other, 1, 7}), ShapeError);
  EXPECT_THROW(cuda::make_legendre_rotation_columns(context_, grid, -1, 4), ShapeError);
  // A batch of none is no work.
  const auto none = cuda::make_legendre_rotation_transform(columns, {grid, 1, 7});
  EXPECT_EQ(none->workspace_bytes(), 0u);
  none->forward(nullptr, nullptr, nullptr);
  none->backward(nullptr, nullptr, nullptr);
}
#endif

}  // namespace
}  // namespace gwrm::legendre_rotations_device_test
