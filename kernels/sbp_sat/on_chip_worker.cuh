// The workers of a block of kernels/sbp_sat/device_cg_on_chip.cu.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include "kernels/sbp_sat/on_chip_block.cuh"

namespace gwrm::cuda::on_chip {

// The other warps: A z in the interior columns and all updates; a thread has `columns` neighbouring columns.
template <int columns, bool jacobi>
__device__ void work(const Operator& a, const Strips& strips, const Exchange& exchange, int first, int counted_from,
                     Common& common, Vectors<columns>& vectors, const double* b, double* x_out) {
  constexpr int n_sums = jacobi ? 3 : 2;
  const int t = threadIdx.x, lane = t % kWarpSize, warp = t / kWarpSize, block = blockIdx.x, n = a.fast.n;
  const bool is_lowest = block == 0, is_highest = block == strips.n_blocks - 1;
  const auto is_interior = [&](int c) { return t * columns + c >= kEnd && t * columns + c < n - kEnd; };
  const auto kind = [&](int c) { return a.fast.kind(min(t * columns + c, n - 1)); };
  double z[columns][kRows + 2], p[columns][kRows];
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    const int i = t * columns + c;
#pragma unroll
    for (int k = 0; k < kRows + 2; ++k) {
      const int j = first - 1 + k;
      const bool exists = i < n && j >= 0 && j < a.slow.n;
      z[c][k] = exists ? common.inverse[k][kind(c)] * b[static_cast<long long>(j) * n + i] : 0.0;
    }
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      p[c][row] = 0.0;
      vectors.x[row][c][t] = vectors.s[row][c][t] = 0.0;
    }
    vectors.s_outside[0][c][t] = vectors.s_outside[1][c][t] = 0.0;
  }
  const auto show_z = [&] {
    if (lane == 0) {
#pragma unroll
      for (int row = 0; row < kRows; ++row) common.left_ends[warp + 1][row] = z[0][row + 1];
    }
    if (lane == kWarpSize - 1) {
#pragma unroll
      for (int row = 0; row < kRows; ++row) common.right_ends[warp + 1][row] = z[columns - 1][row + 1];
    }
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int i = t * columns + c, corner = i < kWidth ? i : i - n + 2 * kWidth;
      if (i >= kWidth && (corner < kWidth || i >= n)) continue;
#pragma unroll
      for (int k = 0; k < kRows + 2; ++k) common.corners[k][corner] = z[c][k];
    }
  };
  show_z();
  // The rows of w that the neighbours want.
  const int row_below = counted_from, row_above = is_highest ? 0 : strips.first(block + 1) - 1 - first;
  constexpr int kEdge = columns * kWorkers;
  double alpha = 0.0;
  for (int iteration = 0;; ++iteration) {
    const auto tag = static_cast<unsigned>(iteration) + 1;
    meet();  // z is there
    double zz[columns] = {}, zw[columns] = {}, rr[columns] = {};
    double outside[kRows];  // of the outer lanes' neighbours
    const auto* ends =
        reinterpret_cast<const double2*>(lane == 0 ? common.right_ends[warp] : common.left_ends[warp + 2]);
#pragma unroll
    for (int k = 0; k < kRows / 2; ++k) {
      const double2 two = ends[k];
      outside[2 * k] = two.x;
      outside[2 * k + 1] = two.y;
    }
    // w = A z in rows [begin, end) by image(column, row, sum of both neighbours in the row), and the sums.
    const auto apply = [&](int begin, int end, auto image) {
#pragma unroll
      for (int row = begin; row < end; ++row) {
        double from_left = __shfl_up_sync(kAllLanes, z[columns - 1][row + 1], 1);
        double from_right = __shfl_down_sync(kAllLanes, z[0][row + 1], 1);
        if (lane == 0) from_left = outside[row];
        if (lane == kWarpSize - 1) from_right = outside[row];
        const double diagonal = jacobi ? common.diagonal[row + 1][kEnd] : 1.0;
#pragma unroll
        for (int c = 0; c < columns; ++c) {
          const double left = c == 0 ? from_left : z[c - (c > 0)][row + 1];
          const double right = c == columns - 1 ? from_right : z[c + (c < columns - 1)][row + 1];
          const double here = z[c][row + 1], w = image(c, row, left + right);
          vectors.w[row][c][t] = w;
          if (row < counted_from) continue;
          const double residual = jacobi ? diagonal * here : here;
          zz[c] += residual * here;
          zw[c] += w * here;
          if (jacobi) rr[c] += residual * residual;
        }
      }
    };
    const auto interior = [&](int c, int row, double v) {
      return a.here * z[c][row + 1] + a.slow_neighbour * (z[c][row] + z[c][row + 2]) + a.fast_neighbour * v;
    };
    // kind: of the row, less its number; first_row: of those that a closure combines.
    const auto closure = [&](int kind, int first_row) {
      return [&, kind, first_row](int c, int row, double v) {
        double along_slow = 0.0;
#pragma unroll
        for (int k = 0; k < kWidth; ++k) along_slow += a.slow.entries[kind + row][k] * z[c][first_row + k + 1];
        const double along_fast = a.fast.entries[kEnd][1] * z[c][row + 1] + a.fast.entries[kEnd][0] * v;
        return a.fast.weights[kEnd] * along_slow + a.slow.weights[kind + row] * along_fast;
      };
    };
    if (is_lowest)
      apply(0, kEnd, closure(0, 0));
    else
      apply(0, kEnd, interior);
    apply(kEnd, kRows - kEnd, interior);
    if (is_highest)
      apply(kRows - kEnd, kRows, closure(kKinds - kRows, kRows - kWidth));
    else
      apply(kRows - kEnd, kRows, interior);
    double sums[n_sums] = {};
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      if (!is_interior(c)) continue;
      sums[0] += zz[c];
      sums[1] += zw[c];
      if constexpr (jacobi) sums[2] += rr[c];
    }
    warp_sums(sums);
#pragma unroll
    for (int k = 0; k < n_sums; ++k)
      if (lane == lane_of(k)) common.of_warps[k][warp] = sums[k];
    meet();  // the sums of the warps are there
    meet();  // w is complete, the block's sums are on their way

    Tagged* edges = exchange.edges + 2LL * kEdge * (iteration % 2) * strips.n_blocks;
    Tagged* own = edges + 2LL * kEdge * block;
    const Tagged* lower = own - kEdge;
    const Tagged* upper = own + 2 * kEdge;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const int place = c * kWorkers + t;
      if (!is_lowest) publish(&own[place], vectors.w[row_below][c][t], tag);
      if (!is_highest) publish(&own[kEdge + place], vectors.w[row_above][c][t], tag);
    }
    meet();  // the step is there
    const double alpha_before = alpha, beta = common.beta;
    if (!common.goes_on) {
      // x lacks the last step where it has an odd number.
#pragma unroll
      for (int c = 0; c < columns; ++c) {
        const int i = t * columns + c;
        if (i >= n) continue;
        for (int row = counted_from; row < kRows; ++row)
          x_out[static_cast<long long>(first + row) * n + i] = vectors.x[row][c][t];
        if (iteration % 2 == 0) continue;
#pragma unroll
        for (int row = 0; row < kRows; ++row)
          if (row >= counted_from) x_out[static_cast<long long>(first + row) * n + i] += alpha * p[c][row];
      }
      return;
    }
    alpha = common.alpha;
    if (iteration % 2 == 1) {  // two steps of x at once
#pragma unroll
      for (int c = 0; c < columns; ++c)
#pragma unroll
        for (int row = 0; row < kRows; ++row)
          vectors.x[row][c][t] += alpha_before * p[c][row] + alpha * (z[c][row + 1] + beta * p[c][row]);
    }
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const Tagged *w_below = &lower[c * kWorkers + t], *w_above = &upper[c * kWorkers + t];
      Tagged found_below, found_above;  // on their way while the column is updated
      if (!is_lowest) found_below = look_at(w_below);
      if (!is_highest) found_above = look_at(w_above);
#pragma unroll
      for (int row = 0; row < kRows; ++row) {
        double& s = vectors.s[row][c][t];
        double& value = z[c][row + 1];
        p[c][row] = value + beta * p[c][row];
        s = vectors.w[row][c][t] + beta * s;
        value -= (jacobi ? alpha * common.inverse[row + 1][kind(c)] : alpha) * s;
      }
      const auto update_outside = [&](int which, int k, double w) {
        double& s = vectors.s_outside[which][c][t];
        s = w + beta * s;
        z[c][k] -= (jacobi ? alpha * common.inverse[k][kind(c)] : alpha) * s;
      };
      if (!is_lowest) update_outside(0, 0, await(w_below, found_below, tag));
      if (!is_highest) update_outside(1, kRows + 1, await(w_above, found_above, tag));
    }
    show_z();
  }
}

}  // namespace gwrm::cuda::on_chip
