// One time window [t0, t0 + h]: how the unknowns of a field give its values, its Chebyshev coefficients and its end
// state.
//
// The unknowns W of a field that appears with dt up to order s are those of its s-th time derivative; lower derivatives
// follow by integration from the initial state:  u^(s) = W,  u^(r) = I^(s-r) W + sum_m I^(m-r) u0^(m)  (r <= m < s), I
// = integral from t0. So dt may stand anywhere in an equation, second order needs no second field, and the discrete
// operators are the well-conditioned integrals. A field without dt has s = 0: its unknowns are its values.
//
// radau      (default) collocation at the K Radau nodes; I = (h/2) Q; u has degree K. Radau IIA: A-, L-, B-stable,
//            stiffly accurate, end values of order 2K - 1.
// chebyshev  the papers' form, eqs. (3)-(5): W = K + 1 Chebyshev coefficients, I = (h/2) J truncated to K + 1 rows (row
//            0 taken before truncation), residuals tested with T_0..T_K under the Chebyshev weight on padded points.
//            For dt(u) = F(u) this is a = u0 e_0 + (h/2) J F exactly. Not A-stable (|R(iy)| up to 1.41): for one
//            window.
// Source: docs/numerics.md 2; Hairer and Wanner IV.5; Lindvall (2019) eqs. (2)-(5).
#pragma once

#include <vector>

#include "case/case.hpp"
#include "core/matrix.hpp"

namespace gwrm {

class TimeBasis {
 public:
  // degree K >= 1; padded_points: points for the chebyshev test (ignored by radau); max_integrals: highest s in use.
  // length: h, which is end - start but for rounding. Windows of equal length have equal matrices, to the bit.
  TimeBasis(Weighting weighting, Index degree, Index padded_points, int max_integrals, double start, double end,
            double length);

  Index n_unknowns() const { return test_.rows(); }
  Index n_points() const { return points_.size(); }
  bool nodal() const { return nodal_; }  // radau: the unknowns are the values of u^(s) at the points
  double start() const { return start_; }
  double end() const { return end_; }
  double length() const { return length_; }
  const Vector& points() const { return points_; }    // times of the points, physical
  const Vector& weights() const { return weights_; }  // quadrature over the window in t
  const Matrix& test() const { return test_; }        // n_unknowns x n_points

  // j-fold integral: values at the points (n_points x n_unknowns) and Chebyshev coefficients ((K+1) x n_unknowns).
  const Matrix& values(int j) const { return values_[static_cast<std::size_t>(j)]; }
  const Matrix& coefficients(int j) const { return coefficients_[static_cast<std::size_t>(j)]; }
  // j-fold integral of the constant 1: the share of the initial state u0^(r+j) in u^(r).
  const Vector& state_values(int j) const { return state_values_[static_cast<std::size_t>(j)]; }
  const Vector& state_coefficients(int j) const { return state_coefficients_[static_cast<std::size_t>(j)]; }
  // n Gauss points of the last half of the window, descending.
  Vector points_of_last_half(Index n) const;
  // At any time t of the window.
  RowVector row_at(double t, int j) const;
  double state_at(double t, int j) const;

 private:
  void build_radau(Index degree, int max_integrals);
  void build_chebyshev(Index degree, Index padded_points, int max_integrals);

  double start_, end_, length_;
  bool nodal_ = false;
  Vector points_, weights_;
  Matrix test_;
  std::vector<Matrix> values_, coefficients_;
  std::vector<Vector> state_values_, state_coefficients_;
};

}  // namespace gwrm
