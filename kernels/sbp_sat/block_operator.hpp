// A symmetric operator on several blocks of points, for the device: inside the blocks the interior stencils of
// summation-by-parts differences with the coefficients of -div(C grad u), near the sides stored rows.
//
// The CPU applies the same operator in parts (problems/sbp_sat/grid_operator.hpp): variable_stiffness.hpp and
// mixed_stiffness.hpp with their closures, then sides and interfaces, every part a loop that stays in the cache. Here
// one launch does it all, and the few rows that are not interior ones are stored, so that threads need not take
// different ways. Sums are in another order: the two agree to rounding.
//
// Formula  at a point of the interior, with w_o[m] = sum_k v[o, k] b[m + k] the entry between the points m and m + o
//          of the narrow second derivative (kernels/sbp_sat/sbp_tables.hpp) and d the first derivative, both times h:
//            q = h_fast/h_slow sum_o (w_o[j] (u[j + o] - u[j]) + w_o[j - o] (u[j - o] - u[j]))   with b = C_slow,slow
//              + the same along `fast` - sum_kl d_k d_l (x[j + k, i] + x[j, i + l]) u[j + k, i + l]   with x =
//              C_slow,fast
// Layout   vectors over all blocks, one block after the other, each n_slow x n_fast, row-major.
// Cost     32 bytes a point from memory (u, b, c read; q written), 40 with a mixed entry, 16 with constant C, and 12
//          bytes an entry of the stored rows, whose number is that of the points at the sides.
#pragma once

#include <cstdint>
#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/linear_algebra/sparse_matrix.hpp"

namespace gwrm {

// C at the points of a block. `slow` and `fast` have one value each (a constant) or one at every point; `cross` is
// empty (zero) or has one at every point, and then so have they.
struct StencilBlock {
  Index n_slow = 0, n_fast = 0;
  double h_slow = 0.0, h_fast = 0.0;
  Index offset = 0;  // of its first value in vectors over all blocks
  std::vector<double> slow, fast, cross;

  bool constant() const { return slow.size() == 1; }
};

struct BlockOperator {
  int order = 2;
  Index margin = 0;  // rows of points fewer steps than this from a side of their block are stored
  std::vector<StencilBlock> blocks;
  std::vector<std::int32_t> stored_rows;  // ascending
  CsrMatrix stored;                       // row k is row stored_rows[k] of the operator

  Index size() const { return blocks.back().offset + blocks.back().n_slow * blocks.back().n_fast; }
  bool has_cross() const;
};

// Rows of points that a thread treats at once, at most: a lower interior is stored.
inline constexpr Index kRowsTogether = 4;

// The points [slow_begin, slow_end) x [fast_begin, fast_end) of a block where the stencils hold; none where it is too
// small.
struct BlockInterior {
  Index slow_begin = 0, slow_end = 0, fast_begin = 0, fast_end = 0;
  bool empty() const { return slow_begin == slow_end; }
  bool contains(Index j, Index i) const { return j >= slow_begin && j < slow_end && i >= fast_begin && i < fast_end; }
};
BlockInterior interior_of(const StencilBlock& block, Index margin);

// The points outside of the interiors, ascending.
std::vector<std::int32_t> points_near_sides(const BlockOperator& a);

// The part of a block's interior that one block of threads treats: from (slow, fast) on.
struct BlockTile {
  int block, slow, fast;
};
std::vector<BlockTile> block_tiles(const BlockOperator& a, int n_slow, int n_fast);

// ShapeError where the sizes do not fit each other or 32-bit indices.
void check_block_operator(const BlockOperator& a);

namespace cuda {
// q = A u by way of the device, for tests.
void block_apply(const Context& context, const BlockOperator& a, const double* u, double* q);
}  // namespace cuda

}  // namespace gwrm
