// The device code of series at scattered points, run on the host, against the definition in
// quadruple precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/host_warps.cuh"
#include "kernels/scattered_series.hpp"
//
#include "kernels/transform/scattered_steps.cuh"

namespace gwrm::scattered_kernels_test {
namespace {

template <int kRows>
void expect_sums(test::ScatteredSample sample) {
  const ScatteredSeries series = sample.series();
  std::vector<double> values(sample.n_points(), NAN);
  std::vector<double> tile(scattered::kTileNumbers);
  test::HostBlocks::run(static_cast<unsigned>(sample.blocks.size()), scattered::kLanes, [&] {
    scattered::sum_block<kRows>(series, sample.blocks[blockIdx.x], tile.data(), values.data());
  });
  sample.expect_values(values);
}

TEST(ScatteredKernels, AreTheSums) {
  expect_sums<1>({{}, 3});
  expect_sums<1>({{1}, 70});
  expect_sums<1>({{33}, 129});
  expect_sums<2>({{1, 5}, 64});
  expect_sums<16>({{17, 16}, 65});
  expect_sums<4>({{7, 31}, 200});
  expect_sums<6>({{2, 6, 5}, 130});
  expect_sums<2>({{3, 1, 2, 4}, 40});
  expect_sums<4>({{2, 1, 3, 4, 2}, 10});
}

TEST(ScatteredKernels, RowsAreFewAndEven) {
  for (int n = 1; n <= 2049; ++n) {
    const int rows = scattered_rows(n), groups = (n + rows - 1) / rows;
    EXPECT_TRUE(rows == 1 ? n == 1 : rows % 2 == 0 && rows <= kScatteredRows) << n;
    EXPECT_LE(groups * rows - n, groups + rows) << n;
  }
}

}  // namespace
}  // namespace gwrm::scattered_kernels_test
