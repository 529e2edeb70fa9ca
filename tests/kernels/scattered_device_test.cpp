// Series at scattered points on the device against their definition in quadruple precision.
#include <gtest/gtest.h>

#include <vector>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/scattered_series.hpp"
#include "kernels/transform/scattered_sum.hpp"

namespace gwrm::scattered_device_test {
namespace {

#if GWRM_HAVE_CUDA
class DeviceScattered : public test::DeviceTest {
 protected:
  std::vector<double> values(const test::ScatteredSample& sample) const {
    ScatteredSeries series = sample.series();
    ContextArray<double> coefficients(context_, sample.coefficients),
        result(context_, std::vector<double>(sample.n_points(), NAN));
    ContextArray<long long> starts(context_, sample.starts);
    ContextArray<ScatteredInterval> intervals(context_, sample.intervals);
    ContextArray<ScatteredPlaces> blocks(context_, sample.blocks);
    std::vector<ContextArray<double>> points;
    for (const auto& along : sample.points) points.emplace_back(context_, along);
    for (std::size_t a = 0; a < points.size(); ++a) series.axes[a].points = points[a].data();
    series.coefficients = coefficients.data();
    series.starts = starts.data();
    series.intervals = intervals.data();
    cuda::scattered_sum(context_, series, blocks.data(), static_cast<Index>(sample.blocks.size()), result.data());
    return result.values();
  }
};

TEST_F(DeviceScattered, AreTheSums) {
  for (const int n : {1, 2, 31, 32, 33, 255, 256, 257, 1000}) {
    const test::ScatteredSample line({n}, 70);
    line.expect_values(values(line));
  }
  // Every number of rows at once.
  for (int rows = 1; rows <= 35; ++rows) {
    const test::ScatteredSample plane({rows, 1 + rows * 7 % 40}, 65);
    plane.expect_values(values(plane));
  }
  for (const std::vector<int>& extents : std::vector<std::vector<int>>{
           {}, {1, 1, 1}, {2, 6, 5}, {25, 24, 17}, {3, 1, 2, 4}, {2, 1, 3, 4, 2}, {2, 1, 1, 2, 3, 1, 2, 3}}) {
    const test::ScatteredSample sample(extents, 130);
    sample.expect_values(values(sample));
  }
}

TEST_F(DeviceScattered, BlocksOfAnyLengthAndTheSameBits) {
  for (const int count : {1, 2, 31, 32, 33, 63, 64, 65, 1000}) {
    const test::ScatteredSample sample({5, 9}, count);
    const std::vector<double> found = values(sample);
    sample.expect_values(found);
    EXPECT_EQ(found, values(sample));
  }
}

TEST_F(DeviceScattered, RefusesWhatIsNoSeries) {
  ScatteredSeries series;
  series.n_axes = kScatteredAxes + 1;
  EXPECT_THROW(cuda::scattered_sum(context_, series, nullptr, 1, nullptr), ShapeError);
  series.n_axes = 1;
  series.axes[0].n = 0;
  EXPECT_THROW(cuda::scattered_sum(context_, series, nullptr, 1, nullptr), ShapeError);
  series.axes[0].n = 2;  // without points
  EXPECT_THROW(cuda::scattered_sum(context_, series, nullptr, 1, nullptr), ShapeError);
  series.axes[0].n = 1;
  cuda::scattered_sum(context_, series, nullptr, 0, nullptr);
}
#endif

}  // namespace
}  // namespace gwrm::scattered_device_test
