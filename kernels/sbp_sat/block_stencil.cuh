// The interior stencils of kernels/sbp_sat/block_operator.hpp at the points of one thread, and the points that a thread
// has. Compiled for the device and, by tests, for the host.
//
// Contract: kernels/sbp_sat/block_operator.hpp
#pragma once

#include "kernels/sbp_sat/block_operator.hpp"
#include "kernels/sbp_sat/sbp_tables.hpp"

#ifdef __CUDACC__
#define GWRM_EVERYWHERE __host__ __device__
#define GWRM_UNROLL _Pragma("unroll")
#else
#define GWRM_EVERYWHERE
#define GWRM_UNROLL
#endif

namespace gwrm::blocks {

constexpr int kMaxHalf = 3;
constexpr int kTileColumns = 128;  // threads of a block: a row of 1 KB, read in whole lines

// Points of a column that a thread treats together: what they share is read once. 4 rows of order 6 with a mixed entry
// would need the values of 70 points at once.
template <int half, bool cross>
constexpr int kRows = half == 3 && cross ? 2 : static_cast<int>(kRowsTogether);

// The numbers of the stencils; o = 1 .. half.
struct StencilNumbers {
  // v[o, k] of the coefficient at k = o - half .. half, at [o - 1][k - (o - half)]. Entries for -o follow from the
  // symmetry of the matrix, those for 0 from its rows' sums, which are zero.
  double variable[kMaxHalf][2 * kMaxHalf];
  double constant[kMaxHalf];    // their sums over k
  double derivative[kMaxHalf];  // d_o = -d_-o
};

// Fills them; false if the table has an entry elsewhere.
inline bool fill_stencil_numbers(int order, StencilNumbers& numbers) {
  const SbpTable& table = sbp_table(order);
  const int half = order / 2;
  numbers = {};
  for (const VariableStencilEntry& entry : table.variable_interior) {
    if (entry.offset <= 0) continue;
    const int place = entry.coefficient_offset - (entry.offset - half);
    if (place < 0 || place > 2 * half - entry.offset) return false;
    numbers.variable[entry.offset - 1][place] += entry.value;
  }
  for (int o = 1; o <= half; ++o) {
    numbers.constant[o - 1] = table.stiffness.interior[static_cast<std::size_t>(half + o)];
    numbers.derivative[o - 1] = table.derivative.interior[static_cast<std::size_t>(half + o)];
  }
  return true;
}

// A block, and where its coefficients lie.
struct BlockView {
  int offset, n_fast;
  int slow_begin, slow_end, fast_begin, fast_end;  // its interior
  double slow_factor, fast_factor;                 // h_fast/h_slow, h_slow/h_fast; times C where it is constant
  const double *slow, *fast, *cross;               // at its points; null: constant, constant, zero
};

inline BlockView block_view(const StencilBlock& block, Index margin, const double* slow, const double* fast,
                            const double* cross) {
  const BlockInterior interior = interior_of(block, margin);
  const double ratio = block.h_fast / block.h_slow;
  const bool constant = block.constant();
  return {static_cast<int>(block.offset),
          static_cast<int>(block.n_fast),
          static_cast<int>(interior.slow_begin),
          static_cast<int>(interior.slow_end),
          static_cast<int>(interior.fast_begin),
          static_cast<int>(interior.fast_end),
          constant ? block.slow.front() * ratio : ratio,
          constant ? block.fast.front() / ratio : 1.0 / ratio,
          constant ? nullptr : slow,
          constant ? nullptr : fast,
          block.cross.empty() ? nullptr : cross};
}

// sum_k v[o, k] b[m + k] of the coefficients b[0] ..; m >= half - o.
template <int half, class Values>
GWRM_EVERYWHERE inline double coupling(const StencilNumbers& numbers, int o, const Values& b, int m) {
  double sum = 0.0;
  GWRM_UNROLL
  for (int k = 0; k <= 2 * half; ++k)
    if (k <= 2 * half - o) sum += numbers.variable[o - 1][k] * b[m + o - half + k];
  return sum;
}

// u and A u at the points (j .. j + rows - 1, i) of a block's interior; read(k) gives u at the point k of all blocks.
template <int half, bool cross, int rows, class Read>
GWRM_EVERYWHERE inline void stencil_images(const StencilNumbers& numbers, const BlockView& block, int j, int i,
                                           Read read, double (&u)[rows], double (&image)[rows]) {
  const int n = block.n_fast, place = j * n + i, here = block.offset + place;
  double column[rows + 2 * half];
  GWRM_UNROLL
  for (int m = 0; m < rows + 2 * half; ++m) column[m] = read(here + (m - half) * n);
  double along[rows] = {};
  if (block.slow == nullptr) {
    GWRM_UNROLL
    for (int row = 0; row < rows; ++row) {
      const double centre = column[row + half];
      double slow = 0.0, fast = 0.0;
      GWRM_UNROLL
      for (int o = 1; o <= half; ++o) {
        slow += numbers.constant[o - 1] * ((column[row + half + o] - centre) + (column[row + half - o] - centre));
        fast += numbers.constant[o - 1] * ((read(here + row * n + o) - centre) + (read(here + row * n - o) - centre));
      }
      u[row] = centre;
      image[row] = block.slow_factor * slow + block.fast_factor * fast;
    }
    return;
  }
  {
    double b[rows + 2 * half];
    GWRM_UNROLL
    for (int m = 0; m < rows + 2 * half; ++m) b[m] = block.slow[place + (m - half) * n];
    GWRM_UNROLL
    for (int o = 1; o <= half; ++o) {
      GWRM_UNROLL
      for (int m = half - o; m < half + rows; ++m) {  // what flows between m and m + o
        const double flow = coupling<half>(numbers, o, b, m) * (column[m + o] - column[m]);
        if (m >= half) along[m - half] += flow;
        if (m + o < half + rows) along[m + o - half] -= flow;
      }
    }
  }
  GWRM_UNROLL
  for (int row = 0; row < rows; ++row) {
    const double* c = block.fast + place + row * n - half;
    double line[2 * half + 1], b[2 * half + 1];
    GWRM_UNROLL
    for (int m = 0; m <= 2 * half; ++m) {
      line[m] = m == half ? column[row + half] : read(here + row * n + m - half);
      b[m] = c[m];
    }
    double fast = 0.0;
    GWRM_UNROLL
    for (int o = 1; o <= half; ++o)
      fast += coupling<half>(numbers, o, b, half) * (line[half + o] - line[half]) +
              coupling<half>(numbers, o, b, half - o) * (line[half - o] - line[half]);
    u[row] = column[row + half];
    image[row] = block.slow_factor * along[row] + block.fast_factor * fast;
  }
  if constexpr (cross) {
    if (block.cross == nullptr) return;
    const double* x = block.cross + place;
    GWRM_UNROLL
    for (int m = 0; m < rows + 2 * half; ++m) {  // D_slow^T H c D_fast: the slope along `fast` in row m goes to others
      double slope = 0.0;
      GWRM_UNROLL
      for (int l = 1; l <= half; ++l)
        slope += numbers.derivative[l - 1] * (read(here + (m - half) * n + l) - read(here + (m - half) * n - l));
      const double flux = x[(m - half) * n] * slope;
      GWRM_UNROLL
      for (int k = 1; k <= half; ++k) {
        if (m - half - k >= 0 && m - half - k < rows) image[m - half - k] -= numbers.derivative[k - 1] * flux;
        if (m - half + k >= 0 && m - half + k < rows) image[m - half + k] += numbers.derivative[k - 1] * flux;
      }
    }
    GWRM_UNROLL
    for (int row = 0; row < rows; ++row) {  // and its transpose
      const int centre = here + row * n;
      const auto slope = [&](int l) {
        double sum = 0.0;
        GWRM_UNROLL
        for (int k = 1; k <= half; ++k)
          sum += numbers.derivative[k - 1] * (read(centre + k * n + l) - read(centre - k * n + l));
        return sum;
      };
      GWRM_UNROLL
      for (int l = 1; l <= half; ++l)
        image[row] -= numbers.derivative[l - 1] * (x[row * n + l] * slope(l) - x[row * n - l] * slope(-l));
    }
  }
}

// A's diagonal entry at the point (j, i) of a block's interior.
template <int half, bool cross>
GWRM_EVERYWHERE inline double stencil_diagonal(const StencilNumbers& numbers, const BlockView& block, int j, int i) {
  const int here = block.offset + j * block.n_fast + i;
  double u[1], image[1];
  stencil_images<half, cross>(
      numbers, block, j, i, [&](int k) { return k == here ? 1.0 : 0.0; }, u, image);
  return image[0];
}

// Calls finish(k, u, (A u)(k), load(k)) for the points k of one thread of a tile of n_rows rows, a multiple of kRows.
template <int half, bool cross, class Read, class Load, class Finish>
GWRM_EVERYWHERE inline void walk_tile(const StencilNumbers& numbers, const BlockView& block, const BlockTile& tile,
                                      int n_rows, int thread, Read read, Load load, Finish finish) {
  constexpr int rows = kRows<half, cross>;
  const int i = tile.fast + thread;
  if (i >= block.fast_end) return;
  const int end = tile.slow + n_rows < block.slow_end ? tile.slow + n_rows : block.slow_end;
  for (int j = tile.slow; j < end; j += rows) {
    // The last rows are treated with some before them, which are left as they are.
    const int first = j + rows <= block.slow_end ? j : block.slow_end - rows;
    const int at = block.offset + first * block.n_fast + i;
    decltype(load(0)) loaded[rows] = {};
    GWRM_UNROLL
    for (int row = 0; row < rows; ++row)
      if (first + row >= j) loaded[row] = load(at + row * block.n_fast);
    double u[rows], image[rows];
    stencil_images<half, cross>(numbers, block, first, i, read, u, image);
    GWRM_UNROLL
    for (int row = 0; row < rows; ++row)
      if (first + row >= j) finish(at + row * block.n_fast, u[row], image[row], loaded[row]);
  }
}

}  // namespace gwrm::blocks
