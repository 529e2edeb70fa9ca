// Copies in several threads through page-locked pieces, and the forms of matrices that are made on the device.
#include "kernels/device/staging_buffer.cuh"
//
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/context.hpp"
#include "device_test.hpp"
#include "kernels/transform/device_modes.cuh"
#include "random_array.hpp"

namespace gwrm::cuda {
namespace {

class DeviceCopies : public test::DeviceTest {
 protected:
  DeviceHandles& handles() { return *context_.device(); }
};

// Around what is staged, the half megabyte that a thread is worth, the pieces of 1 MB, their shares and the ring of 16
// MB.
TEST_F(DeviceCopies, BringEveryByteForthAndBack) {
  StagingBuffer copies(handles());
  const std::size_t piece = std::size_t{1} << 16, megabyte = std::size_t{1} << 17;  // in numbers of 8 bytes
  for (std::size_t n : {std::size_t{1}, piece / 8, piece - 1, piece, piece + 1, megabyte, 2 * megabyte + 3,
                        5 * megabyte - 1, 11 * megabyte + 77, 37 * megabyte + 5}) {
    std::vector<std::uint64_t> sent(n), back(n, 0);
    std::iota(sent.begin(), sent.end(), std::uint64_t{n});
    DeviceBuffer buffer;
    auto* device = buffer.reserve<std::uint64_t>(n);
    for (int round = 0; round < 2; ++round) {  // pieces of the round before are on their way
      sent[n / 2] += 1;
      const std::vector<std::uint64_t> kept = sent;
      copies.upload(device, sent.data(), n * sizeof(std::uint64_t));
      for (std::uint64_t& value : sent) value = 0;  // the array is free again
      copies.download(back.data(), device, n * sizeof(std::uint64_t));
      ASSERT_EQ(back, kept) << n;
      sent = kept;
    }
  }
}

TEST_F(DeviceCopies, MatricesAreMadeComplexAndAdjoint) {
  test::Random random{29};
  for (int n : {1, 2, 17, 33, 200}) {
    const auto order = static_cast<std::size_t>(n);
    const std::vector<double> x = random.array({2 * n * n}).data;
    DeviceBuffer x_buffer, y_buffer;
    auto* x_device = x_buffer.reserve<double>(x.size());
    auto* y_device = y_buffer.reserve<double2>(x.size());
    handles().upload(x_device, x.data(), x.size());
    std::vector<double2> y(x.size());
    to_complex(handles(), x_device, x.size(), y_device);
    handles().download(y.data(), y_device, y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(y[i].x, x[i]);
      ASSERT_EQ(y[i].y, 0.0);
    }
    adjoint(handles(), reinterpret_cast<const double2*>(x_device), n, y_device);
    handles().download(y.data(), y_device, order * order);
    for (std::size_t i = 0; i < order; ++i)
      for (std::size_t j = 0; j < order; ++j) {
        ASSERT_EQ(y[i * order + j].x, x[2 * (j * order + i)]);
        ASSERT_EQ(y[i * order + j].y, -x[2 * (j * order + i) + 1]);
      }
  }
}

}  // namespace
}  // namespace gwrm::cuda
