// Sums along one dimension of a tensor, for integrals by quadrature.
#pragma once

#include "core/array.hpp"

namespace gwrm {

// out[o, i] = sum_j weights[j] a[o, j, i], j < n, i < inner: in an order that n and inner alone decide.
void weighted_sum(const double* a, const double* weights, Index outer, Index n, Index inner, double* out);

}  // namespace gwrm
