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
#pragma once

#include "kernels/banded/substitution_steps.cuh"

namespace gwrm::banded {

inline constexpr int kScanSteps = 5;

// A sweep's tables in device memory: numbers of rows as in SweepTables; matrices of step k of lane t of piece p,
// entries xx, xy, yx, yy, at ((p kScanSteps + k) 4 + entry) 32 + t.
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
          tables.matrices + piece * kScanSteps * 4 * kLanes};
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

// A sweep down and one up of at most 32 kRows rows, which stay in registers between them. The tables of both are in the
// order of the rows in memory.
template <int kRows, int kWarps, class Number>
__device__ void second_order_down_and_up(const BatchOfRows<Number>& batch, const SecondOrderTables<Number>& down,
                                         const SecondOrderTables<Number>& up) {
  __shared__ double rooms[kWarps][kWordsOfRows<Number, kRows>];
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  double* room = rooms[warp];
  Number rows[kRows];
  LastTwo<Number> before{number<Number>(0.0), number<Number>(0.0)};
  load_rows<kRows, Number>(piece_of<kRows>(batch.y + system * batch.n, batch.n, 0, false), number<Number>(0.0), room,
                           rows);
  const SecondOrderTables<Number> first = tables_of_piece<kRows>(down, 0), second = tables_of_piece<kRows>(up, 0);
  scale_rows(rows, first.scale);
  second_order<false>(rows, first.first, first.second, first.matrices, before);
  scale_rows(rows, second.scale);
  before = {number<Number>(0.0), number<Number>(0.0)};
  second_order<true>(rows, second.first, second.second, second.matrices, before);
  store_rows<kRows, Number>(rows, room, piece_of<kRows>(batch.x + system * batch.n, batch.n, 0, false));
}

}  // namespace gwrm::banded
