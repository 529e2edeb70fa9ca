// The cosine matrices between Chebyshev coefficients and Gauss points, built from integer-reduced angles:
// cos(k acos x) loses three digits at degree 255 (docs/numerics.md 1.2).
//
// Points    Gauss (first-kind) points xi_i = cos(theta_i), theta_i = pi (2i + 1) / (2 M), i = 0..M-1, descending.
// Formula   values = E a, E[i,k] = cos(k theta_i) = cos(pi m / (2M)), m = k (2i + 1) mod 4M folded to [0, M] with a
//           sign;
//           a = P values, P[k,i] = (2/M) E[i,k], row 0 halved. Plain normalisation u = sum_k a_k T_k.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

Vector gauss_points(Index n_points);                            // xi_i, exact zero in the middle, symmetric
Matrix values_from_coefficients(Index n_points, Index degree);  // E: n_points x (degree + 1)
Matrix coefficients_from_values(Index degree, Index n_points);  // P: (degree + 1) x n_points, degree < n_points
Vector fejer_weights(Index n_points);  // w_i = sum_k P[k,i] int_{-1}^{1} T_k: exact for degrees below M; M^2/4 terms

}  // namespace gwrm
