// Chains of rotations on the device against those of the CPU, which rotation_chain_test.cpp holds to the connection
// matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/random_array.hpp"
#include "kernels/transform/rotation_chain.hpp"

namespace gwrm::rotation_device_test {
namespace {

#if GWRM_HAVE_CUDA
class DeviceRotationChain : public test::DeviceTest {
 protected:
  Array rotated(const RotationChain& chain, Index n, Index width, Array x, bool forward) const {
    ContextArray<double> memory(context_, std::vector<double>(x.data.begin(), x.data.end()));
    ContextArray<char> workspace(context_, cuda::rotation_workspace_bytes(chain, n));
    (forward ? cuda::rotate_forward : cuda::rotate_backward)(context_, chain, n, width, memory.data(),
                                                             workspace.data());
    const std::vector<double> values = memory.values();
    std::copy(values.begin(), values.end(), x.data.begin());
    return x;
  }
  // Both are within 2.5e-16 (1 + sqrt l) of what is exact.
  void expect_equal(const RotationChain& chain, Index n, Index width) const {
    for (bool forward : {true, false}) {
      const Array x = test::Random(1).array({chain.n_rows(n), width});
      Array exact = x;
      (forward ? cpu::rotate_forward : cpu::rotate_backward)(chain, n, width, exact.data.data());
      const Array y = rotated(chain, n, width, x, forward), again = rotated(chain, n, width, x, forward);
      const Index count = (forward ? n : chain.n_rows(n)) * width;
      double error = 0.0, largest = 0.0;
      for (Index k = 0; k < count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const double here = std::abs(y.data[i] - exact.data[i]);
        error = here <= error ? error : here;
        largest = std::max(largest, std::abs(exact.data[i]));
        ASSERT_EQ(y.data[i], again.data[i]);
      }
      const double l = static_cast<double>(chain.first_order + 2 * chain.n_pairs);
      EXPECT_LE(error, 5e-16 * (1.0 + std::sqrt(l)) * largest)
          << static_cast<int>(chain.family) << ", n " << n << ", " << chain.n_pairs << " pairs, " << width
          << (forward ? " forward" : " backward");
    }
  }
};

TEST_F(DeviceRotationChain, IsTheChainOfTheCpu) {
  for (RotationFamily family : {RotationFamily::jones_worland, RotationFamily::energy, RotationFamily::legendre})
    for (Index n : {1, 2, 31, 32, 33, 255, 256, 257, 1000, 1025, 2048})
      for (Index width : {1, 3, 50}) expect_equal({family, n % 2, width == 50 ? 40 : 9}, n, width);
}

TEST_F(DeviceRotationChain, StaysExactAtHighOrder) {
  for (RotationFamily family : {RotationFamily::jones_worland, RotationFamily::energy, RotationFamily::legendre})
    for (Index n : {512, 2048}) expect_equal({family, 0, 500}, n, 9);
  expect_equal({RotationFamily::jones_worland, 1, 300}, 5000, 2);
}

// More columns than 2112 share coefficients by four.
TEST_F(DeviceRotationChain, ManyColumnsAndFewAreTheChainOfTheCpu) {
  for (Index n : {31, 250, 500})
    for (Index width : {2112, 2113}) expect_equal({RotationFamily::legendre, 0, 9}, n, width);
}

TEST_F(DeviceRotationChain, RefusesWhatDoesNotFit) {
  EXPECT_THROW(cuda::rotation_workspace_bytes({RotationFamily::energy, 0, 1}, 20000), ShapeError);
  EXPECT_THROW(cuda::rotation_workspace_bytes({RotationFamily::energy, 0, -1}, 2), ShapeError);
}
#endif

}  // namespace
}  // namespace gwrm::rotation_device_test
