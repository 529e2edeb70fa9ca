// How near a sum of one operator per axis is to being singular.
#pragma once

#include <complex>
#include <utility>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// The two smallest magnitudes of the pivots of its triangular solves at the k-th z: sums of the mass and of one
// eigenvalue from each axis.
std::pair<double, double> smallest_pivots(const TensorField& field, std::complex<double> z, std::size_t k);

}  // namespace gwrm
