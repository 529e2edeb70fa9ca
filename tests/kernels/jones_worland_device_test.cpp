// Jones-Worland transforms on the device against those of the CPU, which jones_worland_test.cpp holds to their
// definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/context_memory.hpp"
#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/random_array.hpp"
#include "kernels/transform/jones_worland.hpp"

namespace gwrm::jones_worland_device_test {
namespace {

#if GWRM_HAVE_CUDA
class DeviceJonesWorland : public test::DeviceTest {
 protected:
  Array transformed(const JonesWorlandPlan& plan, const std::shared_ptr<const JonesWorlandGrid>& grid, const Array& x,
                    bool forward) const {
    const Index outer = x.shape[0], inner = x.shape[2];
    const auto transform =
        cuda::make_jones_worland_transform(cuda::make_jones_worland_columns(context_, grid, outer, inner), plan);
    Array y({outer, forward ? plan.n() : grid->n_points(), inner});
    ContextArray<double> from(context_, std::vector<double>(x.data.begin(), x.data.end()));
    ContextArray<double> to(context_, std::vector<double>(y.data.size(), NAN));
    ContextArray<char> workspace(context_, std::max<std::size_t>(1, transform->workspace_bytes()));
    (forward ? transform->forward(from.data(), to.data(), workspace.data())
             : transform->backward(from.data(), to.data(), workspace.data()));
    const std::vector<double> values = to.values();
    std::copy(values.begin(), values.end(), y.data.begin());
    return y;
  }

  void expect_equal(Index l, Index n, JonesWorlandVariant variant, Index outer, Index inner, Index n_points) const {
    const auto grid = std::make_shared<const JonesWorlandGrid>(n_points);
    const JonesWorlandPlan plan(grid, l, n, variant), rotations(grid, l, n);
    std::vector<double> workspace(static_cast<std::size_t>(cpu::jones_worland_workspace(rotations, 1)));
    const SingleThreadedBlas single;
    for (const bool forward : {true, false}) {
      const Array x = test::Random(5).array({outer, forward ? n_points : n, inner});
      Array exact({outer, forward ? n : n_points, inner});
      (forward ? cpu::jones_worland_forward : cpu::jones_worland_backward)(rotations, x.data.data(), exact.data.data(),
                                                                           outer, inner, workspace.data(), 1);
      const Array y = transformed(plan, grid, x, forward);
      ASSERT_EQ(y.data, transformed(plan, grid, x, forward).data) << "two runs differ";
      double error = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < y.data.size(); ++i) {
        const double here = std::abs(y.data[i] - exact.data[i]);
        error = here <= error ? error : here;
        largest = std::max(largest, std::abs(exact.data[i]));
      }
      // Both are within the chain's bound and that of the cosine transform, quadrature within 2e-15.
      const double allowed = 2.5e-16 * (1.0 + std::sqrt(static_cast<double>(l))) +
                             4e-16 * std::max(1.0, std::log2(static_cast<double>(n_points)));
      const bool rotated = variant == JonesWorlandVariant::rotations;
      EXPECT_LE(error, (rotated ? 2.0 * allowed : allowed + 2e-15) * largest)
          << "l " << l << ", N " << n << ", " << n_points << " points, " << outer << " x " << inner
          << (forward ? " forward" : " backward") << ", variant " << static_cast<int>(variant);
    }
  }
};

TEST_F(DeviceJonesWorland, IsThatOfTheCpu) {
  for (const Index n : {1, 2, 31, 32, 33, 255, 256, 257, 1000})
    for (const Index l : {0, 1, 2, 3, 17, 64})
      for (const auto& [outer, inner] : {std::pair<Index, Index>{1, 1}, {3, 1}, {1, 37}, {2, 5}})
        for (const JonesWorlandVariant variant : {JonesWorlandVariant::rotations, JonesWorlandVariant::quadrature})
          expect_equal(l, n, variant, outer, inner, jones_worland_points(l, n, n % 2 == 0 ? 1 : 2));
}

TEST_F(DeviceJonesWorland, TakesLongChains) {
  for (const Index l : {500, 501})
    for (const auto& [outer, inner] : {std::pair<Index, Index>{100, 1}, {1, 100}}) {
      expect_equal(l, 512, JonesWorlandVariant::rotations, outer, inner, 1024);
      expect_equal(l, 1025, JonesWorlandVariant::rotations, outer, inner, 1300);
    }
}

TEST_F(DeviceJonesWorland, RefusesWhatDoesNotFit) {
  const auto grid = std::make_shared<const JonesWorlandGrid>(16);
  const auto columns = cuda::make_jones_worland_columns(context_, grid, 1, 1);
  EXPECT_THROW(cuda::make_jones_worland_transform(columns, {grid, 2, 4, JonesWorlandVariant::pairs}), ShapeError);
  const auto other = std::make_shared<const JonesWorlandGrid>(17);
  EXPECT_THROW(cuda::make_jones_worland_transform(columns, {other, 2, 4}), ShapeError);
  EXPECT_THROW(cuda::make_jones_worland_columns(context_, grid, 0, 1), ShapeError);
}
#endif

}  // namespace
}  // namespace gwrm::jones_worland_device_test
