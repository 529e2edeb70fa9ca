// Sweeps with two couplings on rows in the registers of a warp: the hybrid of elimination and parallel cyclic reduction
// for the factors of pentadiagonal matrices.
//
// Contract: kernels/banded/substitution.hpp
//
//   x_i = y_i - s_i x_{i-1} - r_i x_{i-2}. With w = (x_i, x_{i-1}) behind a lane's last row and v before its first,
//   w = p + E v: p is what the lane's rows make of zeros, E (2 x 2) depends on the matrix alone. Of the steps
//     p_t += E_t p_{t-h},  E_t = E_t E_{t-h},  h = 1, 2, 4, 8, 16
//   only the first is done here; the matrices of all five lie in tables (kernels/banded/substitution_tables.hpp). Each
//   lane then goes through its rows once more: 4 multiply-adds a row, 12 exchanges and 20 multiply-adds a system.
//   The warps of a team have a piece each: what comes in to a lane, v + Q w, is what its warp makes of zeros, and of w
//   that comes in to the warp by way of shared memory; Q, of all lanes before it, is a sixth matrix of the tables.
#pragma once

#include "kernels/banded/substitution_steps.cuh"

namespace gwrm::banded {

inline constexpr int kScanSteps = 5, kScanMatrices = kScanSteps + 1;

// A sweep's tables in device memory: numbers of rows as in SweepTables; matrices of step k of lane t of piece p,
// entries xx, xy, yx, yy, at ((p kScanMatrices + k) 4 + entry) 32 + t; k = 5: of all lanes up to t.
template <class Number>
struct SecondOrderTables {
  const Number *scale, *first, *second;  // scale null: ones
  const Number* matrices;
};

template <class Number>
struct LastTwo {
  Number one, two;  // the last row and the one before it
};

// What comes in to every lane, from the ends of the lanes; `before`: to the first of them.
template <bool kUpward, class Number>
__device__ inline LastTwo<Number> incoming(LastTwo<Number> end, const Number* matrices, const LastTwo<Number>& before) {
  const int lane = lane_of_warp(), position = kUpward ? kLanes - 1 - lane : lane;
  const auto add = [&](const Number* m, const LastTwo<Number>& other) {
    end.one = end.one + m[0] * other.one + m[kLanes] * other.two;
    end.two = end.two + m[2 * kLanes] * other.one + m[3 * kLanes] * other.two;
  };
  if (position == 0) add(matrices + lane, before);
#pragma unroll
  for (int k = 0; k < kScanSteps; ++k) {
    const int h = 1 << k;
    const LastTwo<Number> other = kUpward ? LastTwo<Number>{shuffled_down(end.one, h), shuffled_down(end.two, h)}
                                          : LastTwo<Number>{shuffled_up(end.one, h), shuffled_up(end.two, h)};
    if (position >= h) add(matrices + 4 * k * kLanes + lane, other);
  }
  const LastTwo<Number> neighbour = kUpward ? LastTwo<Number>{shuffled_down(end.one, 1), shuffled_down(end.two, 1)}
                                            : LastTwo<Number>{shuffled_up(end.one, 1), shuffled_up(end.two, 1)};
  return position == 0 ? before : neighbour;
}

// rows <- the solution; `before`: the values before the first row, becomes the last two.
template <bool kUpward, int kRows, class Number>
__device__ inline void second_order(Number (&rows)[kRows], const Number* first, const Number* second,
                                    const Number* matrices, LastTwo<Number>& before) {
  const auto row = [](int k) { return kUpward ? kRows - 1 - k : k; };
  LastTwo<Number> end{number<Number>(0.0), number<Number>(0.0)};
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int j = row(k);
    const Number value = k == 0   ? rows[j]
                         : k == 1 ? rows[j] - first[j * kLanes] * end.one
                                  : rows[j] - second[j * kLanes] * end.two - first[j * kLanes] * end.one;
    end = {value, end.one};
    forget_loads_sometimes(k);
  }
  LastTwo<Number> in = incoming<kUpward>(end, matrices, before);
  forget_loads();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int j = row(k);
    rows[j] = rows[j] - second[j * kLanes] * in.two - first[j * kLanes] * in.one;
    in = {rows[j], in.one};
    forget_loads_sometimes(k);
  }
  const int last = kUpward ? 0 : kLanes - 1;
  before = {shuffled(in.one, last), shuffled(in.two, last)};
}

// The tables of a piece as lane t reads them.
template <int kRows, class Number>
__device__ inline SecondOrderTables<Number> tables_of_piece(const SecondOrderTables<Number>& tables, long long piece) {
  const long long start = piece * WarpRows<kRows>::kCount + lane_of_warp();
  return {tables.scale == nullptr ? nullptr : tables.scale + start, tables.first + start, tables.second + start,
          tables.matrices + piece * kScanMatrices * 4 * kLanes};
}

template <int kRows, class Number>
__device__ inline void scale_rows(Number (&rows)[kRows], const Number* scale) {
  if (scale == nullptr) return;
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    rows[j] = scale[j * kLanes] * rows[j];
    forget_loads_sometimes(j);
  }
}

// One sweep of any length, piece by piece; `upward` (the side upper) takes the rows from the last.
template <int kRows, int kWarps, class Number>
__device__ void second_order_batch(const BatchOfRows<Number>& batch, bool upward,
                                   const SecondOrderTables<Number>& tables) {
  __shared__ double rooms[kWarps][kWordsOfRows<Number, kRows>];
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  double* room = rooms[warp];
  Number rows[kRows];
  LastTwo<Number> before{number<Number>(0.0), number<Number>(0.0)};
  long long piece = 0;
  for (long long first = 0; first < batch.n; first += WarpRows<kRows>::kCount, ++piece) {
    load_rows<kRows, Number>(piece_of<kRows>(batch.y + system * batch.n, batch.n, first, upward), number<Number>(0.0),
                             room, rows);
    const SecondOrderTables<Number> own = tables_of_piece<kRows>(tables, piece);
    scale_rows(rows, own.scale);
    second_order<false>(rows, own.first, own.second, own.matrices, before);
    store_rows<kRows, Number>(rows, room, piece_of<kRows>(batch.x + system * batch.n, batch.n, first, upward));
  }
}

// `incoming` of several systems with the same matrices, whose rows lie in the lanes of kTeam warps, a piece each.
// `matrices`: of all pieces; `ends`: 2 kSystems numbers of every warp in shared memory.
template <bool kUpward, int kTeam, int kSystems, class Number>
__device__ inline void incoming_beside(LastTwo<Number> (&end)[kSystems], const Number* matrices, double* ends) {
  constexpr int kWords = BandedNumber<Number>::kWords, kPiece = kScanMatrices * 4 * kLanes;
  const int lane = lane_of_warp(), position = kUpward ? kLanes - 1 - lane : lane;
  const int warp = kTeam > 1 ? static_cast<int>(threadIdx.x) / kLanes : 0, place = kUpward ? kTeam - 1 - warp : warp;
  const auto from = [](const LastTwo<Number>& value, int h) {
    return kUpward ? LastTwo<Number>{shuffled_down(value.one, h), shuffled_down(value.two, h)}
                   : LastTwo<Number>{shuffled_up(value.one, h), shuffled_up(value.two, h)};
  };
  const auto sum = [](const LastTwo<Number>& own, const Number(&m)[4], const LastTwo<Number>& other) {
    return LastTwo<Number>{own.one + m[0] * other.one + m[1] * other.two,
                           own.two + m[2] * other.one + m[3] * other.two};
  };
  const auto matrix = [&](int piece, int k, int of_lane, Number(&m)[4]) {
#pragma unroll
    for (int entry = 0; entry < 4; ++entry) m[entry] = matrices[piece * kPiece + (4 * k + entry) * kLanes + of_lane];
  };
  Number m[4];
#pragma unroll
  for (int k = 0; k < kScanSteps; ++k) {
    matrix(warp, k, lane, m);
#pragma unroll
    for (int b = 0; b < kSystems; ++b) {
      const LastTwo<Number> other = from(end[b], 1 << k), more = sum(end[b], m, other);
      if (position >= 1 << k) end[b] = more;
    }
  }
  LastTwo<Number> before[kSystems];
#pragma unroll
  for (int b = 0; b < kSystems; ++b) before[b] = {number<Number>(0.0), number<Number>(0.0)};
  if constexpr (kTeam > 1) {
    const auto word = [&](int w, int b, int k) { return ends + ((w * kSystems + b) * 2 + k) * kWords; };
    if (position == kLanes - 1)
#pragma unroll
      for (int b = 0; b < kSystems; ++b)
        for (int w = 0; w < kWords; ++w) {
          word(place, b, 0)[w] = BandedNumber<Number>::word(end[b].one, w);
          word(place, b, 1)[w] = BandedNumber<Number>::word(end[b].two, w);
        }
    __syncthreads();
    for (int v = 0; v < place; ++v) {
      matrix(kUpward ? kTeam - 1 - v : v, kScanSteps, kUpward ? 0 : kLanes - 1, m);
#pragma unroll
      for (int b = 0; b < kSystems; ++b) {
        LastTwo<Number> its;
        for (int w = 0; w < kWords; ++w) {
          BandedNumber<Number>::set_word(its.one, w, word(v, b, 0)[w]);
          BandedNumber<Number>::set_word(its.two, w, word(v, b, 1)[w]);
        }
        before[b] = sum(its, m, before[b]);
      }
    }
    matrix(warp, kScanSteps, position == 0 ? lane : kUpward ? lane + 1 : lane - 1, m);
  }
#pragma unroll
  for (int b = 0; b < kSystems; ++b) {
    const LastTwo<Number> neighbour = from(end[b], 1);
    if (position == 0)
      end[b] = before[b];
    else if constexpr (kTeam > 1)
      end[b] = sum(neighbour, m, before[b]);
    else
      end[b] = neighbour;
  }
}

// second_order of several systems that share the matrix, beside each other: each coefficient is read once for all.
template <bool kUpward, int kTeam, int kSystems, int kRows, class Number>
__device__ inline void second_order_beside(Number (&rows)[kSystems][kRows], const Number* first, const Number* second,
                                           const Number* matrices, double* ends) {
  const auto row = [](int k) { return kUpward ? kRows - 1 - k : k; };
  LastTwo<Number> in[kSystems];
#pragma unroll
  for (int b = 0; b < kSystems; ++b) in[b] = {rows[b][row(0)], number<Number>(0.0)};
#pragma unroll
  for (int k = 1; k < kRows; ++k) {
    const int j = row(k);
    const Number s = first[j * kLanes], r = second[j * kLanes];
#pragma unroll
    for (int b = 0; b < kSystems; ++b) {
      const Number value = k == 1 ? rows[b][j] - s * in[b].one : rows[b][j] - r * in[b].two - s * in[b].one;
      in[b] = {value, in[b].one};
    }
    forget_loads_sometimes(k);
  }
  incoming_beside<kUpward, kTeam>(in, matrices, ends);
  forget_loads();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int j = row(k);
    const Number s = first[j * kLanes], r = second[j * kLanes];
#pragma unroll
    for (int b = 0; b < kSystems; ++b) {
      rows[b][j] = rows[b][j] - r * in[b].two - s * in[b].one;
      in[b] = {rows[b][j], in[b].one};
    }
    forget_loads_sometimes(k);
  }
}

// Shared memory of a block in doubles.
template <int kRows, int kSystems, int kWarps, int kTeam, class Number>
inline constexpr int kSecondOrderWords = kWarps* kSystems* SwizzledRows<kRows, Number>::kDoubles +
                                         (kTeam > 1 ? 4 * kTeam * kSystems * BandedNumber<Number>::kWords : 0);

// A sweep down and one up of at most 32 kRows kTeam rows, which stay in registers between them; a team of kTeam warps
// takes kSystems systems, a piece of them each. Blocks of kWarps warps: of one team where it has more than one;
// `shared`: kSecondOrderWords, on 16 bytes. The tables of both are in the order of the rows in memory.
template <int kRows, int kSystems, int kWarps, int kTeam, class Number>
__device__ void second_order_down_and_up(const BatchOfRows<Number>& batch, const SecondOrderTables<Number>& down,
                                         const SecondOrderTables<Number>& up, double* shared) {
  static_assert(kTeam == 1 || kTeam == kWarps, "the warps of a team meet at the barriers of a block");
  using Rows = SwizzledRows<kRows, Number>;
  double* const of_down = shared + kWarps * kSystems * Rows::kDoubles;
  double* const of_up = of_down + 2 * kTeam * kSystems * BandedNumber<Number>::kWords;
  const int warp = static_cast<int>(threadIdx.x) / kLanes, p = kTeam > 1 ? warp : 0;
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
  const SecondOrderTables<Number> first = tables_of_piece<kRows>(down, p), second = tables_of_piece<kRows>(up, p);
  const auto scale_all = [&](const Number* scale) {
    if (scale == nullptr) return;
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const Number factor = scale[j * kLanes];
#pragma unroll
      for (int b = 0; b < kSystems; ++b) rows[b][j] = factor * rows[b][j];
      forget_loads_sometimes(j);
    }
  };
  scale_all(first.scale);
  second_order_beside<false, kTeam>(rows, first.first, first.second, down.matrices, of_down);
  scale_all(second.scale);
  second_order_beside<true, kTeam>(rows, second.first, second.second, up.matrices, of_up);
#pragma unroll
  for (int b = 0; b < kSystems; ++b) room(b).put(rows[b]);
  __syncwarp();
#pragma unroll
  for (int b = 0; b < kSystems; ++b) {
    const auto own = piece(batch.x, b);
    room(b).return_to(own.first, own.count, whole);
  }
}

}  // namespace gwrm::banded
