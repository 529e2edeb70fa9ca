// The kernel behind the products by matrix products: one dimension of many series to points or back, split by parity.
//
// With E the cosines at the H = P / 2 points of the upper half and P_ its inverse,
//   forward    e = E_even a_even, o = E_odd a_odd;  v_j = e_j + o_j, v_{P-1-j} = e_j - o_j
//   product    the same for both factors and at once what the way back needs, sums and differences over mirrored
//   points:
//              v_j v'_j + v_{P-1-j} v'_{P-1-j} = 2 (e e' + o o'),  v_j v'_j - v_{P-1-j} v'_{P-1-j} = 2 (e o' + o e')
//   last       coefficients from those sums and differences: a_even = P_even s, a_odd = P_odd d
//   backward   the same from values: s = v_j + v_{P-1-j}, d = v_j - v_{P-1-j}
// which is half the work of the whole matrices.
//
// Shapes     x: outer x n_in x inner -> y: outer x n_out x inner; `product` and `last` have inner = 1 and keep sums and
//            differences side by side, s_0 d_0 s_1 d_1 ... A block makes T::rows pairs of `columns` = outer x inner.
// Schedule   matrix and data pass through shared memory in `stages` buffers of `depth` pairs, copied ahead of the
//            arithmetic; warps hold tiles of 16 MT x 8 NT sums of either parity in registers.
//
// Contract: kernels/product/product_plan.hpp
#pragma once

#include <type_traits>

#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/device/double_mma.cuh"

namespace gwrm::cuda {

enum class Stage { forward, product, last, backward };

struct TransformShape {
  int n_in, n_out;          // extents along the dimension
  int inner;                // extent of the dimensions behind it
  int columns;              // outer x inner
  int pairs_in, pairs_out;  // pairs of either parity that go in and come out
  int n_steps;              // of the matrix: steps of 4 pairs, zeros at the end included
  bool wide_out;            // pairs in y keep within a row and are aligned
};

// What one lane reads of the matrix of one parity for four pairs: [g, t] and [g + 8, t]. In memory: [tile of 16 pairs
// that come out][step of 4 that go in][parity][lane], the first two counts padded by zeros to what a block takes at
// once.
struct alignas(16) LaneEntries {
  double upper, lower;
};
constexpr int kTilePadding = 4, kStepPadding = 8;

// A warp holds MT x NT tiles of 16 x 8; a block has WM x WN of them, each made by WK warps that share the sum;
// `resident` blocks per multiprocessor.
template <int MT_, int NT_, int WM_, int WN_, int WK_, int depth_, int stages_, int resident_>
struct TransformTile {
  static constexpr int MT = MT_, NT = NT_, WM = WM_, WN = WN_, WK = WK_, depth = depth_, stages = stages_;
  static constexpr int resident = resident_;
  static constexpr int rows = 16 * MT * WM, columns = 8 * NT * WN, threads = 32 * WM * WN * WK;
};

// The index over the dimensions before the transformed one; the division takes a tenth of a small kernel's time.
__device__ inline int outer_index(const TransformShape& s, int column) {
  return s.columns == s.inner ? 0 : column / s.inner;
}

template <Stage stage, class T, typename In>
struct TransformBuffers {
  static constexpr bool in_rows = stage == Stage::product || stage == Stage::last;  // pairs side by side in memory
  // Paddings: the four pairs and eight columns that a warp reads at once lie in different banks.
  static constexpr int line = in_rows ? 2 * T::depth + 8 : T::columns + 4;
  static constexpr int n_lines = in_rows ? T::columns : 2 * T::depth;
  LaneEntries matrix[T::stages][T::rows / 16][T::depth / 4][2][32];
  alignas(16) In data[T::stages][n_lines][line];
};

// This thread's share of the copies, one buffer after the other. Every address is one addition away from the last.
template <Stage stage, class T, typename In, bool wide>
class TransformLoader {
  using Buffers = TransformBuffers<stage, T, In>;
  static constexpr int width = wide ? 2 : 1;  // numbers per copy
  static constexpr int per_line = (Buffers::in_rows ? 2 * T::depth : T::columns) / width;
  static constexpr int lines_at_once = T::threads / per_line;
  static constexpr int n_copies = Buffers::n_lines / lines_at_once;
  static constexpr int factor_columns = stage == Stage::product ? T::columns / 2 : T::columns;
  static_assert(T::threads % per_line == 0 && n_copies % 2 == 0 && lines_at_once * n_copies == Buffers::n_lines);

 public:
  __device__ TransformLoader(const In* x, const In* x_second, const LaneEntries* matrix, const TransformShape& s,
                             int first_tile, int first_column)
      : line_(static_cast<int>(threadIdx.x) / per_line),
        place_(static_cast<int>(threadIdx.x) % per_line * width),
        matrix_(reinterpret_cast<const char*>(matrix + static_cast<long long>(first_tile) * s.n_steps * 64) +
                16 * threadIdx.x),
        matrix_tile_(1024LL * s.n_steps) {
    if constexpr (Buffers::in_rows) {
      const long long start = static_cast<long long>(first_column + line_) * s.n_in + place_;
      first_ = x + start;
      second_ =
          stage == Stage::product ? x_second + start : first_ + factor_columns / 2 * static_cast<long long>(s.n_in);
      copy_step_[0] = copy_step_[1] = static_cast<long long>(lines_at_once) * s.n_in;
      turn_step_[0] = turn_step_[1] = 2 * T::depth;
      lines_left_[0] = s.columns - first_column - line_;
      lines_left_[1] = stage == Stage::product ? lines_left_[0] : lines_left_[0] - factor_columns / 2;
      left_ = s.n_in - place_;
    } else {
      const int column = min(first_column + place_, s.columns - 1), outer = outer_index(s, column);
      const long long inner = s.inner, pair_step = stage == Stage::forward ? 2 * inner : inner;
      x += static_cast<long long>(outer) * s.n_in * inner + (column - outer * s.inner);
      first_ = x + line_ * pair_step;
      second_ = stage == Stage::forward ? first_ + inner : x + (s.n_in - 1 - line_) * inner;
      copy_step_[0] = lines_at_once * pair_step;
      copy_step_[1] = stage == Stage::forward ? copy_step_[0] : -copy_step_[0];
      turn_step_[0] = T::depth * pair_step;
      turn_step_[1] = stage == Stage::forward ? turn_step_[0] : -turn_step_[0];
      const bool inside = first_column + place_ < s.columns;
      lines_left_[0] = inside ? s.pairs_in - line_ : 0;
      lines_left_[1] = inside ? (stage == Stage::forward ? s.n_in / 2 : s.pairs_in) - line_ : 0;
    }
  }

  __device__ void load_matrix(Buffers& to, int buffer) {
    constexpr int n_chunks = T::rows / 16 * T::depth * 16;  // of 16 bytes
    static_assert(n_chunks % T::threads == 0);
    char* target = reinterpret_cast<char*>(&to.matrix[buffer][0][0][0][0]) + 16 * threadIdx.x;
#pragma unroll
    for (int first = 0; first < n_chunks; first += T::threads) {
      static_assert(T::depth * 16 % T::threads == 0 || T::threads % (T::depth * 16) == 0);
      const int own_tile = T::threads > T::depth * 16 ? static_cast<int>(threadIdx.x) / (T::depth * 16) : 0;
      const long long at = (first / (T::depth * 16) + own_tile) * matrix_tile_ + 16 * (first % (T::depth * 16)) -
                           16LL * own_tile * T::depth * 16;
      copy_async<16>(target + 16 * first, matrix_ + at, true);
    }
    matrix_ += 256 * T::depth;
  }

  __device__ void load_data(Buffers& to, int buffer) {
    constexpr int n_bytes = width * static_cast<int>(sizeof(In));
    In* target = &to.data[buffer][line_][place_];
#pragma unroll
    for (int copy = 0; copy < n_copies; ++copy) {
      const int half = copy >= n_copies / 2 ? 1 : 0, number = copy - half * (n_copies / 2);
      const bool inside = number * lines_at_once < lines_left_[half] && (!Buffers::in_rows || left_ > 0);
      const In* source = (half == 0 ? first_ : second_) + number * copy_step_[half];
      copy_async<n_bytes>(target + copy * lines_at_once * Buffers::line, inside ? source : first_, inside);
    }
    first_ += turn_step_[0];
    second_ += turn_step_[1];
    if constexpr (Buffers::in_rows) {
      left_ -= 2 * T::depth;
    } else {
      lines_left_[0] -= T::depth;
      lines_left_[1] -= T::depth;
    }
  }

 private:
  int line_, place_;
  const char* matrix_;
  long long matrix_tile_;
  const In *first_, *second_;  // of the pair, or of the columns: first and second half of the lines
  long long copy_step_[2], turn_step_[2];
  int lines_left_[2], left_ = 0;
};

// The sums of the WK warps of each tile, added in their order into those of the first.
template <class T>
__device__ void add_shares(double* shared, int share, int tile, double (&even)[T::MT][T::NT][4],
                           double (&odd)[T::MT][T::NT][4]) {
  constexpr int n_sums = T::MT * T::NT * 4, n_tiles = T::WM * T::WN;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto slot = [&](int from, int sum) {
    return ((from - 1) * n_tiles + tile) * 2 * n_sums * 32 + sum * 32 + lane;
  };
  double *first = &even[0][0][0], *second = &odd[0][0][0];
  __syncthreads();
  if (share > 0)
#pragma unroll
    for (int sum = 0; sum < n_sums; ++sum) {
      shared[slot(share, sum)] = first[sum];
      shared[slot(share, n_sums + sum)] = second[sum];
    }
  __syncthreads();
  if (share == 0)
#pragma unroll
    for (int sum = 0; sum < n_sums; ++sum)
      for (int from = 1; from < T::WK; ++from) {
        first[sum] += shared[slot(from, sum)];
        second[sum] += shared[slot(from, n_sums + sum)];
      }
}

template <typename Real>
using PairOf = std::conditional_t<sizeof(Real) == 8, double2, float2>;

template <typename Out>
__device__ void store_pair(Out* target, double p, double q, bool wide) {
  if (wide) {
    *reinterpret_cast<PairOf<Out>*>(target) = PairOf<Out>{static_cast<Out>(p), static_cast<Out>(q)};
  } else {
    target[0] = static_cast<Out>(p);
    target[1] = static_cast<Out>(q);
  }
}

template <Stage stage, class T, bool wide, typename In, typename Out>
__global__ void __launch_bounds__(T::threads, T::resident)
    transform_kernel(const In* x, const In* x_second, Out* y, const LaneEntries* matrix, TransformShape s) {
  using Buffers = TransformBuffers<stage, T, In>;
  constexpr bool is_product = stage == Stage::product;
  constexpr int n_sums = is_product ? T::NT / 2 : T::NT;  // column tiles of one factor
  extern __shared__ __align__(16) char memory[];
  Buffers& buffers = *reinterpret_cast<Buffers*>(memory);
  const auto [g, t] = lane_coordinates();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = warp % T::WM, warp_column = warp / T::WM % T::WN, warp_share = warp / (T::WM * T::WN);
  const int first_tile = static_cast<int>(blockIdx.x) * (T::rows / 16);
  const int first_column = static_cast<int>(blockIdx.y) * (is_product ? T::columns / 2 : T::columns);
  if (stage == Stage::forward && blockIdx.z == 1) {  // the second factor
    x = x_second;
    y += static_cast<long long>(s.columns) * s.n_out;
  }

  TransformLoader<stage, T, In, wide> loader(x, x_second, matrix, s, first_tile, first_column);
  const int n_turns = (s.pairs_in + T::depth - 1) / T::depth;
  admit_successor();
  for (int turn = 0; turn < T::stages - 1; ++turn)
    if (turn < n_turns) loader.load_matrix(buffers, turn);
  await_predecessor();
  for (int turn = 0; turn < T::stages - 1; ++turn) {
    if (turn < n_turns) loader.load_data(buffers, turn);
    close_copies();
  }

  double even[T::MT][T::NT][4] = {}, odd[T::MT][T::NT][4] = {};
  for (int turn = 0; turn < n_turns; ++turn) {
    await_copies<T::stages - 2>();
    __syncthreads();
    const int buffer = turn % T::stages;
#pragma unroll
    for (int turn_step = 0; turn_step < T::depth / 4; turn_step += 2 * T::WK) {
      const int step = turn_step + 2 * warp_share;
      double left_even[T::MT][4], left_odd[T::MT][4];
#pragma unroll
      for (int m = 0; m < T::MT; ++m)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const auto& entries = buffers.matrix[buffer][warp_row * T::MT + m][step + half];
          const LaneEntries of_even = entries[0][lane], of_odd = entries[1][lane];
          left_even[m][2 * half] = of_even.upper;
          left_even[m][2 * half + 1] = of_even.lower;
          left_odd[m][2 * half] = of_odd.upper;
          left_odd[m][2 * half + 1] = of_odd.lower;
        }
#pragma unroll
      for (int n = 0; n < T::NT; ++n) {
        const int tile =
            is_product && n >= n_sums ? T::WN * n_sums + warp_column * n_sums + n - n_sums : warp_column * n_sums + n;
        double p[2], q[2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int pair = 4 * (step + half) + t;
          if constexpr (Buffers::in_rows) {
            const auto both = *reinterpret_cast<const PairOf<In>*>(&buffers.data[buffer][8 * tile + g][2 * pair]);
            p[half] = static_cast<double>(both.x);
            q[half] = static_cast<double>(both.y);
          } else {
            p[half] = static_cast<double>(buffers.data[buffer][pair][8 * tile + g]);
            q[half] = static_cast<double>(buffers.data[buffer][T::depth + pair][8 * tile + g]);
          }
          if (stage == Stage::backward) {
            const double sum = p[half] + q[half];
            q[half] = p[half] - q[half];
            p[half] = sum;
          }
        }
#pragma unroll
        for (int m = 0; m < T::MT; ++m) {
          multiply_add(even[m][n], left_even[m], p);
          multiply_add(odd[m][n], left_odd[m], q);
        }
      }
      if (turn_step == 0) {  // behind the first products: the copies' instructions run beside them
        const int ahead = turn + T::stages - 1;
        if (ahead < n_turns) {
          loader.load_matrix(buffers, ahead % T::stages);
          loader.load_data(buffers, ahead % T::stages);
        }
        close_copies();
      }
    }
  }

  if constexpr (T::WK > 1) {
    static_assert(sizeof(Buffers) >= sizeof(double) * (T::WK - 1) * T::rows * T::columns * 2);
    add_shares<T>(reinterpret_cast<double*>(memory), warp_share, warp % (T::WM * T::WN), even, odd);
    if (warp_share > 0) return;
  }

#pragma unroll
  for (int n = 0; n < n_sums; ++n) {
    const int column = first_column + 8 * (warp_column * n_sums + n) + 2 * t;  // and the next
    long long places[2];
    for (int side = 0; side < 2; ++side) {
      const int outer = Buffers::in_rows ? column + side : outer_index(s, column + side);
      places[side] = static_cast<long long>(outer) * s.n_out * s.inner + (column + side - outer * s.inner);
    }
#pragma unroll
    for (int m = 0; m < T::MT; ++m)
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        const int j = 16 * (first_tile + warp_row * T::MT + m) + g + 8 * below;
        if (j >= s.pairs_out) continue;
        double first[2], second[2];
#pragma unroll
        for (int side = 0; side < 2; ++side) {
          const double p = even[m][n][2 * below + side], q = odd[m][n][2 * below + side];
          first[side] = stage == Stage::forward ? p + q : p;
          second[side] = stage == Stage::forward ? p - q : q;
          if constexpr (is_product) {
            const double p2 = even[m][n + n_sums][2 * below + side], q2 = odd[m][n + n_sums][2 * below + side];
            first[side] = 2.0 * (p * p2 + q * q2);
            second[side] = 2.0 * (p * q2 + q * p2);
          }
        }
        if constexpr (Buffers::in_rows) {
          for (int side = 0; side < 2; ++side) {
            if (column + side >= s.columns) continue;
            Out* target = y + places[side] + 2 * j;
            if (2 * j + 1 < s.n_out)
              store_pair(target, first[side], second[side], s.wide_out);
            else
              target[0] = static_cast<Out>(first[side]);
          }
        } else {
          const int at_first = stage == Stage::forward ? j : 2 * j;
          const int at_second = stage == Stage::forward ? s.n_out - 1 - j : 2 * j + 1;
          for (int row = 0; row < 2; ++row) {
            const int at = row == 0 ? at_first : at_second;
            const double* values = row == 0 ? first : second;
            if (at >= s.n_out || column >= s.columns) continue;
            Out* target = y + static_cast<long long>(at) * s.inner;
            if (s.wide_out) {
              store_pair(target + places[0], values[0], values[1], true);
            } else {
              target[places[0]] = static_cast<Out>(values[0]);
              if (column + 1 < s.columns) target[places[1]] = static_cast<Out>(values[1]);
            }
          }
        }
      }
  }
}

}  // namespace gwrm::cuda
