// Whether the triangular solves of separable operators in Schur form have pivots.
#pragma once

#include <complex>
#include <vector>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// Pivots are sums of the mass and of one eigenvalue from each axis, for each z: none may vanish. orders: of each
// field's equation, along each of its axes. Cost: as many sums as unknowns.
bool pivots_are_regular(const std::vector<TensorField>& fields, const std::vector<std::vector<int>>& orders,
                        const std::vector<std::complex<double>>& z, int n_threads);

}  // namespace gwrm
