// Pentadiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/pentadiagonal.hpp
//
// Rows 2q and 2q + 1 are row q of a block tridiagonal matrix,
//   A_q X_{q-1} + B_q X_q + C_q X_{q+1} = Y_q,
//   A_q = [e_2q a_2q; 0 e_2q+1],  B_q = [b_2q c_2q; a_2q+1 b_2q+1],  C_q = [f_2q 0; c_2q+1 f_2q+1],
// and what kernels/banded/tridiagonal_steps.cuh does with numbers is done with blocks, whose products do not commute:
// hybrid is elimination within the lane, down and up, cyclic reduction of the 32 last block rows, and elimination once
// more between known values. Of a piece of a longer system:
//   before  X_{-1} = v - U X_0, from the pieces before:      B_0 -= A_0 U,  Y_0 -= A_0 v,  A_0 = 0
//   behind  X_m, solved already:                             Y_{m-1} -= C_{m-1} X_m,       C_{m-1} = 0
#pragma once

#include "kernels/banded/asynchronous_rows.cuh"
#include "kernels/banded/bidiagonal_steps.cuh"
#include "kernels/banded/block_reduction.cuh"

namespace gwrm::banded {

template <class Number>
struct PentadiagonalView {
  const Number* bands[5];  // of offsets -2 .. 2
};

// The rows of a warp's piece in shared memory: bands of offsets -2 .. 2, then the right-hand sides.
template <int kRows, class Number>
struct PentadiagonalRoom {
  static constexpr int kWords = kWordsOfRows<Number, kRows>, kArrays = 6;
  double* words;  // kArrays kWords

  __device__ Number get(int array, int row) const {
    return taken<kRows, Number>(words + array * kWords, place_of<kRows>(row));
  }
  __device__ void set(int array, int row, Number value) const {
    put<kRows>(words + array * kWords, place_of<kRows>(row), value);
  }
  __device__ Square<Number> a(int q) const {
    return {get(0, 2 * q), get(1, 2 * q), number<Number>(0.0), get(0, 2 * q + 1)};
  }
  __device__ Square<Number> b(int q) const {
    return {get(2, 2 * q), get(3, 2 * q), get(1, 2 * q + 1), get(2, 2 * q + 1)};
  }
  __device__ Square<Number> c(int q) const {
    return {get(4, 2 * q), number<Number>(0.0), get(3, 2 * q + 1), get(4, 2 * q + 1)};
  }
  __device__ Pair<Number> y(int q) const { return {get(5, 2 * q), get(5, 2 * q + 1)}; }
  __device__ void set_b(int q, const Square<Number>& value) const {
    set(2, 2 * q, value.xx);
    set(3, 2 * q, value.xy);
    set(1, 2 * q + 1, value.yx);
    set(2, 2 * q + 1, value.yy);
  }
  __device__ void set_y(int q, const Pair<Number>& value) const {
    set(5, 2 * q, value.x);
    set(5, 2 * q + 1, value.y);
  }
  __device__ void clear_a(int q) const {
    set(0, 2 * q, number<Number>(0.0));
    set(1, 2 * q, number<Number>(0.0));
    set(0, 2 * q + 1, number<Number>(0.0));
  }
  __device__ void clear_c(int q) const {
    set(4, 2 * q, number<Number>(0.0));
    set(3, 2 * q + 1, number<Number>(0.0));
    set(4, 2 * q + 1, number<Number>(0.0));
  }
};

template <class Number>
struct LastBlock {
  Square<Number> a, c;  // of the lane's last block row, diagonal one: c to the last of the next lane
  Pair<Number> y;
  Square<Number> outside;  // its coupling to what follows the piece, in the last lane
};

// Up and down within the lane. The inverses of the pivots of `down` take the place of the diagonal blocks, but for the
// last.
template <int kRows, class Number>
__device__ inline LastBlock<Number> last_blocks(const PentadiagonalRoom<kRows, Number>& room, bool& sound) {
  constexpr int kBlocks = kRows / 2;
  const int lane = lane_of_warp(), f = lane * kBlocks;
  // up: A_f X_{f-1} + first_pivot X_f + to_last X_e = first_right
  Square<Number> first_pivot = unit_square<Number>(), to_last = zero_square<Number>();
  Pair<Number> first_right = zero_pair<Number>();
  if constexpr (kBlocks > 1) {
    first_pivot = room.b(f + kBlocks - 2);
    to_last = room.c(f + kBlocks - 2);
    first_right = room.y(f + kBlocks - 2);
#pragma unroll 2
    for (int j = kBlocks - 3; j >= 0; --j) {
      const Square<Number> factor = room.c(f + j) * inverse_of(first_pivot, sound);
      first_pivot = room.b(f + j) - factor * room.a(f + j + 1);
      to_last = -(factor * to_last);
      first_right = room.y(f + j) - factor * first_right;
    }
  }
  // down: from_first X_{f-1} + pivot X_q + C_q X_{q+1} = right
  Square<Number> from_first = room.a(f), pivot = room.b(f);
  Pair<Number> right = room.y(f);
#pragma unroll 2
  for (int j = 1; j < kBlocks; ++j) {
    const Square<Number> inverse = inverse_of(pivot, sound), factor = room.a(f + j) * inverse;
    from_first = -(factor * from_first);
    pivot = room.b(f + j) - factor * room.c(f + j - 1);
    right = room.y(f + j) - factor * right;
    room.set_b(f + j - 1, inverse);
  }
  const Square<Number> next = room.c(f + kBlocks - 1);
  const bool is_last = lane == kLanes - 1;
  LastBlock<Number> row{from_first, next, right, zero_square<Number>()};
  if constexpr (kBlocks > 1) {
    const Square<Number> factor = next * shuffled_down(inverse_of(first_pivot, sound), 1);
    const Square<Number> its_first = shuffled_down(room.a(f), 1), its_last = shuffled_down(to_last, 1);
    const Pair<Number> its_right = shuffled_down(first_right, 1);
    if (!is_last) {
      pivot = pivot - factor * its_first;
      row.c = -(factor * its_last);
      row.y = row.y - factor * its_right;
    }
  }
  if (is_last) {
    row.outside = next;
    row.c = zero_square<Number>();
  }
  const Square<Number> inverse = inverse_of(pivot, sound);
  row.a = inverse * row.a;
  row.c = inverse * row.c;
  row.y = inverse * row.y;
  row.outside = inverse * row.outside;
  if (lane == 0) row.a = zero_square<Number>();
  return row;
}

// What the last block rows come to: the values there. Block cyclic reduction of one row a lane (block_reduction.cuh),
// in a loop, for it stands in several places.
template <class Number>
__device__ inline Pair<Number> values_of_last_blocks(const LastBlock<Number>& row, const Pair<Number>& right,
                                                     bool& sound) {
  const int lane = lane_of_warp();
  Square<Number> a = row.a, c = row.c;
  Pair<Number> y = right;
#pragma unroll 1
  for (int d = 1; d < kLanes; d *= 2) {
    Square<Number> a_before = shuffled_up(a, d), c_before = shuffled_up(c, d), a_behind = shuffled_down(a, d),
                   c_behind = shuffled_down(c, d);
    Pair<Number> y_before = shuffled_up(y, d), y_behind = shuffled_down(y, d);
    if (lane < d) {
      a_before = c_before = zero_square<Number>();
      y_before = zero_pair<Number>();
    }
    if (lane + d >= kLanes) {
      a_behind = c_behind = zero_square<Number>();
      y_behind = zero_pair<Number>();
    }
    const Square<Number> inverse = inverse_of(unit_square<Number>() - a * c_before - c * a_behind, sound);
    y = inverse * (y - a * y_before - c * y_behind);
    a = -(inverse * (a * a_before));
    c = -(inverse * (c * c_behind));
  }
  return y;
}

// The right-hand sides of the room <- the solution of the piece. The first block of it comes back, of every lane's
// rows.
template <int kRows, class Number>
__device__ inline Pair<Number> solve_piece(const PentadiagonalRoom<kRows, Number>& room, bool& sound) {
  constexpr int kBlocks = kRows / 2;
  const LastBlock<Number> row = last_blocks(room, sound);
  const Pair<Number> last = values_of_last_blocks(row, row.y, sound);
  const int f = lane_of_warp() * kBlocks;
  Pair<Number> behind = last;
  if constexpr (kBlocks > 1) {
    Pair<Number> before = shuffled_up(last, 1);
    if (f == 0) before = zero_pair<Number>();
    Pair<Number> value = room.y(f) - room.a(f) * before;
    room.set_y(f, value);
#pragma unroll 2
    for (int j = 1; j < kBlocks - 1; ++j) {
      value = room.y(f + j) - room.a(f + j) * (room.b(f + j - 1) * value);
      room.set_y(f + j, value);
    }
#pragma unroll 2
    for (int j = kBlocks - 2; j >= 0; --j) {
      behind = room.b(f + j) * (room.y(f + j) - room.c(f + j) * behind);
      room.set_y(f + j, behind);
    }
  }
  room.set_y(f + kBlocks - 1, last);
  return behind;
}

// X_{-1} = v - U X_0 of a piece.
template <class Number>
struct BlockBefore {
  Square<Number> u;
  Pair<Number> v;
};

template <int kRows, class Number>
__device__ inline void fetch_piece(const BatchOfRows<Number>& batch, const PentadiagonalView<Number>& matrix,
                                   long long start, long long first, const BlockBefore<Number>& before,
                                   const PentadiagonalRoom<kRows, Number>& room, bool& sound) {
  constexpr int kWords = PentadiagonalRoom<kRows, Number>::kWords;
  const auto piece = [&](const Number* values) { return piece_of<kRows>(values + start, batch.n, first, false); };
#pragma unroll
  for (int k = 0; k < 5; ++k)
    send_rows<kRows>(piece(matrix.bands[k]), number<Number>(k == 2 ? 1.0 : 0.0), room.words + k * kWords);
  send_rows<kRows>(piece(batch.y), number<Number>(0.0), room.words + 5 * kWords);
  wait_for_rows();
#pragma unroll
  for (int j = 0; j < kRows; ++j) sound = sound && is_pivot(room.get(2, lane_of_warp() * kRows + j));
  // What lies outside the matrix is not looked at.
  if (lane_of_warp() == 0) {
    if (first > 0) {
      const Square<Number> a = room.a(0);
      room.set_b(0, room.b(0) - a * before.u);
      room.set_y(0, room.y(0) - a * before.v);
    }
    room.clear_a(0);
    const Number zero = number<Number>(0.0);
    const long long left = batch.n - first, count = WarpRows<kRows>::kCount;
    if (left <= count) room.set(3, static_cast<int>(left) - 1, zero);
    if (left <= count) room.set(4, static_cast<int>(left) - 1, zero);
    if (left >= 2 && left - 1 <= count) room.set(4, static_cast<int>(left) - 2, zero);
  }
  __syncwarp();
}

// A warp a system. `before`: of every piece but the first, n_pieces - 1 for a system, in device memory. `rooms`: of all
// warps of the block.
template <int kRows, int kWarps, class Number>
__device__ void solve_pentadiagonal_batch(const BatchOfRows<Number>& batch, const PentadiagonalView<Number>& matrix,
                                          int* status, BlockBefore<Number>* before, double* rooms) {
  constexpr int kCount = WarpRows<kRows>::kCount;
  using Room = PentadiagonalRoom<kRows, Number>;
  const int warp = static_cast<int>(threadIdx.x) / kLanes, lane = lane_of_warp();
  const long long system = static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  const Room room{rooms + warp * Room::kArrays * Room::kWords};
  const long long start = system * batch.n, n_pieces = (batch.n + kCount - 1) / kCount;
  BlockBefore<Number>* carried = before + system * (n_pieces - 1);
  bool sound = true;

  BlockBefore<Number> last{zero_square<Number>(), zero_pair<Number>()};
  for (long long p = 0; p + 1 < n_pieces; ++p) {
    fetch_piece(batch, matrix, start, p * kCount, last, room, sound);
    const LastBlock<Number> row = last_blocks(room, sound);
    // The right-hand side, and what the first block behind the piece is coupled by, column by column.
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
      const Pair<Number> right = k == 0   ? row.y
                                 : k == 1 ? Pair<Number>{row.outside.xx, row.outside.yx}
                                          : Pair<Number>{row.outside.xy, row.outside.yy};
      const Pair<Number> value = shuffled(values_of_last_blocks(row, right, sound), kLanes - 1);
      if (k == 0) last.v = value;
      if (k == 1) last.u.xx = value.x, last.u.yx = value.y;
      if (k == 2) last.u.xy = value.x, last.u.yy = value.y;
    }
    if (lane == 0) carried[p] = last;
    __syncwarp();
  }
  Pair<Number> next = zero_pair<Number>();
  for (long long p = n_pieces; p-- > 0;) {
    if (p + 1 < n_pieces && p > 0) last = carried[p - 1];
    fetch_piece(batch, matrix, start, p * kCount, last, room, sound);
    if (lane == 0 && p + 1 < n_pieces) {
      constexpr int kEnd = kCount / 2 - 1;
      room.set_y(kEnd, room.y(kEnd) - room.c(kEnd) * next);
      room.clear_c(kEnd);
    }
    __syncwarp();
    const Pair<Number> first = solve_piece(room, sound);
    next = shuffled(first, 0);
    __syncwarp();
    return_rows<kRows>(room.words + 5 * Room::kWords, piece_of<kRows>(batch.x + start, batch.n, p * kCount, false));
  }
  report_system(batch, system, any_lane(!sound), status);
}

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
