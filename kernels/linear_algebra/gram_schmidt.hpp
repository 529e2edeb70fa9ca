// A vector made orthogonal to an orthonormal basis, and combinations of vectors: the inner loop of a Krylov method.
//
// Formula   h_i = v_i . w, w <- w - sum_i h_i v_i (classical Gram-Schmidt), a second time where the first one took most
//           of w away, which makes it orthogonal to round-off (Giraud, Langou, Rozloznik 2005: twice is enough).
// Shapes    k basis vectors of n numbers each, w of n, h of k.
// Cost      4 n k multiply-adds a pass; the basis is read twice.
// Determinism  the same bits on every run and for any number of threads: sums are taken over parts of fixed length.
// Device    the parts of a pass, which the caller puts together: kernels/linear_algebra/device_vectors.cuh.
#pragma once

#include <span>

#include "core/array.hpp"

namespace gwrm {

struct GramSchmidtNorms {
  double before = 0.0, after = 0.0;  // of w
};
// h is overwritten.
GramSchmidtNorms gram_schmidt(std::span<const double* const> basis, std::span<double> w, std::span<double> h,
                              int n_threads);

// y = factor x; y may be x.
void scale(double factor, const double* x, std::span<double> y, int n_threads);
// y = sum_i factors[i] v_i.
void combine(std::span<const double* const> v, std::span<const double> factors, std::span<double> y, int n_threads);

}  // namespace gwrm
