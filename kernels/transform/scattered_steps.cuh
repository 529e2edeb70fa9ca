// Chebyshev series at scattered points on the device: a warp takes the points of a block, two a lane.
//
// Contract: kernels/transform/scattered_sum.hpp
//
// The sum over the last axis is taken for kRows numbers of the axis before it at once: they share the functions T_m of
// the lane's points, which the recurrence gives on the way, and the points share the coefficients, which the warp lays
// into shared memory in tiles of kTile x kRows. Further axes are counted through around that, with one sum each.
//   Functions  with s = 1 - |xi| and t the sign of xi: T_k(xi) = t^k T_k(1 - s), d_k = d_{k-1} - 2 s T_k,
//              T_{k+1} = T_k + d_k, from d_{-1} = s (fast_rows of basis/chebyshev_rows.cpp is the same recurrence).
//   Speed      a tile's number costs every lane two multiply-adds and half a read of 16 bytes that all lanes share; a
//              function five operations for two points and kRows such numbers.
#pragma once

#include "kernels/transform/scattered_series.hpp"

namespace gwrm::scattered {

constexpr int kLanes = 32, kPoints = kScatteredWarp / kLanes;
constexpr int kTile =
    16;  // numbers of the last axis at a time; even: a function's parity is that of its place in a tile
constexpr int kPitch = kScatteredRows + 2;  // of a tile's rows, for fewer conflicts when it is written
constexpr int kTileNumbers = kTile * kPitch;

// Where the lane's points lie along an axis.
struct Positions {
  double distance[kPoints], side[kPoints];  // from the nearer end, in units of xi; on which side of the middle
};

// T_k of the points, k as often as next() was called.
struct Functions {
  double value[kPoints], difference[kPoints];
};

__device__ inline void begin(const Positions& at, Functions& f) {
#pragma unroll
  for (int i = 0; i < kPoints; ++i) {
    f.value[i] = 1.0;
    f.difference[i] = at.distance[i];
  }
}

__device__ inline void next(const Positions& at, Functions& f) {
#pragma unroll
  for (int i = 0; i < kPoints; ++i) {
    f.difference[i] -= 2.0 * at.distance[i] * f.value[i];
    f.value[i] += f.difference[i];
  }
}

__device__ inline double function(const Positions& at, const Functions& f, int i, bool odd) {
  return odd ? at.side[i] * f.value[i] : f.value[i];
}

__device__ inline double coordinate(const ScatteredSeries::Axis& axis, long long point) {
  return axis.points[axis.fixed ? 0 : point];
}

__device__ inline Positions positions(const ScatteredSeries::Axis& axis, const ScatteredInterval& interval,
                                      const long long (&points)[kPoints]) {
  Positions at;
#pragma unroll
  for (int i = 0; i < kPoints; ++i) {
    at.distance[i] = 1.0;
    at.side[i] = 1.0;
    if (axis.points == nullptr) continue;
    const double z = coordinate(axis, points[i]);
    double left = z - interval.lower, right = interval.upper - z;
    if (axis.logarithmic) {
      left = ::log1p(left / interval.lower);
      right = ::log1p(right / z);
    }
    const double distance = (left < right ? left : right) * interval.scale;
    at.distance[i] = distance < 1.0 ? distance : 1.0;
    at.side[i] = left < right ? -1.0 : 1.0;
  }
  return at;
}

// tile[m kPitch + r] = c[(row + r) outer.stride + (first + m) inner.stride], zero where there is none.
template <int kRows>
__device__ void lay_tile(const double* c, const ScatteredSeries::Axis& outer, const ScatteredSeries::Axis& inner,
                         int row, int first, double* tile) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes, m = lane % kTile;
  __syncwarp();  // the last tile has been read
#pragma unroll
  for (int r = lane / kTile; r < kRows; r += kLanes / kTile)
    tile[m * kPitch + r] =
        row + r < outer.n && first + m < inner.n ? c[(row + r) * outer.stride + (first + m) * inner.stride] : 0.0;
  __syncwarp();
}

// total[i] = sum_k T_k(outer) sum_m T_m(inner) c[k outer.stride + m inner.stride]
template <int kRows>
__device__ void sum_plane(const double* c, const ScatteredSeries::Axis& outer, const ScatteredSeries::Axis& inner,
                          const Positions& outer_at, const Positions& inner_at, double* tile,
                          double (&total)[kPoints]) {
  Functions g, f;
  begin(outer_at, g);
#pragma unroll
  for (int i = 0; i < kPoints; ++i) total[i] = 0.0;
  for (int row = 0; row < outer.n; row += kRows) {
    double sums[kRows][kPoints];
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int i = 0; i < kPoints; ++i) sums[r][i] = 0.0;
    begin(inner_at, f);
    for (int first = 0; first < inner.n; first += kTile) {
      lay_tile<kRows>(c, outer, inner, row, first, tile);
      const int count = inner.n - first < kTile ? inner.n - first : kTile;
      for (int pair = 0; pair < count; pair += 2)
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
          double values[kPoints];
#pragma unroll
          for (int i = 0; i < kPoints; ++i) values[i] = function(inner_at, f, i, odd != 0);
          const double* numbers = tile + (pair + odd) * kPitch;
#pragma unroll
          for (int r = 0; r < kRows; ++r)
#pragma unroll
            for (int i = 0; i < kPoints; ++i) sums[r][i] += numbers[r] * values[i];
          next(inner_at, f);
        }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int i = 0; i < kPoints; ++i) total[i] += function(outer_at, g, i, ((row + r) & 1) != 0) * sums[r][i];
      next(outer_at, g);
    }
  }
}

// The values of one block. `tile`: kTileNumbers doubles of shared memory, at a multiple of 16 bytes, this warp's own.
template <int kRows>
__device__ void sum_block(const ScatteredSeries& series, const ScatteredPlaces& block, double* tile, double* values) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  long long points[kPoints];
#pragma unroll
  for (int i = 0; i < kPoints; ++i) {
    const int place = lane + i * kLanes;
    points[i] = block.first + (place < block.count ? place : block.count - 1);  // those behind the last: the last again
  }
  const ScatteredSeries::Axis none{};
  const ScatteredInterval anywhere{};
  const ScatteredInterval* intervals =
      series.n_axes > 0 ? series.intervals + static_cast<long long>(block.piece) * series.n_axes : &anywhere;
  const int n_above = series.n_axes > 2 ? series.n_axes - 2 : 0;
  const ScatteredSeries::Axis& inner = series.n_axes > 0 ? series.axes[series.n_axes - 1] : none;
  const ScatteredSeries::Axis& outer = series.n_axes > 1 ? series.axes[n_above] : none;
  const Positions inner_at = positions(inner, intervals[series.n_axes > 0 ? series.n_axes - 1 : 0], points);
  const Positions outer_at = positions(outer, intervals[n_above], points);

  // Axis a of those above: number index[a] of its functions, its sum so far.
  Positions above_at[kScatteredAxes - 2];
  Functions above[kScatteredAxes - 2];
  double sums[kScatteredAxes - 2][kPoints];
  int index[kScatteredAxes - 2];
  for (int a = 0; a < n_above; ++a) {
    above_at[a] = positions(series.axes[a], intervals[a], points);
    begin(above_at[a], above[a]);
    index[a] = 0;
    for (int i = 0; i < kPoints; ++i) sums[a][i] = 0.0;
  }

  const double* c = series.coefficients + series.starts[block.piece];
  double total[kPoints];
  for (bool more = true; more;) {
    sum_plane<kRows>(c, outer, inner, outer_at, inner_at, tile, total);
    // What is complete is a number of the axis above.
    more = false;
    for (int a = n_above - 1; a >= 0 && !more; --a) {
      const ScatteredSeries::Axis& axis = series.axes[a];
      for (int i = 0; i < kPoints; ++i)
        sums[a][i] += function(above_at[a], above[a], i, (index[a] & 1) != 0) * total[i];
      c += axis.stride;
      more = ++index[a] < axis.n;
      if (more) {
        next(above_at[a], above[a]);
        continue;
      }
      for (int i = 0; i < kPoints; ++i) {
        total[i] = sums[a][i];
        sums[a][i] = 0.0;
      }
      c -= axis.n * axis.stride;
      index[a] = 0;
      begin(above_at[a], above[a]);
    }
  }

  for (int a = 0; a < series.n_axes; ++a)
    for (int turn = 0; turn < series.axes[a].order; ++turn)
#pragma unroll
      for (int i = 0; i < kPoints; ++i) total[i] /= coordinate(series.axes[a], points[i]);
#pragma unroll
  for (int i = 0; i < kPoints; ++i)
    if (lane + i * kLanes < block.count) values[points[i]] = total[i];
}

}  // namespace gwrm::scattered
