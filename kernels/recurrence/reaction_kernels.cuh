// The device code of the block recurrences with reaction, behind recurrence_kernels.cuh and like it without includes.
//
//   shooting    s <- s + g w - f_i,  w <- w + F s             state (w, s) before a point, runs forwards
//   two_sided   P_i = r_f P_{i-1} + f_i                       P before a point, runs forwards
//               Q_{i-1} = r_b (Q_i + f_i),  w_i = G (P + Q)   Q behind a point, runs backwards
//
// A lane holds 16 consecutive points of a tile. The first pass forms weighted sums of them, adds these up over the
// lanes in double and takes them from tile to tile in double-double: what a warp's run makes of the state 0. In
// two_sided it goes through the tiles from the last to the first and leaves Q behind each, so that the second pass can
// go forwards. The second pass scans the sums of the lanes in double, and gives each lane its own state in
// double-double: plain double runs over 16 points only, on what they add to it.
//
// Contract: kernels/recurrence/block_recurrence.hpp

#pragma once

namespace gwrm {
namespace recurrence {

__device__ inline Pair added(const Pair& a, const Pair& b) {
  return {added(a.first, b.first), added(a.second, b.second)};
}

__device__ inline Pair shuffled_down(const Pair& a, int distance) {
  return {shuffled_down(a.first, distance), shuffled_down(a.second, distance)};
}

__device__ inline DoubleDouble shuffled_up(DoubleDouble a) {
  return {__shfl_up_sync(kAll, a.high, 1), __shfl_up_sync(kAll, a.low, 1)};
}

__device__ inline DoubleDouble of_last_lane(DoubleDouble a) {
  return {__shfl_sync(kAll, a.high, kLanes - 1), __shfl_sync(kAll, a.low, kLanes - 1)};
}

// shooting: the state behind points with right-hand side 0.
__device__ inline Pair moved(const Propagator& by, const Pair& state) {
  return {by.entry[0] * state.first + by.entry[1] * state.second,
          by.entry[2] * state.first + by.entry[3] * state.second};
}

// The tables in shared memory, for all threads of the block.
__device__ inline const ReactionTables& shared_tables(const ReactionTables* from) {
  __shared__ ReactionTables tables;
  constexpr int kNumbers = sizeof(ReactionTables) / sizeof(double);
  for (int k = threadIdx.x; k < kNumbers; k += kThreads)
    reinterpret_cast<double*>(&tables)[k] = reinterpret_cast<const double*>(from)[k];
  __syncthreads();
  return tables;
}

// Where a lane's points end in a tile of `count` valid ones.
struct LaneEnd {
  int behind;   // valid points of the tile behind the lane
  int missing;  // of its own, how many are not valid (one less if none is: its values are 0, its weights do not matter)
};

__device__ inline LaneEnd lane_end(int lane, int count) {
  const int behind = count - (lane + 1) * kItems;
  if (behind >= 0) return {behind, 0};
  return {0, -behind < kItems ? -behind : kItems - 1};
}

struct PlainPair {
  double first, second;
};

// What a tile of `count` valid points, from whose rows each lane is given its own, makes of the state 0; in all lanes.
template <bool kTwoSided>
__device__ inline PlainPair tile_sums(const double* f, const ReactionTables& tables, int lane, int count) {
  const LaneEnd end = lane_end(lane, count);
  const double* const by_first = tables.last_first + (2 * kItems - 2 - end.missing);
  const double* const by_second = tables.last_second + (2 * kItems - 2 - end.missing);
  PlainPair own{0.0, 0.0};
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    own.first += by_first[-j] * f[j];
    own.second += (kTwoSided ? tables.from_first[j] : by_second[-j]) * f[j];
  }
  __syncwarp();
  const DoubleDouble* const coarse = tables.coarse[end.behind / kItems].entry;
  const DoubleDouble* const fine = tables.fine[end.behind % kItems].entry;
  if (kTwoSided) {
    own.first *= coarse[0].high * fine[0].high;
    own.second *= tables.coarse[lane].entry[3].high;
  } else {
    own = {coarse[0].high * own.first + coarse[1].high * own.second,
           coarse[2].high * own.first + coarse[3].high * own.second};
    own = {fine[0].high * own.first + fine[1].high * own.second, fine[2].high * own.first + fine[3].high * own.second};
  }
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    own.first += __shfl_xor_sync(kAll, own.first, distance);
    own.second += __shfl_xor_sync(kAll, own.second, distance);
  }
  return own;
}

__device__ inline int tile_length(const Run& run, long long begin) {
  return run.end - begin < kTile ? static_cast<int>(run.end - begin) : kTile;
}

__device__ inline const Propagator& steps_of_tile(const ReactionLayout& layout, int count) {
  return count == kTile ? layout.tile : layout.last_tile;
}

// Of a run that is not empty.
__device__ inline const Propagator& steps_of_run(const ReactionLayout& layout, const Run& run) {
  return run.end - run.begin == layout.tiles_per_warp * kTile ? layout.run : layout.last_run;
}

__device__ inline Run run_of(const ReactionLayout& layout, int warp) {
  return run_of_warp(static_cast<long long>(blockIdx.x) * kWarps + warp, layout.n_points, layout.tiles_per_warp);
}

// The states before the runs of a block (two_sided: P before, Q behind them) from those at the block's ends, and from
// what each run makes of the state 0. Returns what becomes of the former.
template <bool kTwoSided>
__device__ inline Pair along_runs(const ReactionLayout& layout, const Pair* of_runs, Pair state, Pair* at_runs) {
  DoubleDouble q = state.second;
  for (int warp = kWarps - 1; kTwoSided && warp >= 0; --warp) {
    const Run run = run_of(layout, warp);
    at_runs[warp].second = q;
    if (run.begin < run.end) q = steps_of_run(layout, run).entry[3] * q + of_runs[warp].second;
  }
  for (int warp = 0; warp < kWarps; ++warp) {
    const Run run = run_of(layout, warp);
    at_runs[warp].first = state.first;
    if (!kTwoSided) at_runs[warp].second = state.second;
    if (run.begin >= run.end) continue;
    const Propagator& steps = steps_of_run(layout, run);
    if (kTwoSided) {
      state.first = steps.entry[0] * state.first + of_runs[warp].first;
    } else {
      const Pair next = moved(steps, state);
      state = {next.first + of_runs[warp].first, next.second + of_runs[warp].second};
    }
  }
  return {state.first, kTwoSided ? q : state.second};
}

// Pass 1. What each warp's run and each block make of the state 0; `behind_tiles`, two_sided only: Q behind each tile
// of a run, from 0 behind the run.
template <bool kTwoSided, class Source>
__device__ void reaction_totals(const Source& source, const ReactionLayout& layout, Pair* of_warps, Pair* of_blocks,
                                DoubleDouble* behind_tiles) {
  __shared__ double all_staged[kWarps][kLanes * kRow];
  __shared__ Pair of_runs[kWarps], at_runs[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const long long number = static_cast<long long>(blockIdx.x) * kWarps + warp;
  double* const staged = all_staged[warp];
  const double* const f = staged + lane * kRow;
  const ReactionTables& tables = shared_tables(layout.tables);
  source.prepare();
  const Run run = run_of(layout, warp);
  const long long n_tiles = (run.end - run.begin + kTile - 1) / kTile;
  Pair sum{{0.0, 0.0}, {0.0, 0.0}};
  DoubleDouble weight{1.0, 0.0};  // two_sided: of P behind a tile in P behind the run
  for (long long k = 0; k < n_tiles; ++k) {
    const long long tile = kTwoSided ? n_tiles - 1 - k : k, begin = run.begin + tile * kTile;
    const int count = tile_length(run, begin);
    const Propagator& steps = steps_of_tile(layout, count);
    read_tile(source, staged, lane, begin, layout.n_points);
    const PlainPair own = tile_sums<kTwoSided>(f, tables, lane, count);
    if (kTwoSided) {
      if (lane == 0) behind_tiles[number * layout.tiles_per_warp + tile] = sum.second;
      sum = {sum.first + weight * own.first, steps.entry[3] * sum.second + own.second};
      weight = weight * steps.entry[0];
    } else {
      sum = moved(steps, sum);
      sum = {sum.first + own.first, sum.second + own.second};
    }
  }
  if (lane == 0) of_runs[warp] = of_warps[number] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    of_blocks[blockIdx.x] = along_runs<kTwoSided>(layout, of_runs, {{0.0, 0.0}, {0.0, 0.0}}, at_runs);
}

// The states at the ends of this block's runs, of which a warp gets its own. `start`: those at the ends of all points.
template <bool kTwoSided>
__device__ inline Pair state_at_run(const ReactionLayout& layout, const Pair* of_warps, const Pair* of_blocks,
                                    const Pair& start) {
  __shared__ Pair shared[kWarps], at_runs[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes, block = static_cast<int>(blockIdx.x);
  Pair sum{{0.0, 0.0}, {0.0, 0.0}};
  for (int other = threadIdx.x; other < layout.n_blocks; other += kThreads) {
    const Pair own = of_blocks[other];
    if (other < block) {
      const Propagator& between = layout.blocks[block - 1 - other];
      if (kTwoSided)
        sum.first = added(sum.first, between.entry[0] * own.first);
      else
        sum = added(sum, moved(between, own));
    }
    if (kTwoSided && other > block)
      sum.second = added(sum.second, layout.blocks[other - 1 - block].entry[3] * own.second);
  }
  sum = lane_sum(sum, kLanes);
  if (lane == 0) shared[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane_sum(shared[lane % kWarps], kWarps);
    if (lane == 0) {
      const DoubleDouble* const before = layout.blocks[block].entry;
      Pair state{normalised(sum.first), normalised(sum.second)};
      if (kTwoSided) {
        const bool is_last = block + 1 == layout.n_blocks;
        const DoubleDouble from_end =
            is_last ? start.second
                    : layout.blocks[layout.n_blocks - 2 - block].entry[3] * (layout.last_block.entry[3] * start.second);
        state = {before[0] * start.first + state.first, from_end + state.second};
      } else {
        const Pair from_start = moved(layout.blocks[block], start);
        state = {from_start.first + state.first, from_start.second + state.second};
      }
      along_runs<kTwoSided>(layout, of_warps + static_cast<long long>(block) * kWarps, state, at_runs);
    }
  }
  __syncthreads();
  return at_runs[warp];
}

// The values in a lane's row of `staged`, f, become u. `state` is that before the tile and becomes that behind it.
__device__ inline void fill_shooting_lane(double* f, const ReactionTables& tables, int lane, Pair& state,
                                          const ReactionConstants& constants) {
  const double scale = constants.scale.high, growth = constants.growth;
  double w = 0.0, s = 0.0;
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    s += growth * w - f[j];
    w += scale * s;
  }
#pragma unroll
  for (int level = 0; level < kLevels; ++level) {
    const double *const by = constants.scan[level], w_before = __shfl_up_sync(kAll, w, 1 << level),
                        s_before = __shfl_up_sync(kAll, s, 1 << level);
    if (lane >= 1 << level) {
      w += by[0] * w_before + by[1] * s_before;
      s += by[2] * w_before + by[3] * s_before;
    }
  }
  const Pair carried = moved(tables.coarse[lane + 1], state);
  const Pair behind{carried.first + w, carried.second + s};
  Pair own{shuffled_up(behind.first), shuffled_up(behind.second)};
  if (lane == 0) own = state;
  state = {of_last_lane(behind.first), of_last_lane(behind.second)};
  double deviation = own.first.low;
  s = own.second.high;
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const double value = f[j];
    f[j] = own.first.high + (deviation - constants.correction * value);
    s += growth * (own.first.high + deviation) - value;
    deviation += scale * s;
  }
}

// a b without the last normalisation.
__device__ inline DoubleDouble multiplied(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return {product.high, product.low + (a.high * b.low + a.low * b.high)};
}

// The same for two_sided; `q_behind` is Q behind the tile's last valid point.
__device__ inline void fill_two_sided_lane(double* f, const ReactionTables& tables, int lane, int count,
                                           DoubleDouble& p_before, DoubleDouble q_behind,
                                           const ReactionConstants& constants) {
  double of_behind[kItems];  // the share of the lane's points behind each in Q
  double p = 0.0, q = 0.0;
#pragma unroll
  for (int j = kItems - 1; j >= 0; --j) {
    of_behind[j] = q;
    q += f[j];
    q -= constants.backward_decay * q;
  }
#pragma unroll
  for (int j = 0; j < kItems; ++j) p = (p - constants.forward_decay * p) + f[j];
#pragma unroll
  for (int level = 0; level < kLevels; ++level) {
    const double from_left = __shfl_up_sync(kAll, p, 1 << level), from_right = __shfl_down_sync(kAll, q, 1 << level);
    if (lane >= 1 << level) p += constants.scan[level][0] * from_left;
    if (lane + (1 << level) < kLanes) q += constants.scan[level][3] * from_right;
  }
  const DoubleDouble left_behind = tables.coarse[lane + 1].entry[0] * p_before + p;
  DoubleDouble left = shuffled_up(left_behind);
  if (lane == 0) left = p_before;
  p_before = of_last_lane(left_behind);
  double q_of_tile = __shfl_down_sync(kAll, q, 1);
  if (lane == kLanes - 1) q_of_tile = 0.0;
  const LaneEnd end = lane_end(lane, count);
  const DoubleDouble right =
      tables.coarse[end.behind / kItems].entry[3] * (tables.fine[end.behind % kItems].entry[3] * q_behind) + q_of_tile;
  const DoubleDouble* const by_right = tables.behind + (2 * kItems - 2 - end.missing);
  const DoubleDouble gain = constants.scale;
  p = 0.0;
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const double value = f[j];
    p = (p - constants.forward_decay * p) + value;
    const DoubleDouble from_left = multiplied(left, constants.forward[j]);
    const DoubleDouble from_right = multiplied(right, by_right[-j]);
    const DoubleDouble sum = two_sum(from_left.high, from_right.high);
    const double low = sum.low + ((from_left.low + p) + (from_right.low + of_behind[j]));
    f[j] = fma(gain.high, sum.high, gain.high * low + (gain.low * sum.high - constants.correction * value));
  }
}

// Pass 2.
template <bool kTwoSided, class Source, class Value>
__device__ void reaction_fill(const Source& source, const ReactionLayout& layout, const Pair* of_warps,
                              const Pair* of_blocks, const DoubleDouble* behind_tiles, const Pair& start,
                              const ReactionConstants& constants, Value* u) {
  __shared__ double all_staged[kWarps][kLanes * kRow];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const long long number = static_cast<long long>(blockIdx.x) * kWarps + warp;
  double* const staged = all_staged[warp];
  double* const f = staged + lane * kRow;
  const ReactionTables& tables = shared_tables(layout.tables);
  source.prepare();
  Pair state = state_at_run<kTwoSided>(layout, of_warps, of_blocks, start);
  const Run run = run_of(layout, warp);
  const long long n_tiles = (run.end - run.begin + kTile - 1) / kTile;
  const bool ends_whole = (run.end - run.begin) % kTile == 0;
  for (long long tile = 0; tile < n_tiles; ++tile) {
    const long long begin = run.begin + tile * kTile, left = n_tiles - 1 - tile;
    read_tile(source, staged, lane, begin, layout.n_points);
    if (kTwoSided) {
      DoubleDouble from_end = state.second;
      if (left > 0)
        from_end = ends_whole ? layout.tiles[left] * from_end
                              : layout.tiles[left - 1] * (layout.last_tile.entry[3] * from_end);
      const DoubleDouble q_behind = from_end + behind_tiles[number * layout.tiles_per_warp + tile];
      fill_two_sided_lane(f, tables, lane, tile_length(run, begin), state.first, q_behind, constants);
    } else {
      fill_shooting_lane(f, tables, lane, state, constants);
    }
    write_tile(staged, lane, begin, layout.n_points, u);
  }
}

}  // namespace recurrence
}  // namespace gwrm
