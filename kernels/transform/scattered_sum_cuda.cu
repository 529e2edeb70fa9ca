#include "core/device_handles.cuh"
//
#include <algorithm>
#include <string>
#include <type_traits>

#include "core/errors.hpp"
#include "kernels/transform/scattered_steps.cuh"
#include "kernels/transform/scattered_sum.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kResident = 16;  // warps of a multiprocessor: 128 registers a lane, of which the sums take 64

// A warp for each block of points: its coefficients are its own business, no other warp waits for it.
template <int kRows>
__global__ void __launch_bounds__(scattered::kLanes, kResident)
    scattered_sum_kernel(const ScatteredSeries series, const ScatteredPlaces* __restrict__ blocks, double* values) {
  __shared__ __align__(16) double tile[scattered::kTileNumbers];
  scattered::sum_block<kRows>(series, blocks[blockIdx.x], tile, values);
}

// launch(std::integral_constant<int, rows>) for an even number of rows, or 1.
template <int kRows = kScatteredRows, class Launch>
void with_rows(int n_rows, const Launch& launch) {
  if constexpr (kRows > 2)
    if (n_rows < kRows) return with_rows<kRows - 2>(n_rows, launch);
  if (n_rows == 1) return launch(std::integral_constant<int, 1>{});
  launch(std::integral_constant<int, kRows>{});
}

void check_series(const ScatteredSeries& series) {
  if (series.n_axes < 0 || series.n_axes > kScatteredAxes)
    throw ShapeError("series at scattered points: " + std::to_string(series.n_axes) + " dimensions, expected 0 to " +
                     std::to_string(kScatteredAxes));
  for (int a = 0; a < series.n_axes; ++a)
    if (series.axes[a].n < 1 || (series.axes[a].n > 1 && series.axes[a].points == nullptr))
      throw ShapeError("series at scattered points: " + std::to_string(series.axes[a].n) +
                       " coefficients along a dimension, expected 1 or more, and points");
}

}  // namespace

void scattered_sum(const Context& context, const ScatteredSeries& series, const ScatteredPlaces* blocks, Index n_blocks,
                   double* values) {
  check_series(series);
  if (n_blocks <= 0) return;
  const int n_rows = series.n_axes < 2 ? 1 : scattered_rows(series.axes[series.n_axes - 2].n);
  with_rows(n_rows, [&](auto rows) {
    scattered_sum_kernel<decltype(rows)::value>
        <<<static_cast<unsigned>(n_blocks), scattered::kLanes, 0, context.device()->stream>>>(series, blocks, values);
    GWRM_LAUNCHED(scattered_sum_kernel);
  });
}

}  // namespace gwrm::cuda
