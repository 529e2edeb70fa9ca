// Gradients, curls and divergences of expressions in r, theta, phi: derivatives stay as they are written, so that a
// text is some ten times as long as the functions in it.
//
// Formula   with the unit vectors e_r, e_theta, e_phi, s = sin theta:
//             grad f  = (dr f, dtheta f / r, dphi f / (r s)),
//             curl V  = ((dtheta(s V_phi) - dphi V_theta) / (r s), (dphi V_r / s - dr(r V_phi)) / r,
//                        (dr(r V_theta) - dtheta V_r) / r),
//             div V   = dr(r^2 V_r) / r^2 + (dtheta(s V_theta) + dphi V_phi) / (r s).
// Smooth    functions have a removable singularity at the centre and on the axis, which quadratures have no points on.
#pragma once

#include <array>
#include <string>

#include "expression/expression.hpp"

namespace gwrm::ball {

using VectorExpr = std::array<expression::Expr, 3>;  // r, theta, phi

class SphericalCalculus {
 public:
  explicit SphericalCalculus(expression::Pool& pool);

  expression::Expr r() const { return r_; }
  expression::Expr sine() const { return sine_; }
  expression::Expr cosine() const { return cosine_; }
  expression::Expr d(expression::Expr f, const char* axis) const;  // 0 where it does not vary along that
  expression::Expr laplacian(expression::Expr f) const { return divergence(gradient(f)); }
  expression::Expr divergence(const VectorExpr& v) const;
  VectorExpr gradient(expression::Expr f) const;
  VectorExpr curl(const VectorExpr& v) const;

  expression::Expr times(double factor, expression::Expr f) const;
  expression::Expr dot(const VectorExpr& a, const VectorExpr& b) const;
  VectorExpr cross(const VectorExpr& a, const VectorExpr& b) const;
  VectorExpr times(double factor, const VectorExpr& v) const;
  VectorExpr times(expression::Expr f, const VectorExpr& v) const;
  VectorExpr sum(const VectorExpr& a, const VectorExpr& b) const;
  VectorExpr difference(const VectorExpr& a, const VectorExpr& b) const;

  // x, y, z.
  std::array<expression::Expr, 3> cartesian() const;
  // P_l^m(cos theta) cos(m phi), m < 0: sin(|m| phi), unnormalised; in powers of cos theta, for l of at most 12.
  expression::Expr harmonic(int l, int m) const;

 private:
  expression::Expr over(expression::Expr f, expression::Expr by) const { return pool_.quotient(f, by); }

  expression::Pool& pool_;
  expression::Expr r_, sine_, cosine_, phi_, r_sine_;
};

}  // namespace gwrm::ball
