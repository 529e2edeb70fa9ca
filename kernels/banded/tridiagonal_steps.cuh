// Tridiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/tridiagonal.hpp
//
// hybrid: the four numbers of a row lie in shared memory, lane t has rows f .. e (kRows of them). With
//   down  from f to e:    A x_{f-1} + B x_e + c_e x_{e+1} = Y          (pivots of Thomas' elimination within the lane)
//   up    from e-1 to f:  a_f x_{f-1} + B' x_f + C' x_e = Y'
// and x_{e+1} from the `up` of the next lane, the 32 last rows are a tridiagonal system: five steps of cyclic
// reduction. Then x_{f-1} and x_e are known, and the rows between are eliminated with the pivots of `down`. Of a piece
// of a longer system first row and last row are changed by what is known of its neighbours:
//   before  x_{-1} = v - u x_0, from the pieces before:      b_0 -= a_0 u,  y_0 -= a_0 v,  a_0 = 0
//   behind  x_m, solved already:                             y_{m-1} -= c_{m-1} x_m,       c_{m-1} = 0
#pragma once

#include "kernels/banded/asynchronous_rows.cuh"
#include "kernels/banded/bidiagonal_steps.cuh"
#include "kernels/banded/cyclic_reduction.cuh"

namespace gwrm::banded {

template <class Number>
struct TridiagonalView {
  const Number *lower, *diagonal, *upper;
};

// The rows of a warp's piece in shared memory.
template <int kRows, class Number>
struct TridiagonalRoom {
  static constexpr int kWords = kWordsOfRows<Number, kRows>;
  double* words;  // 4 kWords

  __device__ Number get(int array, int row) const {
    return taken<kRows, Number>(words + array * kWords, place_of<kRows>(row));
  }
  __device__ void set(int array, int row, Number value) const {
    put<kRows>(words + array * kWords, place_of<kRows>(row), value);
  }
  __device__ Number a(int row) const { return get(0, row); }
  __device__ Number b(int row) const { return get(1, row); }
  __device__ Number c(int row) const { return get(2, row); }
  __device__ Number y(int row) const { return get(3, row); }
};

template <class Number>
struct LastRow {
  Number a, c, y;  // of the lane's last row, diagonal one: c to the last row of the next lane
  Number outside;  // its coupling to what follows the piece, in the last lane
};

template <int kRows, class Number>
__device__ inline Number inverse_of(Number pivot, bool& sound) {
  const bool usable = is_pivot(pivot);
  sound = sound && usable;
  return usable ? number<Number>(1.0) / pivot : number<Number>(0.0);
}

// Up and down within the lane. The inverses of the pivots of `down` take the place of the diagonal, but for the last.
template <int kRows, class Number>
__device__ inline LastRow<Number> last_rows(const TridiagonalRoom<kRows, Number>& room, bool& sound) {
  const int lane = lane_of_warp(), f = lane * kRows;
  // First rows, of which the lane before needs those of the next.
  Number first_pivot = number<Number>(1.0), to_last = number<Number>(0.0), first_right = to_last;
  if constexpr (kRows > 1) {
    first_pivot = room.b(f + kRows - 2);
    to_last = room.c(f + kRows - 2);
    first_right = room.y(f + kRows - 2);
#pragma unroll 4
    for (int j = kRows - 3; j >= 0; --j) {
      const Number factor = room.c(f + j) * inverse_of<kRows>(first_pivot, sound);
      first_pivot = room.b(f + j) - factor * room.a(f + j + 1);
      to_last = -(factor * to_last);
      first_right = room.y(f + j) - factor * first_right;
    }
  }
  Number from_first = room.a(f), pivot = room.b(f), right = room.y(f);
  sound = sound && is_pivot(pivot);
#pragma unroll 4
  for (int j = 1; j < kRows; ++j) {
    const Number inverse = inverse_of<kRows>(pivot, sound), factor = room.a(f + j) * inverse;
    const Number diagonal = room.b(f + j);
    sound = sound && is_pivot(diagonal);
    from_first = -(factor * from_first);
    pivot = diagonal - factor * room.c(f + j - 1);
    right = room.y(f + j) - factor * right;
    room.set(1, f + j - 1, inverse);
  }
  const Number next = room.c(f + kRows - 1);
  const bool is_last = lane == kLanes - 1;
  LastRow<Number> row{from_first, next, right, number<Number>(0.0)};
  if constexpr (kRows > 1) {
    const Number factor = next * shuffled_down(inverse_of<kRows>(first_pivot, sound), 1);
    const Number its_first = shuffled_down(room.a(f), 1), its_last = shuffled_down(to_last, 1),
                 its_right = shuffled_down(first_right, 1);
    if (!is_last) {
      pivot = pivot - factor * its_first;
      row.c = -(factor * its_last);
      row.y = row.y - factor * its_right;
    }
  }
  if (is_last) {
    row.outside = next;
    row.c = number<Number>(0.0);
  }
  const Number inverse = inverse_of<kRows>(pivot, sound);
  row.a = row.a * inverse;
  row.c = row.c * inverse;
  row.y = row.y * inverse;
  row.outside = row.outside * inverse;
  return row;
}

// What the last rows come to: the values there.
template <class Number>
__device__ inline Number values_of_last_rows(const LastRow<Number>& row, Number right, bool& sound) {
  Number a[1] = {row.a}, c[1] = {row.c}, y[1] = {right};
  if (lane_of_warp() == 0) a[0] = number<Number>(0.0);
  sound = reduce_tridiagonal<1, 1>(a, c, y, kLanes) && sound;
  return y[0];
}

// The right-hand sides of the room <- the solution of the piece. The lane's first row comes back.
template <int kRows, class Number>
__device__ inline Number solve_piece(const TridiagonalRoom<kRows, Number>& room, bool& sound) {
  const LastRow<Number> row = last_rows(room, sound);
  const Number last = values_of_last_rows(row, row.y, sound);
  const int f = lane_of_warp() * kRows;
  Number behind = last;
  if constexpr (kRows > 1) {
    Number before = shuffled_up(last, 1);
    if (f == 0) before = number<Number>(0.0);
    Number value = room.y(f) - room.a(f) * before;
    room.set(3, f, value);
#pragma unroll 4
    for (int j = 1; j < kRows - 1; ++j) {
      value = room.y(f + j) - room.a(f + j) * room.b(f + j - 1) * value;
      room.set(3, f + j, value);
    }
#pragma unroll 4
    for (int j = kRows - 2; j >= 0; --j) {
      behind = (room.y(f + j) - room.c(f + j) * behind) * room.b(f + j);
      room.set(3, f + j, behind);
    }
  }
  room.set(3, f + kRows - 1, last);
  return behind;
}

// x_{-1} = v - u x_0 of a piece.
template <class Number>
struct Before {
  Number u, v;
};

template <int kRows, class Number>
__device__ inline void fetch_piece(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                   long long start, long long first, const Before<Number>& before,
                                   const TridiagonalRoom<kRows, Number>& room, bool& sound) {
  constexpr int kWords = TridiagonalRoom<kRows, Number>::kWords;
  const auto piece = [&](const Number* values) { return piece_of<kRows>(values + start, batch.n, first, false); };
  const Number zero = number<Number>(0.0);
  send_rows<kRows>(piece(matrix.lower), zero, room.words);
  send_rows<kRows>(piece(matrix.diagonal), number<Number>(1.0), room.words + kWords);
  send_rows<kRows>(piece(matrix.upper), zero, room.words + 2 * kWords);
  send_rows<kRows>(piece(batch.y), zero, room.words + 3 * kWords);
  wait_for_rows();
  if (lane_of_warp() == 0) {
    if (first > 0) {
      sound = sound && is_pivot(room.b(0));
      room.set(1, 0, room.b(0) - room.a(0) * before.u);
      room.set(3, 0, room.y(0) - room.a(0) * before.v);
    }
    room.set(0, 0, zero);
  }
  __syncwarp();
}

// A warp a system. `before`: of every piece but the first, n_pieces - 1 for a system, in device memory.
template <int kRows, int kWarps, class Number>
__device__ void solve_tridiagonal_batch(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                        int* status, Before<Number>* before) {
  constexpr int kCount = WarpRows<kRows>::kCount;
  __shared__ double rooms[kWarps][4 * TridiagonalRoom<kRows, Number>::kWords];
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = lane_of_warp();
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  const TridiagonalRoom<kRows, Number> room{rooms[warp]};
  const Number zero = number<Number>(0.0);
  const long long start = system * batch.n, n_pieces = (batch.n + kCount - 1) / kCount;
  Before<Number>* carried = before + system * (n_pieces - 1);
  bool sound = true;

  Before<Number> last{zero, zero};
  for (long long p = 0; p + 1 < n_pieces; ++p) {
    fetch_piece(batch, matrix, start, p * kCount, last, room, sound);
    const LastRow<Number> row = last_rows(room, sound);
    last.v = shuffled(values_of_last_rows(row, row.y, sound), kLanes - 1);
    last.u = shuffled(values_of_last_rows(row, row.outside, sound), kLanes - 1);
    if (lane == 0) carried[p] = last;
    __syncwarp();
  }
  Number next = zero;
  for (long long p = n_pieces; p-- > 0;) {
    if (p + 1 < n_pieces && p > 0) last = carried[p - 1];
    fetch_piece(batch, matrix, start, p * kCount, last, room, sound);
    const long long left = batch.n - p * kCount;
    const int end = static_cast<int>(left < kCount ? left : kCount) - 1;
    if (lane == 0) {
      if (p + 1 < n_pieces) room.set(3, end, room.y(end) - room.c(end) * next);
      room.set(2, end, zero);
    }
    __syncwarp();
    next = shuffled(solve_piece(room, sound), 0);
    __syncwarp();
    return_rows<kRows>(room.words + 3 * room.kWords, piece_of<kRows>(batch.x + start, batch.n, p * kCount, false));
  }
  report_system(batch, system, any_lane(!sound), status);
}

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
    const Number inverse = inverse_of<kRows>(b[r], sound);
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
      const Number inverse = inverse_of<1>(b[j] - a[j] * ratio, sound);
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
