// Sums for integrals by quadrature and for norms, in an order that their lengths alone decide: several partial sums
// side by side, which need not wait for each other.
#pragma once

#include "core/array.hpp"

namespace gwrm {

// sum_i a[i] b[i], i < n
double sum_of_products(const double* a, const double* b, Index n);

// out[o, i] = sum_j weights[j] a[o, j, i], j < n, i < inner
void weighted_sum(const double* a, const double* weights, Index outer, Index n, Index inner, double* out);

}  // namespace gwrm
