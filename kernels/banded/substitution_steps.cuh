// First-order recurrences on rows in the registers of a warp (kernels/banded/warp_rows.cuh), the hybrid of elimination
// and parallel cyclic reduction; and the kernels of kernels/banded/substitution.hpp made of them.
//
// Contract: kernels/banded/substitution.hpp, kernels/banded/bidiagonal.hpp
//
//   x_i = y_i - s_i x_{i-d}. A lane's rows make of the value before them an affine function: its last row is
//   end = p + e x_before,  p: from zero,  e = product of its -s. Five steps of cyclic reduction on the 32 ends,
//     p_t += e_t p_{t-h},  e_t *= e_{t-h},  h = 1, 2, 4, 8, 16,
//   give every lane the value before its first row, from which it goes through its rows once more: 2 fused
//   multiply-adds a row and 5 exchanges a system, and within a lane the roundings of back substitution.
//   d = 2: two such chains, of even and of odd rows (kRows even).
// A kernel that calls these for several matrices in turn keeps the vector on the chip; the coefficients may come from
// memory or be computed (`Coefficient`: a function of the register j).
#pragma once

#include "kernels/banded/swizzled_rows.cuh"

namespace gwrm::banded {

// p_t + e_t p_{t-1} + .. for every lane's chain, exclusive: what comes in to the lane. `before`: what comes in to the
// first.
template <bool kUpward, class Number>
__device__ inline Number incoming(Number end, Number factor, Number before) {
  const int lane = lane_of_warp(), position = kUpward ? kLanes - 1 - lane : lane;
  if (position == 0) end = end + factor * before;
#pragma unroll
  for (int h = 1; h < kLanes; h *= 2) {
    const Number other = kUpward ? shuffled_down(end, h) : shuffled_up(end, h);
    const Number its_factor = kUpward ? shuffled_down(factor, h) : shuffled_up(factor, h);
    if (position >= h) {
      end = end + factor * other;
      factor = factor * its_factor;
    }
  }
  const Number neighbour = kUpward ? shuffled_down(end, 1) : shuffled_up(end, 1);
  return position == 0 ? before : neighbour;
}

// No load passes a barrier of the warp: the compiler is not to keep the coefficients of the first pass through a lane's
// rows in registers for the second, nor to read those of all rows ahead. Registers are for rows, and for as many warps
// as fit.
__device__ inline void forget_loads() {
  __syncwarp();
}
__device__ inline void forget_loads_sometimes(int row) {
  constexpr int kRowsAhead = 8;
  if (row % kRowsAhead == kRowsAhead - 1) forget_loads();
}

// rows <- the solution; `factor(c)`: the product of -s over the lane's rows of chain c, c = 0 .. kDistance - 1;
// `before[c]`: the value before the first row of chain c, in order of the sweep; becomes the last value.
template <bool kUpward, int kDistance, int kRows, class Number, class Coefficient, class Factor>
__device__ inline void first_order(Number (&rows)[kRows], const Coefficient& s, const Factor& factor,
                                   Number (&before)[kDistance]) {
  static_assert(kRows % kDistance == 0, "every lane has as many rows of all chains");
  constexpr int kSteps = kRows / kDistance;
  Number in[kDistance];
#pragma unroll
  for (int c = 0; c < kDistance; ++c) {
    Number end = rows[kUpward ? kRows - 1 - c : c];
#pragma unroll
    for (int k = 1; k < kSteps; ++k) {
      const int j = kUpward ? kRows - 1 - c - k * kDistance : c + k * kDistance;
      end = rows[j] - s(j) * end;
      forget_loads_sometimes(k);
    }
    in[c] = incoming<kUpward>(end, factor(c), before[c]);
  }
  forget_loads();
#pragma unroll
  for (int c = 0; c < kDistance; ++c) {
#pragma unroll
    for (int k = 0; k < kSteps; ++k) {
      const int j = kUpward ? kRows - 1 - c - k * kDistance : c + k * kDistance;
      in[c] = rows[j] - s(j) * in[c];
      rows[j] = in[c];
      forget_loads_sometimes(k);
    }
    before[c] = shuffled(in[c], kUpward ? 0 : kLanes - 1);
  }
}

// A sweep's tables in device memory, rows in order of the sweep: number j of lane t of piece p at (p kRows + j) 32 + t.
template <class Number>
struct SweepTables {
  const Number* scale = nullptr;      // null: ones
  const Number* couplings = nullptr;  // s
  const Number* factors = nullptr;    // of chain c of lane t of piece p at (p kDistance + c) 32 + t
};

template <class Number>
struct BatchOfRows {
  const Number* y;
  Number* x;
  long long n, batch;
};

template <int kRows, class Number>
__device__ inline Piece<Number> piece_of(Number* system, long long n, long long first, bool upward) {
  const long long left = n - first;
  return {upward ? system + (n - 1 - first) : system + first,
          static_cast<int>(left < WarpRows<kRows>::kCount ? left : WarpRows<kRows>::kCount), upward ? -1 : 1};
}

template <class Number>
struct LaneTable {
  const Number* start;
  __device__ Number operator()(int j) const { return start[j * kLanes]; }
};

// One sweep of any length, piece by piece; `upward` (the side upper) takes the rows from the last.
template <int kRows, int kDistance, int kWarps, class Number>
__device__ void sweep_batch(const BatchOfRows<Number>& batch, bool upward, const SweepTables<Number>& tables) {
  __shared__ double rooms[kWarps][kWordsOfRows<Number, kRows>];
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = lane_of_warp();
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  double* room = rooms[warp];
  Number rows[kRows], before[kDistance];
  for (int c = 0; c < kDistance; ++c) before[c] = number<Number>(0.0);
  long long piece = 0;
  for (long long first = 0; first < batch.n; first += WarpRows<kRows>::kCount, ++piece) {
    load_rows<kRows, Number>(piece_of<kRows>(batch.y + system * batch.n, batch.n, first, upward), number<Number>(0.0),
                             room, rows);
    const long long start = piece * WarpRows<kRows>::kCount + lane;
    if (tables.scale != nullptr) {
#pragma unroll
      for (int j = 0; j < kRows; ++j) {
        rows[j] = tables.scale[start + j * kLanes] * rows[j];
        forget_loads_sometimes(j);
      }
    }
    first_order<false, kDistance>(rows, LaneTable<Number>{tables.couplings + start},
                                  LaneTable<Number>{tables.factors + piece * kDistance * kLanes + lane}, before);
    store_rows<kRows, Number>(rows, room, piece_of<kRows>(batch.x + system * batch.n, batch.n, first, upward));
  }
}

// What the warps of a team hand to those behind them in a sweep: the values behind their last rows, from zero, and the
// product of all their factors.
template <int kTeam, int kSystems, class Number>
struct TeamEnds {
  static constexpr int kWords = BandedNumber<Number>::kWords, kWordsOfTeam = kTeam * (kSystems + 1) * kWords;
  double* words;  // kWordsOfTeam, of shared memory

  __device__ void put(int warp, int k, Number value) const {
    double* to = words + (warp * (kSystems + 1) + k) * kWords;
    for (int w = 0; w < kWords; ++w) to[w] = BandedNumber<Number>::word(value, w);
  }
  __device__ Number end(int warp, int k) const {
    const double* from = words + (warp * (kSystems + 1) + k) * kWords;
    Number value = number<Number>(0.0);
    for (int w = 0; w < kWords; ++w) BandedNumber<Number>::set_word(value, w, from[w]);
    return value;
  }
  __device__ Number factor(int warp) const { return end(warp, kSystems); }
};

// `incoming` of several systems with the same factors, whose rows lie in the lanes of kTeam warps, a piece each: the
// warps' ends go through shared memory, and to what a lane's warp makes of zero comes what the warps before it make.
template <bool kUpward, int kTeam, int kSystems, class Number>
__device__ inline void incoming_beside(Number (&end)[kSystems], Number factor,
                                       const TeamEnds<kTeam, kSystems, Number>& team) {
  const int lane = lane_of_warp(), position = kUpward ? kLanes - 1 - lane : lane;
  const auto from = [](Number value, int h) { return kUpward ? shuffled_down(value, h) : shuffled_up(value, h); };
#pragma unroll
  for (int h = 1; h < kLanes; h *= 2) {
    const Number its_factor = from(factor, h);
#pragma unroll
    for (int b = 0; b < kSystems; ++b) {
      const Number other = from(end[b], h);
      if (position >= h) end[b] = end[b] + factor * other;
    }
    if (position >= h) factor = factor * its_factor;
  }
  Number before[kSystems], of_before = number<Number>(1.0);
#pragma unroll
  for (int b = 0; b < kSystems; ++b) before[b] = number<Number>(0.0);
  if constexpr (kTeam > 1) {
    const int warp = static_cast<int>(threadIdx.x) / kLanes, place = kUpward ? kTeam - 1 - warp : warp;
    if (position == kLanes - 1) {
#pragma unroll
      for (int b = 0; b < kSystems; ++b) team.put(place, b, end[b]);
      team.put(place, kSystems, factor);
    }
    __syncthreads();
    for (int w = 0; w < place; ++w)
#pragma unroll
      for (int b = 0; b < kSystems; ++b) before[b] = team.end(w, b) + team.factor(w) * before[b];
    of_before = from(factor, 1);
  }
#pragma unroll
  for (int b = 0; b < kSystems; ++b) {
    const Number neighbour = from(end[b], 1);
    end[b] = position == 0 ? before[b] : kTeam > 1 ? neighbour + of_before * before[b] : neighbour;
  }
}

// first_order of one distance for several systems that share the matrix, beside each other: each coefficient is read
// once for all.
template <bool kUpward, int kTeam, int kSystems, int kRows, class Number>
__device__ inline void first_order_beside(Number (&rows)[kSystems][kRows], const Number* s, Number factor,
                                          const TeamEnds<kTeam, kSystems, Number>& team) {
  // Where few warps fit anyway, coefficients are better read ahead.
  constexpr bool kSparing = kSystems * kRows * BandedNumber<Number>::kWords <= 48;
  Number in[kSystems];
#pragma unroll
  for (int b = 0; b < kSystems; ++b) in[b] = rows[b][kUpward ? kRows - 1 : 0];
#pragma unroll
  for (int k = 1; k < kRows; ++k) {
    const int j = kUpward ? kRows - 1 - k : k;
    const Number coupling = s[j * kLanes];
#pragma unroll
    for (int b = 0; b < kSystems; ++b) in[b] = rows[b][j] - coupling * in[b];
    if (kSparing) forget_loads_sometimes(k);
  }
  incoming_beside<kUpward>(in, factor, team);
  forget_loads();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int j = kUpward ? kRows - 1 - k : k;
    const Number coupling = s[j * kLanes];
#pragma unroll
    for (int b = 0; b < kSystems; ++b) {
      in[b] = rows[b][j] - coupling * in[b];
      rows[b][j] = in[b];
    }
    if (kSparing) forget_loads_sometimes(k);
  }
}

// A sweep down and one up (tridiagonal factors), of at most 32 kRows kTeam rows, which stay in registers between them;
// a team of kTeam warps takes kSystems systems, a piece of them each. Blocks of kWarps warps: of one team where it has
// more than one; `shared`: kDownAndUpWords, on 16 bytes. The tables of both are in the order of the rows in memory.
template <int kRows, int kSystems, int kWarps, int kTeam, class Number>
inline constexpr int kDownAndUpWords = kWarps* kSystems* SweepRooms<kRows, Number>::Rows::kDoubles +
                                       (kTeam > 1 ? 2 * TeamEnds<kTeam, kSystems, Number>::kWordsOfTeam : 0);
template <int kRows, int kSystems, int kWarps, int kTeam, class Number>
__device__ void sweep_down_and_up(const BatchOfRows<Number>& batch, const SweepTables<Number>& down,
                                  const SweepTables<Number>& up, double* shared) {
  static_assert(kTeam == 1 || kTeam == kWarps, "the warps of a team meet at the barriers of a block");
  using Ends = TeamEnds<kTeam, kSystems, Number>;
  using Rows = typename SweepRooms<kRows, Number>::Rows;
  const Ends of_down{shared + kWarps * kSystems * Rows::kDoubles}, of_up{of_down.words + Ends::kWordsOfTeam};
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = lane_of_warp(), p = kTeam > 1 ? warp : 0;
  const long long system = (static_cast<long long>(blockIdx.x) * (kWarps / kTeam) + (kTeam > 1 ? 0 : warp)) * kSystems;
  if (system >= batch.batch) return;
  const bool whole = whole_units<Number>(batch.n, batch.y, batch.x);
  const auto room = [&](int b) { return Rows{shared + (warp * kSystems + b) * Rows::kDoubles}; };
  const auto piece = [&](auto* values, int b) {
    auto own = piece_of<kRows>(values + (system + b) * batch.n, batch.n, p * WarpRows<kRows>::kCount, false);
    if (system + b >= batch.batch) own.count = 0;
    return own;
  };
  Number rows[kSystems][kRows];
#pragma unroll
  for (int b = 0; b < kSystems; ++b) {
    const auto own = piece(batch.y, b);
    room(b).send(own.first, own.count, number<Number>(0.0), whole);
  }
  wait_for_rows();
#pragma unroll
  for (int b = 0; b < kSystems; ++b) room(b).take(rows[b]);
  __syncwarp();
  const int table = p * WarpRows<kRows>::kCount + lane;
  first_order_beside<false>(rows, down.couplings + table, down.factors[p * kLanes + lane], of_down);
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    const Number scale = up.scale[j * kLanes + table];
#pragma unroll
    for (int b = 0; b < kSystems; ++b) rows[b][j] = scale * rows[b][j];
    forget_loads_sometimes(j);
  }
  first_order_beside<true>(rows, up.couplings + table, up.factors[p * kLanes + lane], of_up);
#pragma unroll
  for (int b = 0; b < kSystems; ++b) room(b).put(rows[b]);
  __syncwarp();
#pragma unroll
  for (int b = 0; b < kSystems; ++b) {
    const auto own = piece(batch.x, b);
    room(b).return_to(own.first, own.count, whole);
  }
}

// A thread a system of an interleaved batch, kAhead rows read before the first of them is needed.
template <class Number>
struct RowTables {
  const Number *scale, *first, *second;  // of n rows in the order of memory, or null
};
template <class Number>
__device__ void sweep_interleaved(const BatchOfRows<Number>& batch, bool upward, const RowTables<Number>& tables,
                                  int n_threads) {
  constexpr int kAhead = 8;
  const long long system = static_cast<long long>(blockIdx.x) * n_threads + threadIdx.x;
  if (system >= batch.batch) return;
  Number one = number<Number>(0.0), two = one;  // x_{i-1}, x_{i-2}
  for (long long k = 0; k < batch.n; k += kAhead) {
    Number ahead[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const long long i = upward ? batch.n - 1 - k - j : k + j;
      ahead[j] = k + j < batch.n ? batch.y[i * batch.batch + system] : number<Number>(0.0);
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k + j >= batch.n) break;
      const long long i = upward ? batch.n - 1 - k - j : k + j;
      Number value = tables.scale != nullptr ? tables.scale[i] * ahead[j] : ahead[j];
      if (tables.first != nullptr) value = value - tables.first[i] * one;
      if (tables.second != nullptr) value = value - tables.second[i] * two;
      two = one;
      one = value;
      batch.x[i * batch.batch + system] = value;
    }
  }
}

}  // namespace gwrm::banded
