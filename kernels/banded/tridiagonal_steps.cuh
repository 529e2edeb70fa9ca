// Tridiagonal systems that have a matrix each, on the device.
//
// Contract: kernels/banded/tridiagonal.hpp
//
// hybrid: the four numbers of a row lie in shared memory, lane t has rows f .. e (kRows of them). With
//   down  from f to e:    A x_{f-1} + B x_e + c_e x_{e+1} = Y          (pivots of Thomas' elimination within the lane)
//   up    from e-1 to f:  a_f x_{f-1} + B' x_f + C' x_e = Y'
// side by side, since each is a chain of divisions, and x_{e+1} from the `up` of the next lane, the last rows of all
// lanes are a tridiagonal system: cyclic reduction, a step for every factor of two. Then x_{f-1} and x_e are known, and
// the rows between are eliminated with the pivots of `down`. The lanes are those of a warp, or of a team of warps that
// is a block: the fewer rows a lane has, the more warps share the shared memory of a multiprocessor.
// Of a piece of a longer system first row and last row are changed by what is known of its neighbours:
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

// The lanes that share a system or a piece of one, numbered through: those of a warp, which exchange numbers by
// shuffles.
template <class Number>
struct WarpLanes {
  static constexpr int kCount = kLanes;
  double* unused = nullptr;
  __device__ int position() const { return lane_of_warp(); }
  // Of the next lane, and of the one before it (zero in the first).
  __device__ void next(Number (&values)[3]) const {
    for (Number& value : values) value = shuffled_down(value, 1);
  }
  __device__ Number previous(Number value) const {
    const Number before = shuffled_up(value, 1);
    return position() == 0 ? number<Number>(0.0) : before;
  }
  __device__ Number of_lane(Number value, int lane) const { return shuffled(value, lane); }
  __device__ bool any(bool condition) const { return any_lane(condition); }
  __device__ void wait() const { __syncwarp(); }
  // A row a lane, a x_{t-1} + x_t + c x_{t+1} = y, to its solution.
  __device__ Number reduce(Number a, Number c, Number y, bool& sound) const {
    Number of_a[1] = {a}, of_c[1] = {c}, of_y[1] = {y};
    sound = reduce_tridiagonal<1, 1>(of_a, of_c, of_y, kLanes) && sound;
    return of_y[0];
  }
};

// Those of all kTeam warps of a block, by way of shared memory: two halves of `words` take turns, so that nobody
// overwrites what is still read, and every exchange takes one barrier.
template <int kTeam, class Number>
struct TeamLanes {
  static constexpr int kCount = kTeam * kLanes, kWords = BandedNumber<Number>::kWords, kHalf = 3 * kWords * kCount;
  double* words;  // 2 kHalf
  mutable int half = 0;

  __device__ int position() const { return static_cast<int>(threadIdx.x); }
  __device__ void put(int array, Number value) const {
    for (int w = 0; w < kWords; ++w)
      words[half * kHalf + (array * kWords + w) * kCount + position()] = BandedNumber<Number>::word(value, w);
  }
  // Zero outside the team.
  __device__ Number at(int array, int lane) const {
    Number value = number<Number>(0.0);
    if (lane >= 0 && lane < kCount)
      for (int w = 0; w < kWords; ++w)
        BandedNumber<Number>::set_word(value, w, words[half * kHalf + (array * kWords + w) * kCount + lane]);
    return value;
  }
  __device__ void next(Number (&values)[3]) const {
    for (int k = 0; k < 3; ++k) put(k, values[k]);
    __syncthreads();
    for (int k = 0; k < 3; ++k) values[k] = at(k, position() + 1);
    half = 1 - half;
  }
  __device__ Number previous(Number value) const { return of_lane(value, position() - 1); }
  __device__ Number of_lane(Number value, int lane) const {
    put(0, value);
    __syncthreads();
    const Number its = at(0, lane);
    half = 1 - half;
    return its;
  }
  __device__ void wait() const { __syncthreads(); }
  // cyclic_reduction.cuh has the formula.
  __device__ Number reduce(Number a, Number c, Number y, bool& sound) const {
    const int t = position();
#pragma unroll
    for (int d = 1; d < kCount; d *= 2) {
      put(0, a);
      put(1, c);
      put(2, y);
      __syncthreads();
      const Number pivot = number<Number>(1.0) - a * at(1, t - d) - c * at(0, t + d);
      const bool usable = is_pivot(pivot);
      sound = sound && usable;
      const Number inverse = usable ? number<Number>(1.0) / pivot : number<Number>(0.0);
      y = (y - a * at(2, t - d) - c * at(2, t + d)) * inverse;
      a = -(a * at(0, t - d)) * inverse;
      c = -(c * at(1, t + d)) * inverse;
      half = 1 - half;
    }
    return y;
  }
  // Whether any lane says so.
  __device__ bool any(bool condition) const {
    const int warp = position() / kLanes;
    const bool of_warp = any_lane(condition);
    if (lane_of_warp() == 0) words[half * kHalf + warp] = of_warp ? 1.0 : 0.0;
    __syncthreads();
    bool of_team = false;
    for (int w = 0; w < kTeam; ++w) of_team = of_team || words[half * kHalf + w] != 0.0;
    half = 1 - half;
    return of_team;
  }
};

template <class Number>
struct LastRow {
  Number a, c, y;  // of the lane's last row, diagonal one: c to the last row of the next lane
  Number outside;  // its coupling to what follows the piece, in the last lane
};

template <class Number>
__device__ inline Number inverse_of(Number pivot, bool& sound) {
  const bool usable = is_pivot(pivot);
  sound = sound && usable;
  return usable ? number<Number>(1.0) / pivot : number<Number>(0.0);
}

// What `down` leaves of a lane's rows: inverses of its pivots (of all rows but the last), a_j / pivot_{j-1}.
template <int kRows, class Number>
struct Elimination {
  Number inverse[kRows], factor[kRows];
};

// Down and up within the lane.
template <int kRows, class Number, class Lanes>
__device__ inline LastRow<Number> last_rows(const Lanes& lanes, const TridiagonalRoom<kRows, Number>& room,
                                            Elimination<kRows, Number>& down, bool& sound) {
  constexpr int kLast = kRows - 1, kUp = kRows > 1 ? kRows - 2 : 0;  // `up` begins with the row before the last
  const int f = lane_of_warp() * kRows;
  Number from_first = room.a(f), pivot = room.b(f), right = room.y(f);
  Number first_pivot = room.b(f + kUp), to_last = room.c(f + kUp), first_right = room.y(f + kUp);
  sound = sound && is_pivot(pivot);
#pragma unroll
  for (int j = 1; j < kRows; ++j) {
    const Number diagonal = room.b(f + j);
    sound = sound && is_pivot(diagonal);
    down.inverse[j - 1] = inverse_of(pivot, sound);
    down.factor[j] = room.a(f + j) * down.inverse[j - 1];
    from_first = -(down.factor[j] * from_first);
    pivot = diagonal - down.factor[j] * room.c(f + j - 1);
    right = room.y(f + j) - down.factor[j] * right;
    const int i = kUp - j;
    if (i < 0) continue;
    const Number factor = room.c(f + i) * inverse_of(first_pivot, sound);
    first_pivot = room.b(f + i) - factor * room.a(f + i + 1);
    to_last = -(factor * to_last);
    first_right = room.y(f + i) - factor * first_right;
  }
  const Number next = room.c(f + kLast);
  const bool is_last = lanes.position() == Lanes::kCount - 1;
  LastRow<Number> row{from_first, next, right, number<Number>(0.0)};
  if constexpr (kRows > 1) {
    // x_f = Y' - A' x_{f-1} - C' x_e of the next lane.
    const Number inverse = inverse_of(first_pivot, sound);
    Number first_row[3] = {inverse * room.a(f), inverse * to_last, inverse * first_right};
    lanes.next(first_row);
    if (!is_last) {
      pivot = pivot - next * first_row[0];
      row.c = -(next * first_row[1]);
      row.y = row.y - next * first_row[2];
    }
  }
  if (is_last) {
    row.outside = next;
    row.c = number<Number>(0.0);
  }
  const Number inverse = inverse_of(pivot, sound);
  row.a = row.a * inverse;
  row.c = row.c * inverse;
  row.y = row.y * inverse;
  row.outside = row.outside * inverse;
  return row;
}

// What the last rows come to: the values there.
template <class Number, class Lanes>
__device__ inline Number values_of_last_rows(const Lanes& lanes, const LastRow<Number>& row, Number right,
                                             bool& sound) {
  return lanes.reduce(lanes.position() == 0 ? number<Number>(0.0) : row.a, row.c, right, sound);
}

// The right-hand sides of the room <- the solution of the piece. The lane's first row comes back.
template <int kRows, class Number, class Lanes>
__device__ inline Number solve_piece(const Lanes& lanes, const TridiagonalRoom<kRows, Number>& room, bool& sound) {
  Elimination<kRows, Number> down;
  const LastRow<Number> row = last_rows(lanes, room, down, sound);
  const Number last = values_of_last_rows(lanes, row, row.y, sound);
  const int f = lane_of_warp() * kRows;
  Number behind = last;
  if constexpr (kRows > 1) {
    Number value[kRows];
    value[0] = room.y(f) - room.a(f) * lanes.previous(last);
#pragma unroll
    for (int j = 1; j < kRows - 1; ++j) value[j] = room.y(f + j) - down.factor[j] * value[j - 1];
#pragma unroll
    for (int j = kRows - 2; j >= 0; --j) {
      behind = (value[j] - room.c(f + j) * behind) * down.inverse[j];
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

// Rows `first` .. of the system that begins at `start` to the warp's room; those behind its end are x = 0.
template <int kRows, class Number>
__device__ inline void fetch_rows_of(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                     long long start, long long first, const TridiagonalRoom<kRows, Number>& room) {
  constexpr int kWords = TridiagonalRoom<kRows, Number>::kWords;
  const auto piece = [&](const Number* values) { return piece_of<kRows>(values + start, batch.n, first, false); };
  const Number zero = number<Number>(0.0);
  send_rows<kRows>(piece(matrix.lower), zero, room.words);
  send_rows<kRows>(piece(matrix.diagonal), number<Number>(1.0), room.words + kWords);
  send_rows<kRows>(piece(matrix.upper), zero, room.words + 2 * kWords);
  send_rows<kRows>(piece(batch.y), zero, room.words + 3 * kWords);
  wait_for_rows();
}

// Shared memory of a block, in doubles.
template <int kRows, int kWarps, int kTeam, class Number>
inline constexpr int kTridiagonalWords = kWarps * 4 * TridiagonalRoom<kRows, Number>::kWords +
                                         (kTeam > 1 ? 2 * TeamLanes<kTeam, Number>::kHalf : 0);

// A team of kTeam warps a system, pieces of 32 kRows kTeam rows; blocks of kWarps warps, of one team where it has more
// than one. `before`: of every piece but the first, n_pieces - 1 for a system, in device memory. `shared`:
// kTridiagonalWords.
template <int kRows, int kWarps, int kTeam, class Number>
__device__ void solve_tridiagonal_batch(const BatchOfRows<Number>& batch, const TridiagonalView<Number>& matrix,
                                        int* status, Before<Number>* before, double* shared) {
  static_assert(kTeam == 1 || kTeam == kWarps, "the warps of a team meet at the barriers of a block");
  using Room = TridiagonalRoom<kRows, Number>;
  using Lanes = std::conditional_t<kTeam == 1, WarpLanes<Number>, TeamLanes<kTeam, Number>>;
  constexpr int kOfWarp = WarpRows<kRows>::kCount, kCount = kTeam * kOfWarp;
  const int warp = static_cast<int>(threadIdx.x) / kLanes, warp_of_team = kTeam > 1 ? warp : 0;
  const long long system = kTeam > 1 ? blockIdx.x : static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  const Room room{shared + warp * 4 * Room::kWords};
  const Lanes lanes{shared + kWarps * 4 * Room::kWords};
  const int position = lanes.position();
  const Number zero = number<Number>(0.0);
  const long long start = system * batch.n, n_pieces = (batch.n + kCount - 1) / kCount;
  Before<Number>* carried = before + system * (n_pieces - 1);
  bool sound = true;
  const auto fetch = [&](long long p, const Before<Number>& of_pieces_before) {
    fetch_rows_of(batch, matrix, start, p * kCount + warp_of_team * kOfWarp, room);
    if (position == 0) {
      if (p > 0) {
        sound = sound && is_pivot(room.b(0));
        room.set(1, 0, room.b(0) - room.a(0) * of_pieces_before.u);
        room.set(3, 0, room.y(0) - room.a(0) * of_pieces_before.v);
      }
      room.set(0, 0, zero);
    }
    __syncwarp();
  };

  Before<Number> last{zero, zero};
  for (long long p = 0; p + 1 < n_pieces; ++p) {
    fetch(p, last);
    Elimination<kRows, Number> down;
    const LastRow<Number> row = last_rows(lanes, room, down, sound);
    last.v = lanes.of_lane(values_of_last_rows(lanes, row, row.y, sound), Lanes::kCount - 1);
    last.u = lanes.of_lane(values_of_last_rows(lanes, row, row.outside, sound), Lanes::kCount - 1);
    if (position == 0) carried[p] = last;
    lanes.wait();
  }
  Number next = zero;
  for (long long p = n_pieces; p-- > 0;) {
    if (p + 1 < n_pieces && p > 0) last = carried[p - 1];
    fetch(p, last);
    const long long left = batch.n - p * kCount - warp_of_team * kOfWarp;
    const bool ends = left > 0 && (left <= kOfWarp || (p + 1 < n_pieces && warp_of_team == kTeam - 1));
    if (lane_of_warp() == 0 && ends) {
      const int end = static_cast<int>(left < kOfWarp ? left : kOfWarp) - 1;
      if (p + 1 < n_pieces) room.set(3, end, room.y(end) - room.c(end) * next);
      room.set(2, end, zero);
    }
    __syncwarp();
    next = lanes.of_lane(solve_piece(lanes, room, sound), 0);
    __syncwarp();
    return_rows<kRows>(room.words + 3 * room.kWords,
                       piece_of<kRows>(batch.x + start, batch.n, p * kCount + warp_of_team * kOfWarp, false));
  }
  const bool singular = lanes.any(!sound);
  if (warp_of_team == 0) report_system(batch, system, singular, status);
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
