// Chebyshev series on a mapped axis as matrices and rows: evaluation, derivatives, integrals, quadrature.
//
// Normalisation, here and in every file gwrm writes: u(z) = sum_{k=0}^{K} a_k T_k(xi(z)), plain, no halved first term.
// (The papers' primed sums have a_0' = 2 a_0.)  Rows and matrices act on coefficient vectors (a_0, ..., a_K).
// A negative degree or order is a ShapeError.
#pragma once

#include <span>

#include "basis/axis_map.hpp"
#include "core/matrix.hpp"

namespace gwrm {

// d/dxi on coefficients, (K+1) x (K+1): (D a)_k = (2/c_k) sum_{p>k, p+k odd} p a_p, c_0 = 2, else 1.
Matrix derivative_matrix(Index degree);

// Integral from -1 in xi, (K+2) x (K+1): column 0 -> T_1, column 1 -> T_2/4, column k -> T_{k+1}/(2(k+1)) -
// T_{k-1}/(2(k-1)), row 0 such that the value at xi = -1 is 0.
Matrix integral_matrix(Index degree);

// T_k(xi), k = 0..degree, in long double: an error of k eps_ld everywhere, none at -1, 0 and 1. |xi| > 1 is allowed.
RowVector basis_row(Index degree, double xi);

// The order-th derivative with respect to the physical coordinate at the physical point z, as a row: u^(order)(z) = row
// . a. At the ends of a linear map the closed form (+-1)^{k+n} prod_{i<n} (k^2 - i^2)/(2i + 1) times (d xi/dz)^n. On a
// log map d^n/dz^n = z^-n theta (theta - 1) ... (theta - n + 1) with theta = z d/dz, a multiple of d/dxi.
RowVector point_row(const AxisMap& map, Index degree, double z, int order = 0);

// The same for many points: points.size() x (degree + 1).
Matrix point_matrix(const AxisMap& map, Index degree, std::span<const double> points, int order = 0);

// The same on the n Gauss points of the axis (descending in xi), by the exact cosine matrix.
Matrix gauss_matrix(const AxisMap& map, Index degree, Index n_points, int order = 0);

// Definite integral over the axis in z as a row on coefficients. (On a log map by quadrature of the mapped integrand
// with enough points to be exact to round-off.)
RowVector integral_row(const AxisMap& map, Index degree);

// Points z_i and weights w_i with sum_i w_i f(z_i) ~ int f dz: the n Gauss points (descending) with Fejer's first rule,
// exact for polynomials in xi of degree < n on a linear map; on a log map dz/dxi is included in the weights. One rule
// serves many intervals.
class QuadratureRule {
 public:
  explicit QuadratureRule(Index n_points);
  Vector points(const AxisMap& map) const { return map.from_reference(points_); }
  Vector weights(const AxisMap& map) const;

 private:
  Vector points_, weights_;  // on [-1, 1]
};

Vector quadrature_weights(const AxisMap& map, Index n_points);

// sum_k a_k T_k(xi) by Clenshaw's recurrence in long double; 0 without coefficients.
double clenshaw(std::span<const double> coefficients, double xi);

}  // namespace gwrm
