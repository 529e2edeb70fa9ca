// Tridiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/tridiagonal.hpp
//
// hybrid: kernels/banded/lane_elimination.cuh, blocks are numbers.
#pragma once

#include "kernels/banded/cyclic_reduction.cuh"
#include "kernels/banded/lane_elimination.cuh"

namespace gwrm::banded {

template <class Number>
struct TridiagonalView {
  const Number *lower, *diagonal, *upper;
};

// The rows of a warp's piece in shared memory: below the diagonal, the diagonal, above it, right-hand sides.
template <int rows, class Number>
struct TridiagonalRoom {
  using Block = Number;
  using Rows = SwizzledRows<rows, Number>;
  static constexpr int kRows = rows, kBlockRows = rows, kArrays = 4;
  double* words;  // kArrays arrays

  __device__ Rows array(int k) const { return {words + k * Rows::kDoubles}; }
  __device__ static bool whole(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix) {
    return whole_units<Number>(batch.n, matrix.lower, matrix.diagonal, matrix.upper, batch.y, batch.x);
  }
  __device__ void send(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix, long long start,
                       long long first, bool whole) const {
    const Number* const arrays[kArrays] = {matrix.lower, matrix.diagonal, matrix.upper, batch.y};
#pragma unroll
    for (int k = 0; k < kArrays; ++k) {
      const auto piece = piece_of<rows>(arrays[k] + start, batch.n, first, false);
      array(k).send(piece.first, piece.count, number<Number>(k == 1 ? 1.0 : 0.0), whole);
    }
  }
  __device__ void close(long long end) const {
    if (end >= 0 && end < kLanes * rows) array(2).set(static_cast<int>(end), number<Number>(0.0));
  }
  __device__ void take(LaneSystem<rows, Number>& s, bool& sound) const {
    array(0).take(s.a);
    array(1).take(s.b);
    array(2).take(s.c);
    array(3).take(s.y);
#pragma unroll
    for (int j = 0; j < rows; ++j) sound = sound && is_pivot(s.b[j]);
  }
  __device__ void take_next(Number (&c)[rows]) const {
    array(2).take(c);
  }
  __device__ void give_back(const Number (&y)[rows]) const {
    solution().put(y);
  }
  __device__ Rows solution() const {
    return array(3);
  }
};

// Cyclic reduction throughout, a warp a system of at most 32 kRows rows.
template <int kRows, int kWarps, class Number>
__device__ void reduce_tridiagonal_batch(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                         int* status) {
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / kLanes;
  if (system >= batch.batch) return;
  const auto piece = [&](const Number* values) {
    return piece_of<kRows>(values + system * batch.n, batch.n, 0, false);
  };
  const Number zero = number<Number>(0.0);
  Number a[kRows], c[kRows], y[kRows], b[kRows];
  load_strided<kRows>(piece(matrix.lower), zero, a);
  load_strided<kRows>(piece(matrix.diagonal), number<Number>(1.0), b);
  load_strided<kRows>(piece(matrix.upper), zero, c);
  load_strided<kRows>(piece(batch.y), zero, y);
  bool sound = true;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane_of_warp();
    const Number inverse = inverse_of(b[r], sound);
    a[r] = row == 0 ? zero : a[r] * inverse;
    c[r] = row == batch.n - 1 ? zero : c[r] * inverse;
    y[r] = y[r] * inverse;
  }
  sound = reduce_tridiagonal<1>(a, c, y, static_cast<int>(batch.n)) && sound;
  store_strided<kRows>(y, piece_of<kRows>(batch.x + system * batch.n, batch.n, 0, false));
  report_system(batch, system, any_lane(!sound), status);
}

// A thread a system of an interleaved batch: Thomas, with u_i = c_i / pivot in `u`, which lies as the batch does.
template <class Number>
__device__ void solve_tridiagonal_interleaved(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                              int* status, Number* u, int n_threads) {
  constexpr int kAhead = 4;
  const long long system = static_cast<long long>(blockIdx.x) * n_threads + threadIdx.x, n = batch.n;
  if (system >= batch.batch) return;
  const Number zero = number<Number>(0.0);
  Number value = zero, ratio = zero;
  bool sound = true;
  for (long long k = 0; k < n; k += kAhead) {
    Number a[kAhead], b[kAhead], c[kAhead], y[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const long long place = (k + j) * batch.batch + system;
      const bool exists = k + j < n;
      a[j] = exists && k + j > 0 ? matrix.lower[place] : zero;
      b[j] = exists ? matrix.diagonal[place] : number<Number>(1.0);
      c[j] = k + j + 1 < n ? matrix.upper[place] : zero;
      y[j] = exists ? batch.y[place] : zero;
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k + j >= n) break;
      sound = sound && is_pivot(b[j]);
      const Number inverse = inverse_of(b[j] - a[j] * ratio, sound);
      ratio = c[j] * inverse;
      value = (y[j] - a[j] * value) * inverse;
      u[(k + j) * batch.batch + system] = ratio;
      batch.x[(k + j) * batch.batch + system] = value;
    }
  }
  for (long long k = n - 2; k >= 0; k -= kAhead) {
    Number ahead[kAhead], ratios[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      ahead[j] = k - j >= 0 ? batch.x[(k - j) * batch.batch + system] : zero;
      ratios[j] = k - j >= 0 ? u[(k - j) * batch.batch + system] : zero;
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k - j < 0) break;
      value = ahead[j] - ratios[j] * value;
      batch.x[(k - j) * batch.batch + system] = value;
    }
  }
  if (status != nullptr) status[system] = sound ? 0 : 1;
  if (sound) return;
  for (long long i = 0; i < n; ++i) batch.x[i * batch.batch + system] = zero;
}

}  // namespace gwrm::banded
