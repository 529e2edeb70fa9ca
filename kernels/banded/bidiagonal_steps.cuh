// Bidiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/bidiagonal.hpp
//
// The matrix goes the way of the right-hand side into registers; with a diagonal both are divided by it first.
#pragma once

#include "kernels/banded/substitution_steps.cuh"

namespace gwrm::banded {

template <class Number>
struct BidiagonalView {
  const Number *off, *diagonal;  // diagonal null: ones
  bool upward;
};

// Whether any lane of the warp says so.
__device__ inline bool any_lane(bool condition) {
  return __any_sync(kAllLanes, condition ? 1 : 0) != 0;
}

// x = 0 for a system of a contiguous batch that is singular, and its status.
template <class Number>
__device__ inline void report_system(const BatchOfRows<Number>& batch, long long system, bool singular, int* status) {
  const int lane = lane_of_warp();
  if (lane == 0 && status != nullptr) status[system] = singular ? 1 : 0;
  if (!singular) return;
  for (long long i = lane; i < batch.n; i += kLanes) batch.x[system * batch.n + i] = number<Number>(0.0);
}

// A warp a system, piece by piece.
template <int kRows, int kDistance, int kWarps, class Number>
__device__ void solve_bidiagonal_batch(const BatchOfRows<Number>& batch, const BidiagonalView<Number>& matrix,
                                       int* status) {
  __shared__ double rooms[kWarps][kWordsOfRows<Number, kRows>];
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = lane_of_warp();
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  double* room = rooms[warp];
  const long long start = system * batch.n;
  Number before[kDistance];
  for (int c = 0; c < kDistance; ++c) before[c] = number<Number>(0.0);
  bool singular = false;
  for (long long first = 0; first < batch.n; first += WarpRows<kRows>::kCount) {
    const auto piece = [&](const Number* values) {
      return piece_of<kRows>(values + start, batch.n, first, matrix.upward);
    };
    Number rows[kRows], s[kRows];
    load_rows<kRows>(piece(matrix.off), number<Number>(0.0), room, s);
    load_rows<kRows>(piece(batch.y), number<Number>(0.0), room, rows);
#pragma unroll
    for (int j = 0; j < kRows; ++j)
      if (first + lane * kRows + j < kDistance) s[j] = number<Number>(0.0);  // not looked at
    if (matrix.diagonal != nullptr) {
      fetch_rows<kRows>(piece(matrix.diagonal), number<Number>(1.0), room);
#pragma unroll
      for (int j = 0; j < kRows; ++j) {
        const Number diagonal = taken<kRows, Number>(room, place_of<kRows>(lane * kRows) + j);
        singular = singular || !is_pivot(diagonal);
        s[j] = s[j] / diagonal;
        rows[j] = rows[j] / diagonal;
      }
      __syncwarp();
    }
    Number factors[kDistance];
#pragma unroll
    for (int c = 0; c < kDistance; ++c) {
      factors[c] = -s[c];
#pragma unroll
      for (int j = c + kDistance; j < kRows; j += kDistance) factors[c] = -(s[j] * factors[c]);
    }
    first_order<false, kDistance>(
        rows, [&](int j) { return s[j]; }, [&](int c) { return factors[c]; }, before);
    store_rows<kRows, Number>(rows, room, piece_of<kRows>(batch.x + start, batch.n, first, matrix.upward));
  }
  report_system(batch, system, any_lane(singular), status);
}

// A thread a system of an interleaved batch.
template <class Number>
__device__ void solve_bidiagonal_interleaved(const BatchOfRows<Number>& batch, const BidiagonalView<Number>& matrix,
                                             int distance, int* status, int n_threads) {
  constexpr int kAhead = 4;
  const long long system = static_cast<long long>(blockIdx.x) * n_threads + threadIdx.x;
  if (system >= batch.batch) return;
  Number one = number<Number>(0.0), two = one;  // x_{i-1}, x_{i-2}
  bool singular = false;
  for (long long k = 0; k < batch.n; k += kAhead) {
    Number right[kAhead], off[kAhead], diagonal[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const bool exists = k + j < batch.n;
      const long long place = (matrix.upward ? batch.n - 1 - k - j : k + j) * batch.batch + system;
      right[j] = exists ? batch.y[place] : number<Number>(0.0);
      off[j] = exists && k + j >= distance ? matrix.off[place] : number<Number>(0.0);
      diagonal[j] = exists && matrix.diagonal != nullptr ? matrix.diagonal[place] : number<Number>(1.0);
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k + j >= batch.n) break;
      Number value = right[j] - off[j] * (distance == 1 ? one : two);
      if (matrix.diagonal != nullptr) {
        singular = singular || !is_pivot(diagonal[j]);
        value = value / diagonal[j];
      }
      two = one;
      one = value;
      batch.x[(matrix.upward ? batch.n - 1 - k - j : k + j) * batch.batch + system] = value;
    }
  }
  if (status != nullptr) status[system] = singular ? 1 : 0;
  if (!singular) return;
  for (long long i = 0; i < batch.n; ++i) batch.x[i * batch.batch + system] = number<Number>(0.0);
}

}  // namespace gwrm::banded
