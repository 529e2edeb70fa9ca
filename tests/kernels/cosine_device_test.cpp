// Cosine and sine transforms on the device against their matrices in quadruple precision, every way by which they are
// done, and against those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "cosine_oracle.hpp"
#include "kernels/device_test.hpp"
#include "kernels/random_array.hpp"
#include "kernels/transform/fourier_length.hpp"

namespace gwrm::cosine_device_test {
namespace {

#if GWRM_HAVE_CUDA
using cuda::CosineWay;
using test::kCosineKinds;

// As on the CPU (cosine_transform_test.cpp).
double allowed(Index n) {
  return 4e-16 * std::max(1.0, std::log2(static_cast<double>(n)));
}

class DeviceCosineTransform : public test::DeviceTest {
 protected:
  Array transformed(const CosinePlan& plan, const Array& x, Index n_out, CosineScale scale = {},
                    CosineWay way = CosineWay::automatic, bool in_place = false) const {
    const Index outer = x.shape[0], inner = x.shape[2];
    const auto transform = cuda::make_cosine_transform(context_, plan, outer, inner, way);
    ContextArray<char> workspace(context_, std::max<std::size_t>(1, transform->workspace_bytes()));
    Array y({outer, n_out, inner});
    std::fill(y.data.begin(), y.data.end(), std::numeric_limits<double>::quiet_NaN());
    ContextArray<double> from(context_, std::vector<double>(x.data.begin(), x.data.end()));
    ContextArray<double> to(context_, std::vector<double>(y.data.begin(), y.data.end()));
    double* result = in_place ? from.data() : to.data();
    transform->run(from.data(), x.shape[1], result, n_out, scale, workspace.data());
    const std::vector<double> values = (in_place ? from : to).values();
    std::copy(values.begin(), values.end(), y.data.begin());
    return y;
  }
};

TEST_F(DeviceCosineTransform, IsItsMatrix) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {1,   2,   3,   7,   31,  32,  33,   96,   193,  255,  256,  257,
                          319, 384, 512, 639, 640, 768, 1000, 1024, 1025, 1280, 1536, 2048})
      if (n >= test::least_length(kind)) {
        const CosinePlan plan(kind, n);
        for (const auto& [outer, inner] : {std::pair<Index, Index>{3, 1}, {1, 3}}) {
          const Array x = test::Random(1).array({outer, n, inner});
          EXPECT_LE(test::cosine_error(kind, n, outer, inner, x, transformed(plan, x, n)), allowed(n))
              << static_cast<int>(kind) << ", length " << n << ", " << outer << " x " << inner;
        }
      }
}

TEST_F(DeviceCosineTransform, IsThatOfTheCpuInBatches) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {2, 31, 33, 60, 191, 256, 257, 384, 512, 769, 1000, 1024, 1025, 1280, 2048}) {
      const CosinePlan plan(kind, n);
      for (const auto& [outer, inner] : {std::pair<Index, Index>{1, 1}, {1000, 1}, {1, 1000}, {7, 33}, {19, 5}}) {
        const Array x = test::Random(2).array({outer, n, inner});
        Array exact = x;
        cpu::cosine_transform(plan, x.data.data(), n, exact.data.data(), n, outer, inner, {0.3, 0.5});
        const Array y = transformed(plan, x, n, {0.3, 0.5});
        ASSERT_EQ(y.data, transformed(plan, x, n, {0.3, 0.5}).data) << "two runs differ";
        ASSERT_EQ(y.data, transformed(plan, x, n, {0.3, 0.5}, CosineWay::automatic, true).data) << "in place";
        double error = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < y.data.size(); ++i) {
          const double here = std::abs(y.data[i] - exact.data[i]);
          error = here <= error ? error : here;
          largest = std::max(largest, std::abs(exact.data[i]));
        }
        EXPECT_LE(error, 2.0 * allowed(n) * largest)  // each within `allowed` of what is exact
            << static_cast<int>(kind) << ", length " << n << ", " << outer << " x " << inner;
      }
    }
}

TEST_F(DeviceCosineTransform, PadsAndTruncates) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {24, 37, 255, 257, 384, 512})
      for (const auto& [n_in, n_out] : {std::pair<Index, Index>{n - 4, 8}, {n - 7, n - 5}, {1, n}, {n, 1}})
        for (const auto& [outer, inner] : {std::pair<Index, Index>{9, 1}, {2, 20}}) {
          const Array x = test::Random(3).array({outer, n_in, inner});
          const Array y = transformed(CosinePlan(kind, n), x, n_out);
          // A single number that is asked for may be as small as it likes beside the line's.
          if (n_out > 1) {
            EXPECT_LE(test::cosine_error(kind, n, outer, inner, x, y), allowed(n) + 4e-16)
                << static_cast<int>(kind) << ", " << n_in << " to " << n_out << " of " << n;
          }
          Array padded({outer, n, inner});
          for (Index o = 0; o < outer; ++o)
            std::copy_n(x.data.begin() + o * n_in * inner, n_in * inner, padded.data.begin() + o * n * inner);
          const Array full = transformed(CosinePlan(kind, n), padded, n);
          for (Index o = 0; o < outer; ++o)
            for (Index k = 0; k < n_out * inner; ++k)
              ASSERT_EQ(y.data[static_cast<std::size_t>(o * n_out * inner + k)],
                        full.data[static_cast<std::size_t>(o * n * inner + k)]);
        }
}

TEST_F(DeviceCosineTransform, GoesEveryWay) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {256, 1024}) {
      const CosinePlan plan(kind, n);
      const Array x = test::Random(4).array({5, n, 1});
      for (const CosineWay way : {CosineWay::registers, CosineWay::shared_memory, CosineWay::library}) {
        const bool first = plan.number() == 1;
        if (first && (way == CosineWay::registers ||
                      (kind == CosineKind::cosine_1 && way == CosineWay::shared_memory &&
                       factors_of(static_cast<int>(n) - 1).n_steps == 0) ||
                      (kind == CosineKind::sine_1 && way == CosineWay::shared_memory &&
                       factors_of(static_cast<int>(n) + 1).n_steps == 0))) {
          EXPECT_THROW(transformed(plan, x, n, {}, way), ShapeError);
          continue;
        }
        EXPECT_LE(test::cosine_error(kind, n, 5, 1, x, transformed(plan, x, n, {}, way)), allowed(n))
            << static_cast<int>(kind) << ", length " << n << ", way " << static_cast<int>(way);
      }
    }
}

TEST_F(DeviceCosineTransform, RefusesWhatDoesNotFit) {
  const CosinePlan plan(CosineKind::cosine_2, 8);
  EXPECT_THROW(cuda::make_cosine_transform(context_, plan, 0, 1), ShapeError);
  EXPECT_THROW(cuda::make_cosine_transform(context_, plan, 1, 1, CosineWay::registers), ShapeError);
  const auto transform = cuda::make_cosine_transform(context_, plan, 1, 1);
  EXPECT_THROW(transform->run(nullptr, 9, nullptr, 8, {}, nullptr), ShapeError);
  EXPECT_THROW(transform->run(nullptr, 8, nullptr, 0, {}, nullptr), ShapeError);
}
#endif

}  // namespace
}  // namespace gwrm::cosine_device_test
