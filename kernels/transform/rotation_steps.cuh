// Chains of rotations on the device: a column stays in the registers of its lanes through all pairs.
//
// Contract: kernels/transform/rotation_chain.hpp
//
// The rotations of a pair follow one another from row to row (forward: t_(k+1) = s_k t_k + c_k x_(k+1) is carried on,
// c_k t_k - s_k x_(k+1) stays behind), but row k of the next pair needs only rows up to k + 1 of this one: pairs follow
// each other through the lanes as a wave. Lane t has kRows consecutive places; at step S it takes pair S - t through
// them, from what lane t - 1 handed on in step S - 1, and hands on what it carries. Four operations an entry and pair,
// the fewest there are, one exchange a step, n_pairs + lanes - 1 steps.
//   Place p has row p - d i before pair i: what stays behind takes the place of what came, so that all rows move
//   towards lane 0 by themselves, and rows that are dropped fall off the end. In the places of rows below zero and in
//   steps before and behind a lane's pairs the table says what does no harm:
//     rotation k = p - d i - d < 0        s = 0, c = 1    carried on: what was there
//     no pair                             s = -1, c = 0   stays: what was there
//   Backward the same rotations are undone by the same operations, from the last place to the first and the last pair
//   to the first: places are counted from the end, pairs too.
// Table     of step S and register j of lane t:  (s, c) at (S kRows + j) n_lanes + t, so that a warp reads neighbours.
// Lanes     those of a warp, or of all warps of a block where a column is longer than the registers of one: then warps
//           hand on through shared memory, a barrier a step.
#pragma once

#include "kernels/transform/rotation_family.hpp"

namespace gwrm::rotations {

inline constexpr int kLanes = 32;
struct SineCosine {
  double s, c;
};

// s_n and c_n of the pair that begins at an order.
__device__ inline SineCosine rotation_of(RotationFamily family, double l, double n) {
  if (family == RotationFamily::jones_worland) {
    const double below = (n + l + 1.5) * (n + l + 1.0);
    return {-::sqrt((n + 1.0) * (n + 0.5) / below), ::sqrt((l + 0.5) * (2.0 * n + l + 2.0) / below)};
  }
  if (family == RotationFamily::energy) {
    const double below = n + l + 2.5;
    return {-(n + 1.0) / below, ::sqrt((l + 1.5) * (2.0 * n + l + 3.5)) / below};
  }
  const double below = (n + 2.0 * l + 3.0) * (n + 2.0 * l + 4.0);
  return {::sqrt((n + 1.0) * (n + 2.0) / below), ::sqrt((2.0 * l + 2.0) * (2.0 * n + 2.0 * l + 5.0) / below)};
}

// How a chain lies in lanes.
struct WaveShape {
  RotationFamily family;
  long long first_order, n_pairs, n_rows;  // n_rows of the first order
  int distance, rows_of_lane, n_lanes;
  bool forward;
  // Of register j of lane t.
  __host__ __device__ long long place(long long t, long long j) const {
    const long long k = t * rows_of_lane + j;
    return forward ? k : static_cast<long long>(rows_of_lane) * n_lanes - 1 - k;
  }
  __host__ __device__ long long n_steps() const { return n_pairs + n_lanes - 1; }
  __host__ __device__ long long n_numbers() const { return n_steps() * rows_of_lane * n_lanes; }
};

// Number `index` of the table.
__device__ inline SineCosine wave_number(const WaveShape& shape, long long index) {
  const long long t = index % shape.n_lanes, j = index / shape.n_lanes % shape.rows_of_lane,
                  turn = index / shape.n_lanes / shape.rows_of_lane - t;
  if (turn < 0 || turn >= shape.n_pairs) return {-1.0, 0.0};
  const long long pair = shape.forward ? turn : shape.n_pairs - 1 - turn;
  const long long k = shape.place(t, j) - shape.distance * (pair + 1);
  if (k < 0) return {0.0, 1.0};
  return rotation_of(shape.family, static_cast<double>(shape.first_order + 2 * pair), static_cast<double>(k));
}

// Where columns are: tensors outer x rows x inner, row-major; column number c has c / inner before its rows and
// c % inner behind them. `from` and `to` may be the same if rows_from = rows_to.
struct RotatedColumns {
  const double* from;
  double* to;
  long long rows_from, rows_to, n_columns, inner;

  __host__ __device__ static long long start(long long column, long long rows, long long inner) {
    return column / inner * rows * inner + column % inner;
  }
};

// kColumns columns one after the other in every lane's registers, kWarps warps a column; n rows of the last order.
// `handed`: 2 kWarps kDistance kColumns doubles of shared memory, of blocks with one group of columns alone.
template <int kRows, int kColumns, int kWarps, int kDistance>
__device__ void rotate_columns(const WaveShape& shape, long long n, const RotatedColumns& columns,
                               long long first_column, const SineCosine* table, double* handed) {
  constexpr int kAll = kWarps * kLanes;
  const int lane = static_cast<int>(threadIdx.x) % kAll, lane_of_warp = lane % kLanes, warp = lane / kLanes;
  const long long shift = shape.distance * shape.n_pairs;
  const long long before = shape.forward ? 0 : shift, behind = shape.forward ? shift : 0;  // row 0's place
  const long long n_before = shape.forward ? shape.n_rows : n, n_behind = shape.forward ? n : shape.n_rows;

  double rows[kRows][kColumns];
#pragma unroll
  for (int k = 0; k < kColumns; ++k) {
    const long long column = first_column + k;
    const double* from = columns.from + RotatedColumns::start(column, columns.rows_from, columns.inner);
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const long long row = shape.place(lane, j) - before;
      const bool exists = row >= 0 && row < n_before && column < columns.n_columns;
      rows[j][k] = exists ? from[row * columns.inner] : 0.0;
    }
  }

  // What is handed on: the values of the last kDistance places, in the order of the wave.
  double carried[kDistance][kColumns];
#pragma unroll
  for (int d = 0; d < kDistance; ++d)
#pragma unroll
    for (int k = 0; k < kColumns; ++k) carried[d][k] = 0.0;
  const long long n_steps = shape.n_steps();
  for (long long step = 0; step < n_steps; ++step) {
    const SineCosine* numbers = table + step * kRows * kAll + lane;
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const SineCosine rotation = numbers[j * kAll];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const double old = carried[0][k], here = rows[j][k];
        rows[j][k] = rotation.c * old - rotation.s * here;
        const double next = rotation.s * old + rotation.c * here;
#pragma unroll
        for (int d = 0; d + 1 < kDistance; ++d) carried[d][k] = carried[d + 1][k];
        carried[kDistance - 1][k] = next;
      }
    }
    // To the next lane; across warps by way of shared memory, twice so that nobody overwrites what is still read.
    double* room = handed + (step % 2) * kWarps * kDistance * kColumns;
    if constexpr (kWarps > 1) {
      if (lane_of_warp == kLanes - 1) {
#pragma unroll
        for (int d = 0; d < kDistance; ++d)
#pragma unroll
          for (int k = 0; k < kColumns; ++k) room[(warp * kDistance + d) * kColumns + k] = carried[d][k];
      }
      __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < kDistance; ++d)
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const double next = __shfl_up_sync(0xffffffffu, carried[d][k], 1);
        carried[d][k] = lane_of_warp > 0 ? next : warp > 0 ? room[((warp - 1) * kDistance + d) * kColumns + k] : 0.0;
      }
  }

#pragma unroll
  for (int k = 0; k < kColumns; ++k) {
    const long long column = first_column + k;
    double* to = columns.to + RotatedColumns::start(column, columns.rows_to, columns.inner);
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const long long row = shape.place(lane, j) - behind;
      if (row >= 0 && row < n_behind && column < columns.n_columns) to[row * columns.inner] = rows[j][k];
    }
  }
}

}  // namespace gwrm::rotations
