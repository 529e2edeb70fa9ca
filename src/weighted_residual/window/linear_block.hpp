// A block of the Jacobian: test . diag(g) . trial, a tensor product along every axis but for the pointwise coefficient
// g.
//
// Formula   B[(r_1..r_d), (l_1..l_d)] = sum_{j_1..j_d} g[j] prod_a test_a[r_a, j_a] trial_a[j_a, l_a], formed by
//           applying to g, axis by axis, the matrix K_a[(r, l), j] = test_a[r, j] trial_a[j, l]: matrix products
//           only. Where g varies along a single axis, test . diag(g) . trial itself takes the place of that axis's K.
//           An extent 1 of g (or a single row of trial_a) broadcasts, so that a constant coefficient costs an outer
//           product.
// Source    docs/numerics.md 1.4, J[(q,r),(k,l)] = sum_i P_{qi} E_{ik} (sum_j P_{rj} g_ij E_{jl}) on any number of
//           axes.
#pragma once

#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"

namespace gwrm {

struct AxisFactors {
  Matrix test;   // n_rows x n_points, or 1 x 1
  Matrix trial;  // n_points x n_columns, or 1 x n_columns
};

// Adds B to `target`, column-major with leading dimension `n_target_rows`, first row and column at the given offsets;
// rows and columns run over the axes with the last axis fastest.
void add_linear_block(const Context& context, const Array& coefficient, std::span<const AxisFactors> axes,
                      double* target, Index n_target_rows, Index first_row, Index first_column);

// The same along a single axis whose test is the identity, as of ODEs on their own nodes: B = diag(scale g) . trial,
// row by row of the trial. g: one value, or one per row.
void add_scaled_rows(std::span<const double> g, double scale, const BlockMatrix& trial, double* target,
                     Index n_target_rows, Index first_row, Index first_column);

}  // namespace gwrm
