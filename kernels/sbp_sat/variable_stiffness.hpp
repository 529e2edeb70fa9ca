// q = (M_slow^(b) (x) W_fast + W_slow (x) M_fast^(c)) u without a matrix: the second derivatives of -div(C grad u) with
// diagonal, variable C, as narrow summation-by-parts stencils (kernels/sbp_sat/sbp_tables.hpp).
//
// Formula  every line along `slow` has its own M^(b), made of b along that line, and is weighted by w_fast; every line
//          along `fast` likewise with c and w_slow.
// Layout   u, q, b, c: n_slow x n_fast, row-major.
// Cost     32 bytes a point from memory (u, b, c read; q written).
// Errors   ShapeError if there are fewer points than the closures need.
// Device   part of kernels/sbp_sat/block_operator.hpp.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "kernels/sbp_sat/sbp_tables.hpp"

namespace gwrm {

struct VariableStiffness {
  VariableStiffness(int order, Index n_slow, Index n_fast, double h_slow, double h_fast);

  const SbpTable* table;
  Index n_slow, n_fast;
  double h_slow, h_fast;
  std::vector<double> slow_weights, fast_weights;
  std::vector<double> stencil;  // [offset of u][offset of the coefficient], (2 half + 1)^2
  int half;
};

// The entries (column, value) of row i of M^(b) on a line of n points whose coefficients are b[k * stride].
void add_variable_row(const SbpTable& table, Index n, double h, Index i, const double* b, Index stride, double factor,
                      RowEntries& entries);

namespace cpu {
void variable_stiffness_apply(const VariableStiffness& a, const double* b, const double* c, const double* u, double* q);
}

}  // namespace gwrm
