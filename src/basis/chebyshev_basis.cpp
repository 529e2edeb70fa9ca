#include "basis/chebyshev_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "basis/chebyshev.hpp"
#include "basis/low_degree.hpp"
#include "basis/reference_matrices.hpp"
#include "basis/ultraspherical.hpp"
#include "basis/ultraspherical_band.hpp"
#include "core/errors.hpp"
#include "core/remembered.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm {

AxisMap ChebyshevBasis::map(Index subdomain) const {
  const auto left = description().edges.begin() + subdomain;
  return AxisMap(left[0], left[1], description().map);
}

double ChebyshevBasis::length(Index subdomain) const {
  const auto left = description().edges.begin() + subdomain;
  return left[1] - left[0];
}

// Fejer's first rule is exact to degree n - 1 in xi. On a log map the series of z = exp(h xi) has coefficients
// ~ (h/2)^m / m!.
Index ChebyshevBasis::n_quadrature(int n_factors) const {
  const AxisMap whole(description().edges.front(), description().edges.back(), description().map);
  return Index{n_factors} * degree() + 1 +
         (is_linear() ? 0 : static_cast<Index>(std::ceil(4.0L * whole.half_length())));
}

AxisGrid ChebyshevBasis::grid(Index n) const {
  const Vector xi = gauss_points(n);  // descending
  const auto weights = reference_weights(n);
  AxisGrid result{Vector(n * n_subdomains()), Vector(n * n_subdomains())};
  for (Index p = 0; p < n_subdomains(); ++p) {
    result.points.segment(p * n, n) = map(p).from_reference(xi);
    auto own = result.weights.segment(p * n, n);
    if (is_linear())
      own = length(p) / 2.0 * *weights;
    else
      own = quadrature_weights(map(p), n);
  }
  return result;
}

Vector ChebyshevBasis::mean_weights(Index n) const {
  const AxisMap whole(description().edges.front(), description().edges.back(), description().map);
  const Vector weights = *reference_weights(n) / 2.0;
  Vector result(n * n_subdomains());
  for (Index p = 0; p < n_subdomains(); ++p)
    result.segment(p * n, n) = weights * static_cast<double>(map(p).half_length() / whole.half_length());
  return result;
}

BlockMatrix ChebyshevBasis::synthesis(Index n, int order) const {
  BlockMatrix result(n * n_subdomains(), n_coefficients());
  for (Index p = 0; p < n_subdomains(); ++p)
    result.blocks.push_back({p * n, p * n_per_subdomain(),
                             is_linear() ? reference_trial(degree(), n, order)
                                         : std::make_shared<const Matrix>(gauss_matrix(map(p), degree(), n, order)),
                             is_linear() ? std::pow(2.0 / length(p), order) : 1.0});
  return result;
}

BlockMatrix ChebyshevBasis::analysis(Index n) const {
  BlockMatrix result(n_coefficients(), n * n_subdomains());
  for (Index p = 0; p < n_subdomains(); ++p)
    result.blocks.push_back({p * n_per_subdomain(), p * n, reference_test(degree(), n), 1.0});
  return result;
}

Matrix ChebyshevBasis::derivative(int order) const {
  if (n_subdomains() != 1 || !is_linear())
    throw ShapeError("derivatives of Chebyshev coefficients: the axis is divided, or its map is not linear");
  Matrix result = Matrix::Identity(n_coefficients(), n_coefficients());
  for (int i = 0; i < order; ++i) result = 2.0 / length(0) * derivative_matrix(degree()) * result;
  return result;
}

Matrix ChebyshevBasis::rows_at(Index subdomain, std::span<const double> points, int order) const {
  return point_matrix(map(subdomain), degree(), points, order);
}

Matrix ChebyshevBasis::at_positions(std::span<const double> xi) const {
  Matrix rows(static_cast<Index>(xi.size()), n_per_subdomain());
  for (std::size_t i = 0; i < xi.size(); ++i) rows.row(static_cast<Index>(i)) = basis_row(degree(), xi[i]);
  return rows;
}

RowVector ChebyshevBasis::integral_row() const {
  RowVector row(n_coefficients());
  for (Index p = 0; p < n_subdomains(); ++p)
    row.segment(p * n_per_subdomain(), n_per_subdomain()) = gwrm::integral_row(map(p), degree());
  return row;
}

BlockMatrix ChebyshevBasis::jump(int order) const {
  BlockMatrix result(n_subdomains() - 1, n_coefficients());
  const auto add_end = [&](Index edge, Index subdomain, int side, double sign) {
    const double z = description().edges[static_cast<std::size_t>(subdomain + side)];
    auto row = is_linear() ? reference_end(degree(), order, side)
                           : std::make_shared<const Matrix>(point_row(map(subdomain), degree(), z, order));
    result.blocks.push_back({edge, subdomain * n_per_subdomain(), std::move(row),
                             sign * (is_linear() ? std::pow(2.0 / length(subdomain), order) : 1.0)});
  };
  for (Index edge = 0; edge < result.rows; ++edge) {
    add_end(edge, edge, 1, 1.0);
    add_end(edge, edge + 1, 0, -1.0);
  }
  return result;
}

std::vector<double> ChebyshevBasis::mean_square() const {
  std::vector<double> shares;
  const double whole = description().edges.back() - description().edges.front();
  for (Index p = 0; p < n_subdomains(); ++p) {
    const double part = length(p) / whole;
    for (int k = 0; k <= degree(); ++k) shares.push_back(k == 0 ? part : part / 2.0);
  }
  return shares;
}

double ChebyshevBasis::slope_bound() const {
  double shortest = HUGE_VAL;
  for (Index p = 0; p < n_subdomains(); ++p) shortest = std::min(shortest, length(p));
  return 2.0 * static_cast<double>(degree()) * static_cast<double>(degree()) / shortest;
}

const BandedForm* ChebyshevBasis::banded_form() const {
  return is_linear() ? this : nullptr;
}

// The first rows of an operator on each subdomain, times (2/length)^order. Subdomains and windows of equally many rows
// share them: rows(n) has the first n.
template <class Rows>
BlockMatrix ChebyshevBasis::cut(const Rows& rows, Index stride, int order, const std::vector<Index>& n_rows) const {
  BlockMatrix result(std::accumulate(n_rows.begin(), n_rows.end(), Index{0}), stride * n_subdomains());
  Index first = 0;
  for (Index p = 0; p < n_subdomains(); ++p) {
    const Index n = n_rows[static_cast<std::size_t>(p)];
    result.blocks.push_back({first, p * stride, rows(n), std::pow(2.0 / length(p), order)});
    first += n;
  }
  return result;
}

BlockMatrix ChebyshevBasis::form_of_values(Index n_points, int m, const std::vector<Index>& n_rows) const {
  static Remembered<Matrix, int, Index, int, Index> known;
  const auto rows = [&](Index n) {
    return known.get({degree(), n_points, m, n}, [&] {
      return Matrix(ultraspherical_conversion(*reference_test(degree(), n_points), 0, m).topRows(n));
    });
  };
  return cut(rows, n_points, 0, n_rows);
}

BlockMatrix ChebyshevBasis::form_of_derivative(int order, int m, const std::vector<Index>& n_rows) const {
  static Remembered<Matrix, int, int, int, Index> known;
  const auto rows = [&](Index n) {
    return known.get({degree(), order, m, n}, [&] {
      return Matrix(ultraspherical_conversion(ultraspherical_derivative(degree(), order), order, m).topRows(n));
    });
  };
  return cut(rows, n_per_subdomain(), order, n_rows);
}

Matrix ChebyshevBasis::coefficient_series(const Matrix& values, int max_degree) const {
  return low_degree_series(values, max_degree);
}

BandRows ChebyshevBasis::form_of_product(std::span<const double> c, int order, int m, Index n_rows) const {
  const double scale = std::pow(2.0 / length(0), order);
  std::vector<double> scaled;
  for (double coefficient : c) scaled.push_back(scale * coefficient);
  return ultraspherical_product(scaled, degree(), order, m, n_rows);
}

}  // namespace gwrm
