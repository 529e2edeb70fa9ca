// Triangular systems of tensor products, the last step of Bartels and Stewart (1972) in any number of dimensions:
//   (shift + T_1 (x) I (x) .. + I (x) T_2 (x) .. + ..) y = r,   T_d upper triangular.
//
// Backwards along the first dimension: each of its entries leaves a system of the same form in the others, with T_1's
// diagonal added to the shift; what a solved entry contributes to those before it is subtracted, in blocks (BLAS).
// Layout    r: row-major tensor n_1 x .. x n_d, overwritten by y; T column-major, its lower part is not read.
// Cost      n sum_d n_d multiply-adds, n = prod n_d.
// Errors    none: a vanishing shift + sum of diagonals gives Inf or NaN.
// Device    many systems at once, in blocks along the antidiagonals: kernels/linear_algebra/device_kronecker_sum.cuh.
#pragma once

#include <complex>
#include <vector>

#include "core/matrix.hpp"

namespace gwrm {

template <class Real>
using ComplexColumnMajor = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;

// Instantiated for float and double. Several threads may call it.
template <class Real>
void solve_kronecker_sum(const std::vector<const ComplexColumnMajor<Real>*>& triangles, const Shape& extents,
                         std::complex<Real> shift, std::complex<Real>* r);

}  // namespace gwrm
