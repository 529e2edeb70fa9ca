// The polynomials that are orthonormal for the density of an uncertain parameter, on their Gauss points: "hermite(m,d)"
// of a normal parameter, "legendre" of a uniform one, "jacobi(a,b)" of a beta one (core/distribution.hpp has the
// names). On a log map polynomials of log z: lognormal and log-uniform parameters. (Polynomials of z itself would not
// do for a lognormal one: they are not dense for its density; O. G. Ernst, A. Mugler, H.-J. Starkloff, E. Ullmann,
// ESAIM: M2AN 46 (2012) 317.)
//
// Functions   E[phi_j phi_k] = 1 if j = k, else 0; phi_0 = 1: the mean of a series is a_0, its variance the sum of the
//             other a_k^2, a tail what it leaves out of the standard deviation. Their largest values are not 1 (those
//             of Hermite polynomials have no bound).
// Interval    What may be asked for: of a normal parameter where all but 1e-3 of the probability is. Judged is
//             likely_part().
//             Points of the quadrature may lie beyond.
// Integrals   of integral_row() and grid() are over the interval with dz, as for all bases; mean_weights() are those of
//             the density.
#pragma once

#include <optional>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_polynomials.hpp"
#include "core/distribution.hpp"

namespace gwrm {

class OrthogonalBasis : public AxisBasis {
 public:
  // ShapeError on a divided axis, or if the name is none of a distribution with this map.
  explicit OrthogonalBasis(const AxisDescription& description);

  Index n_below(int level) const override { return level; }
  // n points are exact to degree 2n - 1: products of p factors and one more function.
  Index n_points(int n_factors) const override { return Index{n_factors + 1} * degree() / 2 + 1; }
  Index n_quadrature(int n_factors) const override;  // of the mean
  AxisGrid grid(Index n) const override;
  Vector mean_weights(Index n) const override;  // E[f] = sum_i w_i f(z_i) for polynomials of degree 2n - 1
  BlockMatrix synthesis(Index n, int order) const override;
  BlockMatrix analysis(Index n) const override;
  Matrix derivative(int order) const override;  // on a linear map
  Matrix rows_at(Index subdomain, std::span<const double> points, int order) const override;
  Matrix at_positions(std::span<const double> xi) const override;
  RowVector integral_row() const override;
  BlockMatrix jump(int) const override { return BlockMatrix(0, n_coefficients()); }
  // In the density: sum a_k^2.
  std::vector<double> mean_square() const override;

  int n_conditions(int order) const override { return order; }
  bool can_be_divided() const override { return false; }
  double slope_bound() const override;  // Markov's, on the interval
  std::string mode_name() const override { return "k of p_k"; }
  std::string normalisation() const override;

 private:
  double lower() const { return description().edges.front(); }
  double upper() const { return description().edges.back(); }
  long double variable(double z) const;  // x of orthogonal_polynomials.hpp
  double from_variable(double x) const;
  long double scale() const;  // ds/dx
  Vector points(Index n) const;
  Matrix values(std::span<const double> points, Index n, int order) const;
  Vector integrals(Index n) const;  // of p_0 .. p_(n-1) over the interval

  Distribution distribution_;
  OrthogonalPolynomials polynomials_;
};

// Of the parameter that an axis stands for; none where it has another basis.
std::optional<Distribution> distribution_of(const AxisDescription& description);

// The part between likely_lower() and likely_upper(), with Chebyshev polynomials in place of those that belong to the
// density: answers are looked at there (what lies outside counts for little, and no polynomial follows it). The axis
// itself where it has no distribution.
AxisDescription likely_part(const AxisDescription& description);

}  // namespace gwrm
