// The kernels behind the solves on the device against plain loops: sums, combinations, products along a dimension,
// triangular systems.
#include "kernels/transform/device_tensor.cuh"
//
#include <gtest/gtest.h>

#include <cmath>

#include "core/context.hpp"
#include "device_array_test.hpp"
#include "kernels/device/device_pool.cuh"
#include "kernels/linear_algebra/device_kronecker_sum.cuh"
#include "kernels/linear_algebra/device_vectors.cuh"
#include "kernels/linear_algebra/kronecker_sum.hpp"
#include "kernels/transform/device_modes.cuh"
#include "kernels/transform/tensor_transform.hpp"
#include "random_array.hpp"

namespace gwrm::cuda {
namespace {

class DeviceKernels : public test::DeviceArrayTest {
 protected:
  std::vector<double> random_vector(std::size_t n) { return random_.array({static_cast<Index>(n)}).data; }

  test::Random random_{23};
};

constexpr std::size_t kLengths[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 300001};

TEST_F(DeviceKernels, SumsAndCombinations) {
  const DeviceArray workspace = pool_.take(sums_workspace());
  for (std::size_t n : kLengths)
    for (int count : {1, 7, 8, 9, 41}) {
      std::vector<std::vector<double>> v;
      std::vector<DeviceArray> on_device;
      VectorList list;
      for (int k = 0; k < count; ++k) {
        v.push_back(random_vector(n));
        on_device.push_back(send(v.back()));
        list.add(on_device.back().data());
      }
      const std::vector<double> w = random_vector(n), factors = random_vector(static_cast<std::size_t>(count));
      const DeviceArray dw = send(w), sums = pool_.take(factors.size()), df = send(factors), square = pool_.take(1);
      dots(handles(), list, dw.data(), n, workspace.data(), sums.data());
      const std::vector<double> got = fetch(sums);
      std::vector<double> left = w;
      long double left_square = 0.0L;
      for (int k = 0; k < count; ++k) {
        long double sum = 0.0L;
        for (std::size_t i = 0; i < n; ++i) {
          sum += static_cast<long double>(v[static_cast<std::size_t>(k)][i]) * w[i];
          left[i] -= factors[static_cast<std::size_t>(k)] * v[static_cast<std::size_t>(k)][i];
        }
        EXPECT_NEAR(got[static_cast<std::size_t>(k)], static_cast<double>(sum), 1e-15 * static_cast<double>(n)) << n;
      }
      for (double value : left) left_square += static_cast<long double>(value) * value;
      dots(handles(), list, dw.data(), n, workspace.data(), sums.data());
      EXPECT_EQ(fetch(sums), got) << "two runs differ";

      const DeviceArray combined = pool_.take(n);
      combine(handles(), list, factors, n, combined.data());
      const std::vector<double> sum = fetch(combined);
      subtract(handles(), list, df.data(), dw.data(), n, workspace.data(), square.data());
      const std::vector<double> difference = fetch(dw);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(difference[i], left[i], 1e-14) << n;
        ASSERT_NEAR(sum[i], w[i] - left[i], 2e-14) << n;
      }
      EXPECT_NEAR(fetch(square).front(), static_cast<double>(left_square),
                  1e-13 * (1.0 + static_cast<double>(left_square)));
      normalise(handles(), dw.data(), square.data(), n, combined.data());
      EXPECT_NEAR(fetch(combined).front(), left[0] / std::sqrt(static_cast<double>(left_square)), 1e-13);
    }
}

TEST_F(DeviceKernels, LargestMagnitudeSeesNotANumber) {
  const DeviceArray workspace = pool_.take(sums_workspace()), result = pool_.take(1);
  for (std::size_t n : kLengths) {
    std::vector<double> v = random_vector(n);
    v[n / 2] = -3.5;
    largest_magnitude(handles(), send(v).data(), n, workspace.data(), result.data());
    EXPECT_EQ(fetch(result).front(), 3.5) << n;
    v[n - 1] = std::nan("");
    largest_magnitude(handles(), send(v).data(), n, workspace.data(), result.data());
    EXPECT_TRUE(std::isnan(fetch(result).front())) << n;
  }
}

TEST_F(DeviceKernels, MatricesAreGatheredAndSentOnce) {
  DeviceProfile profile(handles());
  DeviceMatrices matrices(profile, pool_);
  std::vector<std::vector<double>> sources;
  std::vector<const double*> places;
  const auto add = [&](std::size_t n) {
    sources.push_back(random_vector(n));
    places.push_back(matrices.add(sources.back().data(), n));
  };
  for (std::size_t n : {3, 0, 1, 31, 32, 33, 600000, 5, 200}) add(n);
  matrices.send();
  add(7);
  EXPECT_EQ(matrices.add(sources[3].data(), sources[3].size()), places[3]);
  matrices.send();
  matrices.send();
  double sent = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::vector<double> back(sources[i].size());
    if (!back.empty()) handles().download(back.data(), places[i], back.size());
    EXPECT_EQ(back, sources[i]) << i;
    EXPECT_EQ(std::count(places.begin(), places.end(), places[i]), 1) << i;
    sent += static_cast<double>(back.size() * sizeof(double));
  }
  // Each once, and the gaps between them.
  EXPECT_GE(static_cast<double>(profile.use().bytes_sent), sent);
  EXPECT_LT(static_cast<double>(profile.use().bytes_sent), sent + 10 * 256);
}

TEST_F(DeviceKernels, BlocksAlongEveryDimension) {
  DeviceProfile profile(handles());
  DeviceMatrices matrices(profile, pool_);
  for (const Shape& shape : {Shape{5, 7, 9}, {1, 33, 4}, {12, 1, 65}, {2, 40, 1}})
    for (std::size_t d = 0; d < 3; ++d)
      for (bool divided : {false, true}) {
        const Index n = shape[d];
        BlockMatrix matrix(n + 3, n);
        if (divided && n > 1) {
          const auto block = std::make_shared<const Matrix>(random_.matrix(2, n - 1));
          matrix.blocks.push_back({0, 0, block, 1.0});
          matrix.blocks.push_back({1, 1, block, -0.5});  // overlaps
        } else {
          matrix = BlockMatrix(random_.matrix(n + 3, n));
        }
        const Array x = random_.array(shape), expected = cpu::block_transform(x, d, matrix);
        const DeviceArray dx = send(x.data);
        const DeviceArray dy = send(std::vector<double>(expected.data.size(), std::nan("")));
        const DeviceBlockMatrix blocks(matrix, matrices);
        matrices.send();
        blocks.apply(handles(), shape, d, 2.0, dx.data(), dy.data());
        const std::vector<double> y = fetch(dy);
        for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], 2.0 * expected.data[i], 1e-13) << d << divided;
      }
}

using Number = std::complex<double>;

TEST_F(DeviceKernels, TriangularSystems) {
  for (const std::vector<Index>& extents : {std::vector<Index>{1, 1, 1},
                                            {1, 2, 3},
                                            {1, 15, 16},
                                            {1, 16, 17},
                                            {1, 33, 50},
                                            {2, 1, 1},
                                            {7, 8, 9},
                                            {8, 8, 8},
                                            {9, 17, 5},
                                            {20, 3, 26}}) {
    const Index n1 = extents[0], n2 = extents[1], n3 = extents[2], n = n1 * n2 * n3;
    constexpr std::size_t kSystems = 35;  // more than one launch takes
    std::vector<ComplexColumnMajor<double>> triangles;
    DeviceProfile profile(handles());
    DeviceMatrices matrices(profile, pool_);
    std::vector<const double2*> sent;
    for (Index m : extents) {
      ComplexColumnMajor<double> t(m, m);
      for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < m; ++j)
          t(i, j) = i > j    ? Number(7e3)
                    : i == j ? Number(1.0 + random_.number(0, 1), random_.number())
                             : 0.3 * Number(random_.number(), random_.number());
      const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = t;
      sent.push_back(
          reinterpret_cast<const double2*>(matrices.add(rows.data(), static_cast<std::size_t>(rows.size()))));
      triangles.push_back(std::move(t));
    }
    std::vector<double> numbers = random_vector(2 * static_cast<std::size_t>(n) * kSystems);
    const DeviceArray r = send(numbers);
    std::vector<TriangularSystem> systems;
    std::vector<std::vector<Number>> expected;
    for (std::size_t s = 0; s < kSystems; ++s) {
      TriangularSystem system;
      system.r = reinterpret_cast<double2*>(r.data()) + static_cast<Index>(s) * n;
      const Number shift(0.5 + 0.1 * static_cast<double>(s), -0.3);
      system.shift = {shift.real(), shift.imag()};
      std::vector<ComplexColumnMajor<double>> scaled;
      std::vector<const ComplexColumnMajor<double>*> pointers;
      Shape shape;
      for (std::size_t d = 0; d < 3; ++d) {
        if (d == 0 && n1 == 1) continue;
        const Number scale(1.0 + static_cast<double>(d), 0.2);
        system.triangles[d] = sent[d];
        system.scales[d] = {scale.real(), scale.imag()};
        scaled.push_back(scale * triangles[d]);
        shape.push_back(extents[d]);
      }
      for (const auto& t : scaled) pointers.push_back(&t);
      std::vector<Number> y(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = {numbers[2 * (s * static_cast<std::size_t>(n) + i)],
                numbers[2 * (s * static_cast<std::size_t>(n) + i) + 1]};
      solve_kronecker_sum<double>(pointers, shape, shift, y.data());
      expected.push_back(std::move(y));
      systems.push_back(system);
    }
    matrices.send();
    solve_kronecker_sums(handles(), systems, static_cast<int>(n1), static_cast<int>(n2), static_cast<int>(n3));
    const std::vector<double> got = fetch(r);
    for (std::size_t s = 0; s < kSystems; ++s) {
      double difference = 0.0, size = 0.0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const Number y(got[2 * (s * static_cast<std::size_t>(n) + i)],
                       got[2 * (s * static_cast<std::size_t>(n) + i) + 1]);
        ASSERT_TRUE(std::isfinite(y.real()) && std::isfinite(y.imag()));
        difference = std::max(difference, std::abs(y - expected[s][i]));
        size = std::max(size, std::abs(expected[s][i]));
      }
      EXPECT_LE(difference, 1e-12 * size) << n1 << " " << n2 << " " << n3;
    }
  }
}

}  // namespace
}  // namespace gwrm::cuda
