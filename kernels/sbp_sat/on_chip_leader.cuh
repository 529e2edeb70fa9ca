// The leader of a block of kernels/sbp_sat/device_cg_on_chip.cu.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include "kernels/sbp_sat/on_chip_block.cuh"

namespace gwrm::cuda::on_chip {

// The last warp of a block: the sums of all blocks, the step that follows from them, and A z in the columns of the
// closures, where a lane has one or two points.
template <int columns, bool jacobi>
__device__ void lead(const Operator& a, const Strips& strips, const Exchange& exchange, int first, int counted_from,
                     Common& common, Vectors<columns>& vectors, double* history, CgState* state) {
  constexpr int n_sums = jacobi ? 3 : 2, n_points = kRows * 2 * kEnd;
  constexpr int n_rounds = (n_points + kWarpSize - 1) / kWarpSize, n_reads = kMaxBlocks / kWarpSize;
  const int lane = threadIdx.x % kWarpSize, block = blockIdx.x;
  struct Point {
    bool exists, counts;
    int row, begin;    // of the strip; of the entries along slow, in `corners`
    int here, column;  // in `corners`; of the grid
    double slow[kWidth], fast[kWidth], slow_weight, fast_weight, diagonal;
  } points[n_rounds];
#pragma unroll
  for (int k = 0; k < n_rounds; ++k) {
    Point& point = points[k];
    const int item = lane + k * kWarpSize;
    point.exists = item < n_points;
    point.row = point.exists ? item / (2 * kEnd) : 0;
    const int e = item % (2 * kEnd), j = first + point.row;
    const int slow = a.slow.kind(j), fast = e < kEnd ? e : e + 1;
    point.counts = point.exists && point.row >= counted_from;
    point.begin = a.slow.begin(j) - first + 1;
    point.here = e < kEnd ? e : e + 2;
    point.column = e < kEnd ? e : a.fast.n - 2 * kEnd + e;
    for (int m = 0; m < kWidth; ++m) {
      point.slow[m] = a.slow.entries[slow][m];
      point.fast[m] = a.fast.entries[fast][m];
    }
    point.slow_weight = a.slow.weights[slow];
    point.fast_weight = a.fast.weights[fast];
    point.diagonal =
        jacobi ? a.slow.diagonal[slow] * point.fast_weight + point.slow_weight * a.fast.diagonal[fast] : 1.0;
  }
  const double stop = state->stop;
  const int max_iterations = state->max_iterations;
  double inverse_gamma = 0.0, inverse_alpha = 0.0;  // of the iteration before
  for (int iteration = 0;; ++iteration) {
    const int parity = iteration % 2;
    const auto tag = static_cast<unsigned>(iteration) + 1;
    double sums[n_sums] = {};  // r.z, w.z, r.r
    double images[n_rounds];
    meet();  // z is there
#pragma unroll
    for (int k = 0; k < n_rounds; ++k) {
      const Point& point = points[k];
      const int begin = point.here < kWidth ? 0 : kWidth;
      const double here = common.corners[point.row + 1][point.here];
      double along_slow = 0.0, along_fast = 0.0;
#pragma unroll
      for (int m = 0; m < kWidth; ++m) {
        along_slow += point.slow[m] * common.corners[point.begin + m][point.here];
        along_fast += point.fast[m] * common.corners[point.row + 1][begin + m];
      }
      const double image = images[k] = point.fast_weight * along_slow + point.slow_weight * along_fast;
      if (!point.counts) continue;
      const double residual = jacobi ? point.diagonal * here : here;
      sums[0] += residual * here;
      sums[1] += image * here;
      if constexpr (jacobi) sums[2] += residual * residual;
    }
    meet();  // the sums of the warps are there, and what the workers have found for the closures, which is wrong
#pragma unroll
    for (int k = 0; k < n_rounds; ++k)
      if (points[k].exists)
        vectors.w[points[k].row][points[k].column % columns][points[k].column / columns] = images[k];
#pragma unroll
    for (int k = 0; k < n_sums; ++k)
      if (lane < kWorkerWarps) sums[k] += common.of_warps[k][lane];
    warp_sums(sums);
    Tagged* all_sums = exchange.sums + kMaxTotals * parity * strips.n_blocks;
#pragma unroll
    for (int k = 0; k < n_sums; ++k)
      if (lane == lane_of(k)) publish(&all_sums[k * strips.n_blocks + block], sums[k], tag);
    meet();  // w is complete; the neighbours' rows are not in the way of the sums
    // Every block adds all of them up in the same order.
    bool complete;
    do {
      complete = true;
#pragma unroll
      for (int k = 0; k < n_sums; ++k) {
        Tagged found[n_reads];
#pragma unroll
        for (int m = 0; m < n_reads; ++m)
          found[m] = look_at(&all_sums[k * strips.n_blocks + min(lane + m * kWarpSize, strips.n_blocks - 1)]);
        sums[k] = 0.0;
#pragma unroll
        for (int m = 0; m < n_reads; ++m) {
          complete = complete && found[m].low_tag == tag && found[m].high_tag == tag;
          if (lane + m * kWarpSize < strips.n_blocks) sums[k] += number(found[m]);
        }
      }
    } while (!__all_sync(kAllLanes, complete));
    warp_sums(sums);
    sums[0] = __shfl_sync(kAllLanes, sums[0], lane_of(0));
    sums[1] = __shfl_sync(kAllLanes, sums[1], lane_of(1));
    const double gamma = sums[0], square = sums[jacobi ? 2 : 0];
    const double beta = gamma * inverse_gamma, curvature = sums[1] - beta * gamma * inverse_alpha;
    inverse_gamma = reciprocal(gamma);
    inverse_alpha = curvature * inverse_gamma;
    // The same bits in every block: all leave together.
    const bool goes_on = square > stop && isfinite(square) && iteration < max_iterations && curvature > 0.0;
    if (lane == 0) {
      common.alpha = gamma * reciprocal(curvature);
      common.beta = beta;
      common.goes_on = goes_on;
    }
    meet();  // the step is there
    if (block == 0 && lane == 0) history[iteration] = sqrt(square);
    if (goes_on) continue;
    if (block == 0 && lane == 0) {
      state->iteration = iteration;
      end_cg(state, !isfinite(square)             ? DeviceCgStatus::not_finite
                    : square <= stop              ? DeviceCgStatus::converged
                    : iteration >= max_iterations ? DeviceCgStatus::stalled
                                                  : DeviceCgStatus::not_definite);
    }
    return;
  }
}

}  // namespace gwrm::cuda::on_chip
