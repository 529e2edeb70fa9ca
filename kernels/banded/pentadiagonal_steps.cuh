// Pentadiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/pentadiagonal.hpp
//
// Rows 2q and 2q + 1 are row q of a block tridiagonal matrix,
//   A_q X_{q-1} + B_q X_q + C_q X_{q+1} = Y_q,
//   A_q = [e_2q a_2q; 0 e_2q+1],  B_q = [b_2q c_2q; a_2q+1 b_2q+1],  C_q = [f_2q 0; c_2q+1 f_2q+1].
// hybrid: kernels/banded/lane_elimination.cuh.
#pragma once

#include "kernels/banded/block_reduction.cuh"
#include "kernels/banded/lane_elimination.cuh"

namespace gwrm::banded {

template <class Number>
struct PentadiagonalView {
  const Number* bands[5];  // of offsets -2 .. 2
};

// The rows of a warp's piece in shared memory: bands of offsets -2 .. 2, then the right-hand sides.
template <int rows, class Number>
struct PentadiagonalRoom {
  using Block = Square<Number>;
  using Rows = SwizzledRows<rows, Number>;
  static constexpr int kRows = rows, kBlockRows = rows / 2, kArrays = 6;
  double* words;  // kArrays arrays

  __device__ Rows array(int k) const { return {words + k * Rows::kDoubles}; }
  __device__ static bool whole(const BatchOfRows<Number>& batch, const PentadiagonalView<Number>& matrix) {
    return whole_units<Number>(batch.n, matrix.bands[0], matrix.bands[1], matrix.bands[2], matrix.bands[3],
                               matrix.bands[4], batch.y, batch.x);
  }
  __device__ void send(const BatchOfRows<Number>& batch, const PentadiagonalView<Number>& matrix, long long start,
                       long long first, bool whole) const {
#pragma unroll
    for (int k = 0; k < kArrays; ++k) {
      const Number* values = k < 5 ? matrix.bands[k] : batch.y;
      const auto piece = piece_of<rows>(values + start, batch.n, first, false);
      array(k).send(piece.first, piece.count, number<Number>(k == 2 ? 1.0 : 0.0), whole);
    }
  }
  __device__ void close(long long end) const {
    const auto clear = [&](int band, long long row) {
      if (row >= 0 && row < kLanes * rows) array(band).set(static_cast<int>(row), number<Number>(0.0));
    };
    clear(3, end);
    clear(4, end);
    clear(4, end - 1);
  }
  __device__ void take(LaneSystem<kBlockRows, Block>& s, bool& sound) const {
    Number second_lower[rows], lower[rows], diagonal[rows], upper[rows], second_upper[rows], right[rows];
    array(0).take(second_lower);
    array(1).take(lower);
    array(2).take(diagonal);
    array(3).take(upper);
    array(4).take(second_upper);
    array(5).take(right);
    const Number zero = number<Number>(0.0);
#pragma unroll
    for (int q = 0; q < kBlockRows; ++q) {
      const int i = 2 * q, j = i + 1;
      sound = sound && is_pivot(diagonal[i]) && is_pivot(diagonal[j]);
      s.a[q] = {second_lower[i], lower[i], zero, second_lower[j]};
      s.b[q] = {diagonal[i], upper[i], lower[j], diagonal[j]};
      s.c[q] = {second_upper[i], zero, upper[j], second_upper[j]};
      s.y[q] = {right[i], right[j]};
    }
  }
  __device__ void take_next(Block (&c)[kBlockRows]) const {
    Number upper[rows], second_upper[rows];
    array(3).take(upper);
    array(4).take(second_upper);
#pragma unroll
    for (int q = 0; q < kBlockRows; ++q)
      c[q] = {second_upper[2 * q], number<Number>(0.0), upper[2 * q + 1], second_upper[2 * q + 1]};
  }
  __device__ void give_back(const Pair<Number> (&y)[kBlockRows]) const {
    Number values[rows];
#pragma unroll
    for (int q = 0; q < kBlockRows; ++q) {
      values[2 * q] = y[q].x;
      values[2 * q + 1] = y[q].y;
    }
    solution().put(values);
  }
  __device__ Rows solution() const {
    return array(5);
  }
};

// Block cyclic reduction throughout, a warp a system of at most 64 kBlocks rows: block row r 32 + t in register r of
// lane t.
template <int kBlocks, int kWarps, class Number>
__device__ void reduce_pentadiagonal_batch(const BatchOfRows<Number>& batch, const PentadiagonalView<Number>& matrix,
                                           int* status) {
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / kLanes;
  if (system >= batch.batch) return;
  const long long start = system * batch.n;
  const auto entry = [&](int offset, long long row) {
    const bool exists = row < batch.n && row + offset >= 0 && row + offset < batch.n;
    return exists ? matrix.bands[offset + 2][start + row] : number<Number>(offset == 0 ? 1.0 : 0.0);
  };
  const auto right = [&](long long row) { return row < batch.n ? batch.y[start + row] : number<Number>(0.0); };
  Square<Number> a[kBlocks], c[kBlocks];
  Pair<Number> y[kBlocks];
  bool sound = true;
#pragma unroll
  for (int r = 0; r < kBlocks; ++r) {
    const long long row = 2 * (r * kLanes + lane_of_warp());
    const Square<Number> b{entry(0, row), entry(1, row), entry(-1, row + 1), entry(0, row + 1)};
    sound = sound && is_pivot(b.xx) && is_pivot(b.yy);
    const Square<Number> inverse = inverse_of(b, sound);
    a[r] = inverse * Square<Number>{entry(-2, row), entry(-1, row), number<Number>(0.0), entry(-2, row + 1)};
    c[r] = inverse * Square<Number>{entry(2, row), number<Number>(0.0), entry(1, row + 1), entry(2, row + 1)};
    y[r] = inverse * Pair<Number>{right(row), right(row + 1)};
  }
  sound = reduce_blocks<1>(a, c, y, static_cast<int>((batch.n + 1) / 2)) && sound;
#pragma unroll
  for (int r = 0; r < kBlocks; ++r) {
    const long long row = 2 * (r * kLanes + lane_of_warp());
    if (row < batch.n) batch.x[start + row] = y[r].x;
    if (row + 1 < batch.n) batch.x[start + row + 1] = y[r].y;
  }
  report_system(batch, system, any_lane(!sound), status);
}

// A thread a system of an interleaved batch: elimination row by row, u_i and v_i of
// kernels/banded/pentadiagonal_cpu.cpp in `u`, which lies as two batches one behind the other.
template <class Number>
__device__ void solve_pentadiagonal_interleaved(const BatchOfRows<Number>& batch,
                                                const PentadiagonalView<Number>& matrix, int* status, Number* u,
                                                int n_threads) {
  constexpr int kAhead = 4;
  const long long system = static_cast<long long>(blockIdx.x) * n_threads + threadIdx.x, n = batch.n;
  if (system >= batch.batch) return;
  const Number zero = number<Number>(0.0);
  Number* v = u + n * batch.batch;
  Pair<Number> value{zero, zero}, first{zero, zero}, second{zero, zero};  // of the row before (x) and the one before it
  bool sound = true;
  for (long long k = 0; k < n; k += kAhead) {
    Number bands[5][kAhead], y[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const long long row = k + j, place = row * batch.batch + system;
#pragma unroll
      for (int o = 0; o < 5; ++o) {
        const bool exists = row < n && row + o >= 2 && row + o - 2 < n;
        bands[o][j] = exists ? matrix.bands[o][place] : number<Number>(o == 2 ? 1.0 : 0.0);
      }
      y[j] = row < n ? batch.y[place] : zero;
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k + j >= n) break;
      const long long place = (k + j) * batch.batch + system;
      const Number below = bands[1][j] - bands[0][j] * first.y;
      const Number pivot = bands[2][j] - bands[0][j] * second.y - below * first.x;
      sound = sound && is_pivot(bands[2][j]) && is_pivot(pivot);
      const Number inverse = is_pivot(pivot) ? number<Number>(1.0) / pivot : zero;
      const Number z = (y[j] - bands[0][j] * value.y - below * value.x) * inverse;
      value = {z, value.x};
      first = {(bands[3][j] - below * second.x) * inverse, first.x};
      second = {bands[4][j] * inverse, second.x};
      u[place] = first.x;
      v[place] = second.x;
      batch.x[place] = z;
    }
  }
  value = {zero, zero};
  for (long long k = n - 1; k >= 0; k -= kAhead) {
    Number ahead[kAhead], one[kAhead], two[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const long long place = (k - j) * batch.batch + system;
      const bool exists = k - j >= 0;
      ahead[j] = exists ? batch.x[place] : zero;
      one[j] = exists ? u[place] : zero;
      two[j] = exists ? v[place] : zero;
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      if (k - j < 0) break;
      value = {ahead[j] - one[j] * value.x - two[j] * value.y, value.x};
      batch.x[(k - j) * batch.batch + system] = value.x;
    }
  }
  if (status != nullptr) status[system] = sound ? 0 : 1;
  if (sound) return;
  for (long long i = 0; i < n; ++i) batch.x[i * batch.batch + system] = zero;
}

}  // namespace gwrm::banded
