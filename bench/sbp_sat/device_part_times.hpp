// Times of the parts of a conjugate gradient iteration on the device.
#pragma once

#include "core/context.hpp"
#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "kernels/sbp_sat/block_operator.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm::cuda {

// Seconds of the parts of an iteration on the device, each by itself (bench/measure/timing.hpp).
struct DevicePartTimes {
  double matrix_free = 0.0, csr = 0.0, ell = 0.0;  // q = A u
  double direction = 0.0;                          // p = r + beta p
  double dot = 0.0;                                // a sum of products of two vectors
  double step = 0.0;                               // x += alpha p, r -= alpha q and r.r
};
DevicePartTimes time_parts(const Context& context, const SeparableOperator& a, const CsrMatrix& matrix);
// Seconds of q = A u with p.A p.
double time_product(const Context& context, const BlockOperator& a);
double time_product(const Context& context, const CsrMatrix& a);

}  // namespace gwrm::cuda
