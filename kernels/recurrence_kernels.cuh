// The device code of the Poisson block recurrence, for right-hand sides in memory (compiled with the program) and for
// expressions (compiled at run time, which is why this file includes nothing itself: double_double.hpp stands before
// it).
//
// A warp owns consecutive points. The moments  Z0 = sum f_i, Z1 = sum i f_i  are plain sums, so the first pass may run
// over the points in any order: neighbouring lanes take neighbouring points. With them the state before point p is
//   s_p = s_0 - Z0(p),   w_p = w_0 + F (p s_0 - p Z0(p) + Z1(p)),     Z(p): of the points before p,
// in double-double; the cancellation between p Z0 and Z1 costs at most 16 of its 32 digits. Within a tile of 512 points
// the second pass works in double on the deviation from the tile's start.

#pragma once

namespace gwrm {
namespace recurrence {

constexpr int kLanes = 32;
constexpr int kWarps = 8;  // of a block
constexpr int kThreads = kLanes * kWarps;
constexpr int kItems = 16;              // consecutive points of a lane: their values stay in registers
constexpr int kTile = kLanes * kItems;  // points of a warp between two scans
constexpr int kRow = kItems + 1;        // padded: a column of 8-byte values meets every bank once
constexpr int kFlush = 4;               // tiles summed in double before they go to double-double
constexpr unsigned kAll = 0xffffffffu;

struct Moments {
  DoubleDouble zero, one;  // sum f_i, sum i f_i
};

// The state before point 0 as an affine function of all moments: state = constant + by_zero Z0 + by_one Z1.
struct DeviceClosure {
  DoubleDouble constant[2], by_zero[2], by_one[2];
};

struct FillConstants {
  DoubleDouble scale;  // F
  double correction;   // c
};

__device__ inline DoubleDouble shuffled_down(DoubleDouble a, int distance) {
  return {__shfl_down_sync(kAll, a.high, distance), __shfl_down_sync(kAll, a.low, distance)};
}

// The sum over the warp, in every lane.
__device__ inline DoubleDouble warp_sum(DoubleDouble a) {
  for (int distance = kLanes / 2; distance > 0; distance /= 2) a = a + shuffled_down(a, distance);
  return {__shfl_sync(kAll, a.high, 0), __shfl_sync(kAll, a.low, 0)};
}

__device__ inline Moments warp_sum(Moments a) {
  return {warp_sum(a.zero), warp_sum(a.one)};
}

__device__ inline Moments operator+(Moments a, Moments b) {
  return {a.zero + b.zero, a.one + b.one};
}

// The tiles of a warp: all but the last warps have equally many.
struct Run {
  long long begin, end;  // points
};

__device__ inline Run run_of_warp(long long warp, long long n_points, long long tiles_per_warp) {
  const long long length = tiles_per_warp * kTile;
  const long long begin = warp * length < n_points ? warp * length : n_points;
  return {begin, begin + length < n_points ? begin + length : n_points};
}

// Pass 1. Writes the moments of each warp (over its own points, indices from 0) and of each block.
template <class Source>
__device__ void moments_of_block(const Source& source, long long n_points, long long tiles_per_warp, Moments* of_warps,
                                 Moments* of_blocks) {
  __shared__ Moments shared[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const Run run = run_of_warp(static_cast<long long>(blockIdx.x) * kWarps + warp, n_points, tiles_per_warp);
  constexpr int kMomentsUnrolled = Source::kStored ? 16 : 4;
  Moments sum{{0.0, 0.0}, {0.0, 0.0}};
  long long first = run.begin;
  for (; first < run.end; first += kFlush * kTile) {
    const long long begin = first + lane;
    const double index = static_cast<double>(begin);
    double total = 0.0, weighted = 0.0;  // sum f, sum (number of rounds from here on) f
    const int rounds =
        run.end - first >= kFlush * kTile ? kFlush * kItems : static_cast<int>((run.end - first + kLanes - 1) / kLanes);
    if (run.end - first >= kFlush * kTile) {
#pragma unroll kMomentsUnrolled
      for (int m = 0; m < kFlush * kItems; ++m) {
        total += source(begin + m * kLanes, index + m * kLanes);
        weighted += total;
      }
    } else {
      for (int m = 0; m < rounds; ++m) {
        const long long i = begin + m * kLanes;
        if (i < run.end) total += source(i, static_cast<double>(i));
        weighted += total;
      }
    }
    sum.zero = sum.zero + total;
    sum.one = sum.one + two_product(index + static_cast<double>(rounds) * kLanes, total) + -kLanes * weighted;
  }
  sum = warp_sum(sum);
  if (lane == 0) {
    shared[warp] = sum;
    of_warps[blockIdx.x * kWarps + warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int other = 1; other < kWarps; ++other) sum = sum + shared[other];
  of_blocks[blockIdx.x] = sum;
}

// The moments of all points (`all`) and of those of the blocks before this one.
__device__ inline void sum_of_blocks(const Moments* of_blocks, int n_blocks, Moments& before, Moments& all) {
  __shared__ Moments shared[2][kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const Moments nothing{{0.0, 0.0}, {0.0, 0.0}};
  before = all = nothing;
  for (int b = threadIdx.x; b < n_blocks; b += kThreads) {
    const Moments own = of_blocks[b];
    all = all + own;
    if (b < static_cast<int>(blockIdx.x)) before = before + own;
  }
  before = warp_sum(before);
  all = warp_sum(all);
  if (lane == 0) {
    shared[0][warp] = before;
    shared[1][warp] = all;
  }
  __syncthreads();
  before = all = nothing;
  for (int other = 0; other < kWarps; ++other) {
    before = before + shared[0][other];
    all = all + shared[1][other];
  }
}

__device__ inline DoubleDouble closed(const DeviceClosure& closure, int component, const Moments& all) {
  return closure.constant[component] + closure.by_zero[component] * all.zero + closure.by_one[component] * all.one;
}

// One tile, its values in registers: u to memory through shared memory, so that a warp writes consecutive points.
template <bool kCorrected, class Value>
__device__ inline void write_tile(double (&f)[kItems], double* staged, int lane, DoubleDouble w, double s, double d,
                                  const FillConstants& constants, long long begin, long long n_points, Value* u) {
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    double deviation = w.low + constants.scale.high * d;
    if constexpr (kCorrected) deviation -= constants.correction * f[j];
    staged[lane * kRow + j] = w.high + deviation;
    s -= f[j];
    d += s;
  }
  __syncwarp();
#pragma unroll
  for (int m = 0; m < kItems; ++m) {
    const int k = lane + m * kLanes;
    if (begin + k < n_points) u[begin + k] = static_cast<Value>(staged[k / kItems * kRow + k % kItems]);
  }
  __syncwarp();
}

// Values of a tile, consecutive ones in a lane; 0 behind the end. Neighbouring lanes read neighbouring points. An
// expression is written out four times only: sixteen cosines would not fit into the instruction cache.
template <class Source>
__device__ inline void read_tile(const Source& source, double* staged, int lane, long long begin, long long n_points,
                                 double (&f)[kItems]) {
  const double index = static_cast<double>(begin + lane);
  constexpr int kUnrolled = Source::kStored ? kItems : 4;
#pragma unroll kUnrolled
  for (int m = 0; m < kItems; ++m) {
    const int k = lane + m * kLanes;
    const bool inside = begin + k < n_points;
    staged[k / kItems * kRow + k % kItems] = inside ? source(begin + k, index + m * kLanes) : 0.0;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < kItems; ++j) f[j] = staged[lane * kRow + j];
  __syncwarp();
}

// Pass 2.
template <bool kCorrected, class Source, class Value>
__device__ void fill_block(const Source& source, long long n_points, long long tiles_per_warp, const Moments* of_warps,
                           const Moments* of_blocks, int n_blocks, const DeviceClosure& closure,
                           const FillConstants& constants, Value* u) {
  __shared__ double all_staged[kWarps][kLanes * kRow];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  double* const staged = all_staged[warp];
  Moments before, all;
  sum_of_blocks(of_blocks, n_blocks, before, all);
  for (int other = 0; other < warp; ++other) before = before + of_warps[blockIdx.x * kWarps + other];

  const Run run = run_of_warp(static_cast<long long>(blockIdx.x) * kWarps + warp, n_points, tiles_per_warp);
  const double p = static_cast<double>(run.begin);
  const DoubleDouble start = closed(closure, 1, all);
  DoubleDouble s = start - before.zero;
  DoubleDouble w = closed(closure, 0, all) + constants.scale * (s * p + before.one);

  for (long long begin = run.begin; begin < run.end; begin += kTile) {
    double f[kItems];
    read_tile(source, staged, lane, begin, n_points, f);
    double sum = 0.0, drop = 0.0;  // sum f_j, sum (points to the end of the lane's) f_j
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
      sum += f[j];
      drop += sum;
    }
    // Inclusive scan: what lies k lanes back has k kItems more points to go.
#pragma unroll
    for (int distance = 1; distance < kLanes; distance *= 2) {
      const double other_sum = __shfl_up_sync(kAll, sum, distance), other_drop = __shfl_up_sync(kAll, drop, distance);
      if (lane >= distance) {
        drop += other_drop + static_cast<double>(distance * kItems) * other_sum;
        sum += other_sum;
      }
    }
    double sum_before = __shfl_up_sync(kAll, sum, 1), drop_before = __shfl_up_sync(kAll, drop, 1);
    if (lane == 0) sum_before = drop_before = 0.0;
    const double d = static_cast<double>(lane * kItems) * s.high - drop_before;
    write_tile<kCorrected>(f, staged, lane, w, s.high - sum_before, d, constants, begin, n_points, u);
    const double tile_sum = __shfl_sync(kAll, sum, kLanes - 1), tile_drop = __shfl_sync(kAll, drop, kLanes - 1);
    w = w + constants.scale.high * (static_cast<double>(kTile) * s.high - tile_drop);
    s = s + -tile_sum;
  }
}

}  // namespace recurrence
}  // namespace gwrm
