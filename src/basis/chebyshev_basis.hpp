// Chebyshev polynomials T_0 .. T_L of the mapped coordinate on each subdomain, on their Gauss points. Its banded form
// are rows in the ultraspherical C^(m) (ultraspherical.hpp), on a linear map.
#pragma once

#include "basis/axis_basis.hpp"
#include "basis/axis_map.hpp"
#include "basis/banded_form.hpp"
#include "basis/chebyshev_series.hpp"
#include "basis/fast_rows.hpp"

namespace gwrm {

class ChebyshevBasis : public AxisBasis, public FastRows, public ChebyshevSeries, private BandedForm {
 public:
  explicit ChebyshevBasis(AxisDescription description) : AxisBasis(std::move(description)) {}

  Index n_below(int level) const override { return level; }
  // More than (p + 1) L / 2 Gauss points make products of p factors of degree L exact below mode L (docs/method.md).
  Index n_points(int n_factors) const override { return Index{n_factors + 1} * degree() / 2 + 1; }
  Index n_quadrature(int n_factors) const override;
  AxisGrid grid(Index n) const override;
  Vector mean_weights(Index n) const override;
  BlockMatrix synthesis(Index n, int order) const override;
  BlockMatrix analysis(Index n) const override;
  Matrix derivative(int order) const override;  // on a linear map
  Matrix rows_at(Index subdomain, std::span<const double> points, int order) const override;
  bool fast_rows(Index subdomain, std::span<const double> points, int order, Index stride,
                 double* rows) const override;  // order 4 at most
  Matrix derivative_of_series(Index subdomain, int order) const override;
  Matrix at_positions(std::span<const double> xi) const override;
  RowVector integral_row() const override;
  BlockMatrix jump(int order) const override;
  // In the Chebyshev weight: a_0^2 + sum a_k^2 / 2, the mean over the lengths of the subdomains.
  std::vector<double> mean_square() const override;
  const BandedForm* banded_form() const override;

  int n_conditions(int order) const override { return order; }
  // The highest modes on which the conditions are independent: for Dirichlet, Neumann and Robin data the m highest, but
  // T_L(1) - T_L(-1) = 0 for even L, so that one periodic condition determines mode L - 1 there. (With mode L given up
  // instead, a product T_L(x) T_L(y) in two periodic directions would be seen by no equation and no condition.)

  bool can_be_divided() const override { return true; }
  double slope_bound() const override;  // T_L'(1) = L^2: 2 L^2 / l on the shortest subdomain
  std::string mode_name() const override { return "k of T_k"; }
  std::string normalisation() const override { return "u = sum a_k T_k, no halved first term"; }

 private:
  BlockMatrix form_of_values(Index n_points, int m, const std::vector<Index>& n_rows) const override;
  BlockMatrix form_of_derivative(int order, int m, const std::vector<Index>& n_rows) const override;
  Matrix coefficient_series(const Matrix& values, int max_degree) const override;
  BandRows form_of_product(std::span<const double> c, int order, int m, Index n_rows) const override;

  AxisMap map(Index subdomain) const;
  double length(Index subdomain) const;
  bool is_linear() const { return description().map == MapKind::linear; }
  template <class Rows>
  BlockMatrix cut(const Rows& rows, Index stride, int order, const std::vector<Index>& n_rows) const;
};

}  // namespace gwrm
