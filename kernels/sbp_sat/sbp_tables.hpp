// The numbers of the summation-by-parts (SBP) operators of orders 2, 4 and 6 with a diagonal norm and narrow second
// derivatives.
//
// On n points of spacing h, with H the diagonal norm and d the outward derivative rows at the two ends:
//   H D2       = -M + e_n d_n^T + e_0 d_0^T                  constant coefficient; h M is `stiffness`
//   H D2^(b)   = -M^(b) + b_n e_n d_n^T + b_0 e_0 d_0^T      h M^(b) is made of `variable_closure`, `variable_interior`
//   H D1 + (H D1)^T = e_n e_n^T - e_0 e_0^T                  h D1 is `derivative`; M^(b) - D1^T H b D1 is positive
//                                                            semidefinite
// Closures are given at the left end. At the right end rows and columns run backwards; the first derivative and the
// inward derivative row change their sign as well.
// Source  H, D1, D2, d: Mattsson and Nordstrom, J. Comput. Phys. 199 (2004) 503; M^(b): Mattsson, J. Sci. Comput. 51
//         (2012) 650. The first derivative of order 6 is the member of its family that is compatible with M^(b).
#pragma once

#include <vector>

namespace gwrm {

// The first n_rows rows of a banded matrix, `width` entries each, and the row of all others.
struct SbpRows {
  int n_rows = 0;
  int width = 0;
  std::vector<double> rows;
  std::vector<double> interior;  // 2 half + 1
};

// value * b[column of the coefficient] is added to entry (row, column).
struct VariableEntry {
  int row, column, coefficient;
  double value;
};
struct VariableStencilEntry {
  int offset, coefficient_offset;
  double value;
};

struct SbpTable {
  int order = 0;
  std::vector<double> weights;              // H/h at the left end, 1 behind
  std::vector<double> boundary_derivative;  // h d/dx at the left end, inward (so that d_0 is its negative)
  SbpRows stiffness;
  SbpRows derivative;
  int variable_rows = 0;  // rows of h M^(b) that are not the interior one
  std::vector<VariableEntry> variable_closure;
  std::vector<VariableStencilEntry> variable_interior;
  // M >= h/penalty_bound d d^T, M^(b) >= h b_min/variable_penalty_bound d d^T with b_min the least of the first
  // penalty_reach values: a Dirichlet penalty tau b^2/(h b_min) keeps the operator definite above these bounds.
  double penalty_bound = 0.0;
  double variable_penalty_bound = 0.0;
  int penalty_reach = 0;
  int min_intervals = 0;
  int min_intervals_variable = 0;
};

// ShapeError unless order is 2, 4 or 6.
const SbpTable& sbp_table(int order);
const SbpTable& sbp_table_6();  // the longest, in a file of its own

}  // namespace gwrm
