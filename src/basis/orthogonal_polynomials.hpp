// Polynomials p_0, p_1, .. orthonormal for a probability density, E[p_j p_k] = 1 if j = k, else 0, and their Gauss
// quadrature.
//
// Variable    x = (s - mean)/deviation of a normal s; else x in [-1, 1] of the interval
// Recurrence  sqrt(b_(k+1)) p_(k+1) = (x - a_k) p_k - sqrt(b_k) p_(k-1), p_0 = 1:
//             normal: He_k/sqrt(k!), a_k = 0, b_k = k;  uniform: sqrt(2k + 1) P_k, a_k = 0, b_k = k^2/(4 k^2 - 1);
//             beta(a, b): Jacobi's P_k^(b-1,a-1), scaled
// Quadrature  The points are the eigenvalues of the Jacobi matrix, a_k on the diagonal and sqrt(b_k) beside it, made
//             right to rounding by Newton's method in extended precision; the weights, which add up to 1,
//             1/sum_(k<n) p_k(x_i)^2. sum_i w_i f(x_i) = E[f] for polynomials of degree 2n - 1.
// Source      G. H. Golub and J. H. Welsch, Math. Comp. 23 (1969) 221; W. Gautschi, Orthogonal Polynomials (2004).
#pragma once

#include <memory>

#include "core/distribution.hpp"
#include "core/matrix.hpp"

namespace gwrm {

class OrthogonalPolynomials {
 public:
  explicit OrthogonalPolynomials(const Distribution& distribution)
      : kind_(distribution.kind()), first_(distribution.first()), second_(distribution.second()) {}

  struct Rule {
    Vector points, weights;  // ascending
  };
  // n points; kept.
  std::shared_ptr<const Rule> rule(Index n) const;
  // row(k) = d^order p_k/dx^order at x, k = 0 .. row.size() - 1.
  void values(long double x, int order, RowVector& row) const;
  // Largest |x| is that of degree n: nothing overflows for n up to some 500.

 private:
  long double diagonal(Index k) const;  // a_k
  long double square(Index k) const;    // b_k, k > 0
  bool is_even() const { return kind_ != Distribution::Kind::beta || first_ == second_; }
  Rule made(Index n) const;
  void recur(long double x, Index n, long double* p, const long double* lower, int order) const;

  Distribution::Kind kind_;
  double first_, second_;
};

}  // namespace gwrm
