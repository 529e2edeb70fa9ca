// The device code of the Poisson block recurrence, for right-hand sides in memory (compiled with the program) and for
// expressions (compiled at run time). Includes nothing itself: double_double.hpp and recurrence_layout.hpp stand before
// it.
//
// A warp owns consecutive points. The moments  Z0 = sum f_i, Z1 = sum i f_i  are plain sums, so the first pass may run
// over the points in any order: neighbouring lanes take neighbouring points. With them the state before point p is
//   s_p = s_0 - Z0(p),   w_p = w_0 + F (p s_0 - p Z0(p) + Z1(p)),     Z(p): of the points before p,
// in double-double; the cancellation between p Z0 and Z1 costs at most 16 of its 32 digits. Within a tile of 512 points
// the second pass works in double on the deviation from the tile's start.
//
// Contract: kernels/recurrence/block_recurrence.hpp

#pragma once

namespace gwrm {
namespace recurrence {

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
  double shift = 0.0;  // that of the source, which the moments are without
};

__device__ inline DoubleDouble shuffled_down(DoubleDouble a, int distance) {
  return {__shfl_down_sync(kAll, a.high, distance), __shfl_down_sync(kAll, a.low, distance)};
}

// a + b without the last normalisation: low stays within a few units of high's last place, which is enough along a tree
// of sums and costs 8 operations instead of 20.
__device__ inline DoubleDouble added(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = two_sum(a.high, b.high);
  return {sum.high, sum.low + (a.low + b.low)};
}

__device__ inline Moments added(const Moments& a, const Moments& b) {
  return {added(a.zero, b.zero), added(a.one, b.one)};
}

__device__ inline Moments shuffled_down(const Moments& a, int distance) {
  return {shuffled_down(a.zero, distance), shuffled_down(a.one, distance)};
}

// The sum over `width` lanes, in the first of them.
template <class Number>
__device__ inline Number lane_sum(Number a, int width) {
  for (int distance = width / 2; distance > 0; distance /= 2) a = added(a, shuffled_down(a, distance));
  return a;
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

// A source of the passes below is asked for the values at 16 points, 32 apart:  near = near(i), then operator()(near,
// m) for point i + 32 m. prepare() comes first, by all threads of the block; kUnrolled says how many calls the code of
// a loop may hold. If it is kSummed, flush_sums(i) gives the sums over the kFlush * kItems points i, i + 32, .. at
// once.

struct LaneSums {
  double sum, drop;  // sum f_j, sum (points to the end) f_j
};

// The part of flush_sums() that is a call with a, b at point i.
__device__ inline void add_call(LaneSums& sums, double a, double b, const CallSums& steps) {
  const auto combined = [&](const DoubleDouble* of) {
    return a * of[0].high + (b * of[1].high + (a * of[0].low + b * of[1].low));
  };
  sums.sum += combined(steps.plain);
  sums.drop += combined(steps.weighted);
}

// Pass 1. Writes the moments of the points of each warp and of each block, and where `squares` are wanted for each
// block sum i^2 f_i, from which the sum over all w_i follows.
template <bool kSquares, class Source>
__device__ void moments_of_block(const Source& source, long long n_points, long long tiles_per_warp, Moments* of_warps,
                                 Moments* of_blocks, DoubleDouble* squares) {
  __shared__ Moments shared[kWarps];
  __shared__ DoubleDouble shared_squares[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const Run run = run_of_warp(static_cast<long long>(blockIdx.x) * kWarps + warp, n_points, tiles_per_warp);
  source.prepare();
  Moments sum{{0.0, 0.0}, {0.0, 0.0}};
  DoubleDouble square{0.0, 0.0};
  long long first = run.begin;
  for (; first < run.end; first += kFlush * kTile) {
    const long long begin = first + lane;
    const double index = static_cast<double>(begin);
    double total = 0.0, weighted = 0.0;  // sum f, sum a f: a rounds from here on
    double twice = 0.0;                  // sum a (a + 1)/2 f
    const long long left = run.end - first;
    int rounds = 0;
    if constexpr (Source::kSummed && !kSquares) {
      if (left >= kFlush * kTile) {
        const LaneSums own = source.flush_sums(begin);
        total = own.sum;
        weighted = own.drop;
        rounds = kFlush * kItems;
      }
    }
    for (; rounds < kFlush * kItems && (rounds + kItems) * kLanes <= left; rounds += kItems) {
      const auto near = source.near(begin + rounds * kLanes);
#pragma unroll Source::kUnrolled
      for (int m = 0; m < kItems; ++m) {
        total += source(near, m);
        weighted += total;
        if (kSquares) twice += weighted;
      }
    }
    for (; rounds < kFlush * kItems && rounds * kLanes < left; ++rounds) {
      const long long i = begin + rounds * kLanes;
      if (i < run.end) total += source(source.near(i), 0);
      weighted += total;
      if (kSquares) twice += weighted;
    }
    const double end = index + static_cast<double>(rounds) * kLanes;  // i = end - 32 a
    sum.zero = sum.zero + total;
    sum.one = sum.one + two_product(end, total) + -kLanes * weighted;
    if (kSquares)
      square = square + two_product(end, end) * total + -(two_product(2 * kLanes * end, weighted)) +
               kLanes * kLanes * (2.0 * twice - weighted);
  }
  sum = lane_sum(sum, kLanes);
  if (kSquares) {
    square = lane_sum(square, kLanes);
    if (lane == 0) shared_squares[warp] = square;
  }
  if (lane == 0) {
    shared[warp] = sum;
    of_warps[blockIdx.x * kWarps + warp] = sum;
  }
  __syncthreads();
  if (warp != 0) return;
  sum = lane_sum(shared[lane % kWarps], kWarps);
  if (lane == 0) of_blocks[blockIdx.x] = sum;
  if (!kSquares) return;
  square = lane_sum(shared_squares[lane % kWarps], kWarps);
  if (lane == 0) squares[blockIdx.x] = square;
}

// From where all multiprocessors see the same.
__device__ inline Moments shared_copy(const Moments* moments) {
  return {{__ldcg(&moments->zero.high), __ldcg(&moments->zero.low)},
          {__ldcg(&moments->one.high), __ldcg(&moments->one.low)}};
}

// The moments of all points (`all`) and of those before each warp of this block (`before`, of which a warp gets its
// own). `of_warps`: those of this block's warps.
__device__ inline void sum_of_blocks(const Moments* of_blocks, int n_blocks, const Moments* of_warps, Moments& before,
                                     Moments& all) {
  __shared__ Moments shared[2][kWarps];
  __shared__ Moments before_warps[kWarps], of_all;
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const Moments nothing{{0.0, 0.0}, {0.0, 0.0}};
  before = all = nothing;
  for (int b = threadIdx.x; b < n_blocks; b += kThreads) {
    const Moments own = shared_copy(of_blocks + b);
    all = added(all, own);
    if (b < static_cast<int>(blockIdx.x)) before = added(before, own);
  }
  before = lane_sum(before, kLanes);
  all = lane_sum(all, kLanes);
  if (lane == 0) {
    shared[0][warp] = before;
    shared[1][warp] = all;
  }
  __syncthreads();
  if (warp == 0) {
    before = lane_sum(shared[0][lane % kWarps], kWarps);
    all = lane_sum(shared[1][lane % kWarps], kWarps);
    if (lane == 0) {
      of_all = all;
      for (int other = 0; other < kWarps; ++other) {
        before_warps[other] = before;
        before = added(before, of_warps[other]);
      }
    }
  }
  __syncthreads();
  before = before_warps[warp];
  all = of_all;
}

// As a normalised double-double.
__device__ inline DoubleDouble normalised(DoubleDouble a) {
  return two_sum(a.high, a.low);
}

struct TileState {
  DoubleDouble w, s;
};

// The state before point p.
__device__ inline TileState state_at(double p, const DeviceClosure& closure, const DoubleDouble& scale,
                                     const Moments& before, const Moments& all) {
  const DoubleDouble zero = normalised(all.zero), one = normalised(all.one);
  const auto start = [&](int component) {
    return closure.constant[component] + closure.by_zero[component] * zero + closure.by_one[component] * one;
  };
  const DoubleDouble s = start(1) - normalised(before.zero);
  return {start(0) + scale * (s * p + normalised(before.one)), s};
}

// Values of a tile into shared memory, 0 behind the end; neighbouring lanes read neighbouring points, and point k of
// the tile goes to k / kItems * kRow + k % kItems.
template <class Source>
__device__ inline void read_tile(const Source& source, double* staged, int lane, long long begin, long long n_points) {
  const auto near = source.near(begin + lane);
#pragma unroll Source::kUnrolled
  for (int m = 0; m < kItems; ++m) {
    const int k = lane + m * kLanes;
    const bool inside = begin + k < n_points;
    staged[k / kItems * kRow + k % kItems] = inside ? source(near, m) : 0.0;
  }
  __syncwarp();
}

// The way back: all lanes' values to u.
template <class Value>
__device__ inline void write_tile(const double* staged, int lane, long long begin, long long n_points, Value* u) {
  __syncwarp();
#pragma unroll
  for (int m = 0; m < kItems; ++m) {
    const int k = lane + m * kLanes;
    if (begin + k < n_points) u[begin + k] = static_cast<Value>(staged[k / kItems * kRow + k % kItems]);
  }
  __syncwarp();
}

__device__ inline LaneSums lane_sums(const double* f) {
  LaneSums own{0.0, 0.0};
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    own.sum += f[j];
    own.drop += own.sum;
  }
  return own;
}

// From the state before the tile; returns the sums of the whole tile. The values in `staged` become the solution there,
// and leave it so that a warp writes consecutive points.
template <bool kCorrected, class Value>
__device__ inline LaneSums fill_tile(LaneSums sums, double* staged, int lane, const TileState& state,
                                     const FillConstants& constants, long long begin, long long n_points, Value* u) {
  // Inclusive scan: what lies `distance` lanes back has as many times kItems more points to go.
#pragma unroll
  for (int distance = 1; distance < kLanes; distance *= 2) {
    const double sum = __shfl_up_sync(kAll, sums.sum, distance), drop = __shfl_up_sync(kAll, sums.drop, distance);
    if (lane >= distance) {
      sums.drop += drop + static_cast<double>(distance * kItems) * sum;
      sums.sum += sum;
    }
  }
  double sum_before = __shfl_up_sync(kAll, sums.sum, 1), drop_before = __shfl_up_sync(kAll, sums.drop, 1);
  if (lane == 0) sum_before = drop_before = 0.0;
  double* const f = staged + lane * kRow;
  double s = state.s.high - sum_before, d = static_cast<double>(lane * kItems) * state.s.high - drop_before;
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const double value = f[j];
    double deviation = state.w.low + constants.scale.high * d;
    if constexpr (kCorrected) deviation -= constants.correction * value;
    f[j] = state.w.high + deviation;
    s -= value;
    d += s;
  }
  write_tile(staged, lane, begin, n_points, u);
  return {__shfl_sync(kAll, sums.sum, kLanes - 1), __shfl_sync(kAll, sums.drop, kLanes - 1)};
}

// Pass 2.
template <bool kCorrected, class Source, class Value>
__device__ void fill_block(const Source& source, long long n_points, long long tiles_per_warp, const Moments* of_warps,
                           const Moments* of_blocks, int n_blocks, const DeviceClosure& closure,
                           const FillConstants& constants, Value* u) {
  __shared__ double all_staged[kWarps][kLanes * kRow];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  double* const staged = all_staged[warp];
  source.prepare();
  Moments before, all;
  sum_of_blocks(of_blocks, n_blocks, of_warps + blockIdx.x * kWarps, before, all);
  const Run run = run_of_warp(static_cast<long long>(blockIdx.x) * kWarps + warp, n_points, tiles_per_warp);
  const double n_before = static_cast<double>(run.begin);
  if (constants.shift != 0.0) {
    before.zero = before.zero + two_product(n_before, constants.shift);
    before.one = before.one + two_product(n_before, n_before - 1.0) * (0.5 * constants.shift);
  }
  TileState state = state_at(n_before, closure, constants.scale, before, all);
  for (long long begin = run.begin; begin < run.end; begin += kTile) {
    read_tile(source, staged, lane, begin, n_points);
    const LaneSums own = lane_sums(staged + lane * kRow);
    const LaneSums tile = fill_tile<kCorrected>(own, staged, lane, state, constants, begin, n_points, u);
    state.w = state.w + constants.scale.high * (static_cast<double>(kTile) * state.s.high - tile.drop);
    state.s = state.s + -tile.sum;
  }
}

// All blocks wait for one another; they must all be resident. `arrived` counts on from launch to launch of the same
// number of blocks, and is zero before the first.
__device__ inline void grid_barrier(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned before = atomicAdd(arrived, 1u), all = before - before % gridDim.x + gridDim.x;
    while (static_cast<int>(*static_cast<volatile unsigned*>(arrived) - all) < 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Both passes at once, for as many points as the shared memory of all resident blocks holds: each warp keeps the values
// of one tile between them.
template <bool kCorrected, class Source, class Value>
__device__ void solve_on_chip(const Source& source, long long n_points, Moments* of_blocks, unsigned* barrier,
                              const DeviceClosure& closure, const FillConstants& constants, Value* u) {
  __shared__ double all_staged[kWarps][kLanes * kRow];
  __shared__ Moments of_warps[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  double* const staged = all_staged[warp];
  const long long begin = (static_cast<long long>(blockIdx.x) * kWarps + warp) * kTile;
  source.prepare();
  read_tile(source, staged, lane, begin, n_points);
  const LaneSums own = lane_sums(staged + lane * kRow);
  const double behind = static_cast<double>(begin + (lane + 1) * kItems);
  const Moments of_warp = lane_sum(Moments{{own.sum, 0.0}, two_product(behind, own.sum) + -own.drop}, kLanes);
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  if (warp == 0) {
    const Moments sum = lane_sum(of_warps[lane % kWarps], kWarps);
    if (lane == 0) of_blocks[blockIdx.x] = sum;
  }
  grid_barrier(barrier);
  Moments before, all;
  sum_of_blocks(of_blocks, static_cast<int>(gridDim.x), of_warps, before, all);
  const TileState state = state_at(static_cast<double>(begin), closure, constants.scale, before, all);
  fill_tile<kCorrected>(own, staged, lane, state, constants, begin, n_points, u);
}

}  // namespace recurrence
}  // namespace gwrm
