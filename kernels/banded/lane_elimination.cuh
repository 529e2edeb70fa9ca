// Block tridiagonal systems that have a matrix each: elimination within the lanes of one or more warps, cyclic
// reduction between them.
//
// Contract: kernels/banded/tridiagonal.hpp, kernels/banded/pentadiagonal.hpp
//
//   A_j X_{j-1} + B_j X_j + C_j X_{j+1} = Y_j,  rows f .. e of a lane; blocks are numbers or 2 x 2
// down the lane:                          A_j X_{f-1} + P_j X_j + C_j X_{j+1} = Y_j,
//   F = A_j P_{j-1}^-1,  P_j = B_j - F C_{j-1},  Y_j <- Y_j - F Y_{j-1},  A_j <- -F A_{j-1}
// up again, for the first row alone:      A X_{f-1} + X_f + C X_e = Y,
//   A <- P_j^-1 (A_j - C_j A),  C <- -P_j^-1 C_j C,  Y <- P_j^-1 (Y_j - C_j Y),  j = e - 2 .. f
// With X_{e+1} from the first row of the next lane the last rows of all lanes are a block tridiagonal system:
//   of a warp   parallel cyclic reduction, five steps
//   of a team   by way of shared memory to the first warp, as many to a lane as there are warps, and there the same
//   once
//               more: elimination in lanes, cyclic reduction
// then X_{f-1} and X_e are known, and X_j = P_j^-1 (Y_j - A_j X_{f-1} - C_j X_{j+1}). One inverse a row. Rows are not
// divided by their pivots before that: where one is small, Y_j and C_j X_{j+1} almost cancel. Three numbers of a row
// stay in registers, C is read from shared memory again. Of a piece of a longer system first row and last row are
// changed by what is known of its neighbours:
//   before  X_{-1} = V - U X_0, from the pieces before:      B_0 -= A_0 U,  Y_0 -= A_0 V,  A_0 = 0
//   behind  X_m, solved already:                             Y_{m-1} -= C_{m-1} X_m,       C_{m-1} = 0
#pragma once

#include "kernels/banded/bidiagonal_steps.cuh"
#include "kernels/banded/block_algebra.cuh"
#include "kernels/banded/substitution_steps.cuh"

namespace gwrm::banded {

template <class Block>
struct BlockRow {
  Block a, c;
  ValuesOf<Block> y;
};
template <int kRows, class Block>
struct LaneSystem {
  Block a[kRows], b[kRows], c[kRows];
  ValuesOf<Block> y[kRows];
};

// Down the lane: b of all rows but the last <- inverses of their pivots. The last row's pivot comes back.
template <int kRows, class Block>
__device__ inline Block eliminate(LaneSystem<kRows, Block>& s, bool& sound) {
  Block pivot = s.b[0];
#pragma unroll
  for (int j = 1; j < kRows; ++j) {
    s.b[j - 1] = inverse_of(pivot, sound);
    const Block factor = s.a[j] * s.b[j - 1];
    pivot = s.b[j] - factor * s.c[j - 1];
    s.y[j] = s.y[j] - factor * s.y[j - 1];
    s.a[j] = -(factor * s.a[j - 1]);
  }
  return pivot;
}

// Up again: the first row between the last rows of the lane before and its own.
template <int kRows, class Block>
__device__ inline BlockRow<Block> first_row(const LaneSystem<kRows, Block>& s) {
  static_assert(kRows > 1, "a single row is the last");
  constexpr int k = kRows - 2;
  BlockRow<Block> row{s.b[k] * s.a[k], s.b[k] * s.c[k], s.b[k] * s.y[k]};
#pragma unroll
  for (int j = k - 1; j >= 0; --j)
    row = {s.b[j] * (s.a[j] - s.c[j] * row.a), -(s.b[j] * (s.c[j] * row.c)), s.b[j] * (s.y[j] - s.c[j] * row.y)};
  return row;
}

template <class Block>
struct LastRow {
  BlockRow<Block> row;  // diagonal one: a from the last row of the lane before, c to that of the next
  Block outside;        // its coupling to what follows the piece, in the last lane
};

// recall(s.c): c of the lane's rows once more.
template <class Lanes, int kRows, class Block, class Recall>
__device__ inline LastRow<Block> last_row(const Lanes& lanes, LaneSystem<kRows, Block>& s, const Recall& recall,
                                          bool& sound) {
  constexpr int kLast = kRows - 1;
  Block pivot = eliminate(s, sound);
  const Block behind = s.c[kLast];
  const bool is_last = lanes.position() == Lanes::kCount - 1;
  LastRow<Block> last{{s.a[kLast], behind, s.y[kLast]}, zero_block<Block>()};
  if constexpr (kRows > 1) {
    recall(s.c);
    const BlockRow<Block> next = lanes.next(first_row(s));
    if (!is_last) {
      pivot = pivot - behind * next.a;
      last.row.c = -(behind * next.c);
      last.row.y = last.row.y - behind * next.y;
    }
  }
  if (is_last) {
    last.outside = behind;
    last.row.c = zero_block<Block>();
  }
  const Block inverse = inverse_of(pivot, sound);
  return {{inverse * last.row.a, inverse * last.row.c, inverse * last.row.y}, inverse * last.outside};
}

// Solutions of a lane's last row and of that of the lane before, zero in the first lane.
template <class Values>
struct LastValues {
  Values before, own;
};

// s.y <- the solution.
template <class Lanes, int kRows, class Block, class Recall>
__device__ inline void solve_rows(const Lanes& lanes, LaneSystem<kRows, Block>& s, const Recall& recall, bool& sound) {
  const LastRow<Block> last = last_row(lanes, s, recall, sound);
  const LastValues<ValuesOf<Block>> known = lanes.reduce(last.row, sound);
  s.y[kRows - 1] = known.own;
  recall(s.c);
#pragma unroll
  for (int j = kRows - 2; j >= 0; --j) s.y[j] = s.b[j] * (s.y[j] - s.a[j] * known.before - s.c[j] * s.y[j + 1]);
}

// The lanes that share a system or a piece of one, numbered through: those of a warp, which exchange numbers by
// shuffles. In the first lane a is zero, in the last one c.
template <class Block>
struct WarpLanes {
  using Values = ValuesOf<Block>;
  static constexpr int kCount = kLanes;
  __device__ int position() const { return lane_of_warp(); }
  // Of the next lane.
  __device__ BlockRow<Block> next(const BlockRow<Block>& row) const {
    return {shuffled_down(row.a, 1), shuffled_down(row.c, 1), shuffled_down(row.y, 1)};
  }
  __device__ Values of_lane(const Values& value, int lane) const { return shuffled(value, lane); }
  __device__ bool any(bool condition) const { return any_lane(condition); }
  // A row a lane to its solution: with what couples to nothing zero, and stays so, lanes that lie outside need no care.
  __device__ LastValues<Values> reduce(const BlockRow<Block>& row, bool& sound) const {
    Block a = row.a, c = row.c;
    Values y = row.y;
#pragma unroll
    for (int d = 1; d < kLanes; d *= 2) {
      const Block inverse =
          inverse_of(BlockAlgebra<Block>::unit() - a * shuffled_up(c, d) - c * shuffled_down(a, d), sound);
      y = inverse * (y - a * shuffled_up(y, d) - c * shuffled_down(y, d));
      if (2 * d == kLanes) break;
      a = -(inverse * (a * shuffled_up(a, d)));
      c = -(inverse * (c * shuffled_down(c, d)));
    }
    const Values before = shuffled_up(y, 1);
    return {position() == 0 ? zero_block<Values>() : before, y};
  }
};

// Those of all kTeam warps of a block, which exchange numbers through shared memory.
template <int kTeam, class Block>
struct TeamLanes {
  using Values = ValuesOf<Block>;
  using Number = typename BlockNumbers<Block>::Number;
  using Rows = SwizzledRows<kTeam, Number>;
  static constexpr int kOfBlock = BlockNumbers<Block>::kCount, kOfValues = BlockNumbers<Values>::kCount;
  static constexpr int kNumbers = 2 * kOfBlock + kOfValues, kWords = BandedNumber<Number>::kWords;
  static constexpr int kCount = kTeam * kLanes;
  static constexpr int kRowDoubles = kNumbers * Rows::kDoubles;
  static constexpr int kDoubles = kRowDoubles + kOfValues * kCount * kWords + kTeam * kNumbers * kWords;
  double* rows;  // kDoubles, on 16 bytes: the last rows of all lanes, their solutions, a row of every warp

  __device__ int position() const { return static_cast<int>(threadIdx.x); }
  __device__ int warp() const { return position() / kLanes; }
  // Number k of what lies in an array of `count` places, word by word.
  __device__ static void put(double* array, int count, int place, int k, const Number& value) {
#pragma unroll
    for (int w = 0; w < kWords; ++w) array[(k * kWords + w) * count + place] = BandedNumber<Number>::word(value, w);
  }
  __device__ static Number at(const double* array, int count, int place, int k) {
    Number value = number<Number>(0.0);
#pragma unroll
    for (int w = 0; w < kWords; ++w) BandedNumber<Number>::set_word(value, w, array[(k * kWords + w) * count + place]);
    return value;
  }
  __device__ static Number& number_of(BlockRow<Block>& row, int k) {
    if (k < kOfBlock) return BlockNumbers<Block>::of(row.a, k);
    if (k < 2 * kOfBlock) return BlockNumbers<Block>::of(row.c, k - kOfBlock);
    return BlockNumbers<Values>::of(row.y, k - 2 * kOfBlock);
  }
  __device__ double* solutions() const {
    return rows + kRowDoubles;
  }
  __device__ double* of_warps() const {
    return solutions() + kOfValues * kCount * kWords;
  }

  __device__ BlockRow<Block> next(BlockRow<Block> row) const {
    if (lane_of_warp() == 0)
#pragma unroll
      for (int k = 0; k < kNumbers; ++k) put(of_warps(), kTeam, warp(), k, number_of(row, k));
    __syncthreads();
    BlockRow<Block> result = WarpLanes<Block>{}.next(row);
    if (lane_of_warp() == kLanes - 1 && warp() + 1 < kTeam)
#pragma unroll
      for (int k = 0; k < kNumbers; ++k) number_of(result, k) = at(of_warps(), kTeam, warp() + 1, k);
    return result;
  }
  __device__ Values solution_of(int lane) const {
    Values value = zero_block<Values>();
    if (lane >= 0)
#pragma unroll
      for (int k = 0; k < kOfValues; ++k) BlockNumbers<Values>::of(value, k) = at(solutions(), kCount, lane, k);
    return value;
  }
  __device__ LastValues<Values> reduce(BlockRow<Block> row, bool& sound) const {
#pragma unroll
    for (int k = 0; k < kNumbers; ++k) Rows{rows + k * Rows::kDoubles}.set(position(), number_of(row, k));
    __syncthreads();
    if (warp() == 0) {
      LaneSystem<kTeam, Block> s;
      Number taken[kNumbers][kTeam];
#pragma unroll
      for (int k = 0; k < kNumbers; ++k) Rows{rows + k * Rows::kDoubles}.take(taken[k]);
#pragma unroll
      for (int j = 0; j < kTeam; ++j) {
        BlockRow<Block> its;
#pragma unroll
        for (int k = 0; k < kNumbers; ++k) number_of(its, k) = taken[k][j];
        s.a[j] = its.a;
        s.b[j] = BlockAlgebra<Block>::unit();
        s.c[j] = its.c;
        s.y[j] = its.y;
      }
      const auto recall = [&](Block(&c)[kTeam]) {
        forget_loads();
#pragma unroll
        for (int k = 0; k < kOfBlock; ++k) {
          Number again[kTeam];
          Rows{rows + (kOfBlock + k) * Rows::kDoubles}.take(again);
#pragma unroll
          for (int j = 0; j < kTeam; ++j) BlockNumbers<Block>::of(c[j], k) = again[j];
        }
      };
      solve_rows(WarpLanes<Block>{}, s, recall, sound);
#pragma unroll
      for (int j = 0; j < kTeam; ++j)
#pragma unroll
        for (int k = 0; k < kOfValues; ++k)
          put(solutions(), kCount, lane_of_warp() * kTeam + j, k, BlockNumbers<Values>::of(s.y[j], k));
    }
    __syncthreads();
    return {solution_of(position() - 1), solution_of(position())};
  }
  __device__ Values of_lane(Values value, int lane) const {
    if (position() == lane)
#pragma unroll
      for (int k = 0; k < kOfValues; ++k) put(of_warps(), kTeam, 0, k, BlockNumbers<Values>::of(value, k));
    __syncthreads();
    Values result = zero_block<Values>();
#pragma unroll
    for (int k = 0; k < kOfValues; ++k) BlockNumbers<Values>::of(result, k) = at(of_warps(), kTeam, 0, k);
    __syncthreads();
    return result;
  }
  // Whether any lane says so.
  __device__ bool any(bool condition) const {
    const bool of_warp = any_lane(condition);
    if (lane_of_warp() == 0) of_warps()[warp()] = of_warp ? 1.0 : 0.0;
    __syncthreads();
    bool of_team = false;
#pragma unroll
    for (int w = 0; w < kTeam; ++w) of_team = of_team || of_warps()[w] != 0.0;
    return of_team;
  }
};

// X_{-1} = V - U X_0 of a piece.
template <class Block>
struct BlockBefore {
  Block u;
  ValuesOf<Block> v;
};

// Shared memory of a block in doubles. `Room`: the rows of a warp's piece,
//   kArrays arrays SwizzledRows<kRows, Number>; kBlockRows of a lane;
//   send(batch, matrix, start, first, whole)  rows first .. of the system that begins at `start` on their way
//   close(end)                                row `end` is the system's last: what lies outside the matrix is zero
//   take(s, sound)                            the lane's block rows; not sound with a zero on the diagonal
//   take_next(s.c)                            of these the coupling to the next ones
//   give_back(s.y), solution()                the lane's solutions to the room, and the array in which they lie
template <class Room, int kWarps, int kTeam>
inline constexpr int kOwnMatrixDoubles = kWarps* Room::kArrays* Room::Rows::kDoubles +
                                         (kTeam > 1 ? TeamLanes<kTeam, typename Room::Block>::kDoubles : 0);

// A team of kTeam warps a system, pieces of 32 kRows kTeam rows; blocks of kWarps warps, of one team where it has more
// than one. kPieces: whether systems may be longer than a piece. `before`: of every piece but the first, n_pieces - 1
// for a system, in device memory. `shared`: kOwnMatrixDoubles, on 16 bytes.
template <class Room, int kWarps, int kTeam, bool kPieces, class Number, class Matrix>
__device__ void solve_own_matrices(const BatchOfRows<Number>& batch, const Matrix& matrix, int* status,
                                   BlockBefore<typename Room::Block>* before, double* shared) {
  static_assert(kTeam == 1 || kTeam == kWarps, "the warps of a team meet at the barriers of a block");
  using Block = typename Room::Block;
  using Values = ValuesOf<Block>;
  using Algebra = BlockAlgebra<Block>;
  using Lanes = std::conditional_t<kTeam == 1, WarpLanes<Block>, TeamLanes<kTeam, Block>>;
  constexpr int kOfWarp = kLanes * Room::kRows, kCount = kTeam * kOfWarp, kEnd = Room::kBlockRows - 1;
  constexpr int kRoom = Room::kArrays * Room::Rows::kDoubles;
  const int warp = static_cast<int>(threadIdx.x) / kLanes, warp_of_team = kTeam > 1 ? warp : 0;
  const long long system = kTeam > 1 ? blockIdx.x : static_cast<long long>(blockIdx.x) * kWarps + warp;
  if (system >= batch.batch) return;
  const Room room{shared + warp * kRoom};
  const Lanes lanes = [&] {
    if constexpr (kTeam == 1)
      return Lanes{};
    else
      return Lanes{shared + kWarps * kRoom};
  }();
  const int position = lanes.position();
  const bool whole = Room::whole(batch, matrix);
  const long long start = system * batch.n, n_pieces = kPieces ? (batch.n + kCount - 1) / kCount : 1;
  BlockBefore<Block>* carried = before + system * (n_pieces - 1);
  bool sound = true;

  LaneSystem<Room::kBlockRows, Block> s;
  const auto recall = [&](Block(&c)[Room::kBlockRows]) {
    forget_loads();  // or else c stays in registers
    room.take_next(c);
  };
  const auto fetch = [&](long long p, const BlockBefore<Block>& of_pieces_before) {
    const long long first = p * kCount + warp_of_team * kOfWarp, left = batch.n - first;
    room.send(batch, matrix, start, first, whole);
    wait_for_rows();
    if (lane_of_warp() == 0) room.close(left - 1);
    __syncwarp();
    room.take(s, sound);
    if (position == 0) {
      if (p > 0) {
        s.b[0] = s.b[0] - s.a[0] * of_pieces_before.u;
        s.y[0] = s.y[0] - s.a[0] * of_pieces_before.v;
      }
      s.a[0] = zero_block<Block>();
    }
  };

  BlockBefore<Block> last{zero_block<Block>(), zero_block<Values>()};
  for (long long p = 0; p + 1 < n_pieces; ++p) {
    fetch(p, last);
    const LastRow<Block> end = last_row(lanes, s, recall, sound);
    // The right-hand side, and what the first block behind the piece is coupled by, column by column.
#pragma unroll 1
    for (int k = 0; k <= Algebra::kColumns; ++k) {
      BlockRow<Block> row = end.row;
      if (k > 0) row.y = Algebra::column(end.outside, k - 1);
      const Values value = lanes.of_lane(lanes.reduce(row, sound).own, Lanes::kCount - 1);
      if (k == 0)
        last.v = value;
      else
        Algebra::set_column(last.u, k - 1, value);
    }
    if (position == 0) carried[p] = last;
  }
  Values next = zero_block<Values>();
  for (long long p = n_pieces; p-- > 0;) {
    if (p + 1 < n_pieces && p > 0) last = carried[p - 1];
    fetch(p, last);
    if (p + 1 < n_pieces && position == Lanes::kCount - 1) {
      s.y[kEnd] = s.y[kEnd] - s.c[kEnd] * next;
      s.c[kEnd] = zero_block<Block>();
    }
    solve_rows(lanes, s, recall, sound);
    if (p > 0) next = lanes.of_lane(s.y[0], 0);
    room.give_back(s.y);
    __syncwarp();
    const long long first = p * kCount + warp_of_team * kOfWarp;
    const auto piece = piece_of<Room::kRows>(batch.x + start, batch.n, first, false);
    room.solution().return_to(piece.first, piece.count, whole);
  }
  const bool singular = lanes.any(!sound);
  if (warp_of_team == 0) report_system(batch, system, singular, status);
}

}  // namespace gwrm::banded
