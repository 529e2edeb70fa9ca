// q += (D_slow^T W D_fast + D_fast^T W D_slow) u without a matrix: the mixed second derivatives of -div(C grad u) by
// summation-by-parts first derivatives D (kernels/sbp_sat/sbp_tables.hpp).
//
// Layout   u, q, W: n_slow x n_fast, row-major. W: the quadrature H times C_slow,fast at every point.
// Cost     one pass over memory: u and W read, q read and written, 32 bytes a point. Strips of rows stay in the cache.
// Errors   ShapeError if W has not one value at every point, or there are fewer points than the closures need.
// Device   part of kernels/sbp_sat/block_operator.hpp.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "kernels/sbp_sat/stencil_rows.hpp"

namespace gwrm {

struct MixedStiffness {
  MixedStiffness(int order, Index n_slow, Index n_fast, double h_slow, double h_fast, std::vector<double> weight);

  StencilRows slow, fast, slow_transposed, fast_transposed;
  std::vector<double> weight;
};

namespace cpu {
void add_mixed_stiffness(const MixedStiffness& a, const double* u, double* q);
}

}  // namespace gwrm
