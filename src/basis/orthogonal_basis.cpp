#include "basis/orthogonal_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "basis/axis_map.hpp"
#include "core/errors.hpp"

namespace gwrm {
namespace {

Distribution required(const AxisDescription& description) {
  const std::optional<Distribution> found = distribution_of(description);
  if (!found)
    throw ShapeError("the basis " + description.basis + " is none of a distribution" +
                     (description.map == MapKind::log ? " on a log map" : ""));
  return *found;
}

}  // namespace

OrthogonalBasis::OrthogonalBasis(const AxisDescription& description)
    : AxisBasis(description), distribution_(required(description)), polynomials_(distribution_) {
  if (n_subdomains() != 1) throw ShapeError("an axis with the basis " + description.basis + " is not divided");
}

// A log map has factors z and 1/z beside the series: exp(+-sigma x), whose means converge like sigma^2n/n!.
Index OrthogonalBasis::n_quadrature(int n_factors) const {
  const Index n = Index{n_factors} * degree() / 2 + 1;
  return description().map == MapKind::linear ? n : n + static_cast<Index>(std::ceil(4.0L * scale()));
}

long double OrthogonalBasis::variable(double z) const {
  if (distribution_.is_bounded()) return AxisMap(lower(), upper(), description().map).to_reference_extended(z);
  const long double s = description().map == MapKind::log ? std::log(static_cast<long double>(z)) : z;
  return (s - distribution_.first()) / distribution_.second();
}

double OrthogonalBasis::from_variable(double x) const {
  if (distribution_.is_bounded()) return AxisMap(lower(), upper(), description().map).from_reference(x);
  const double s = std::fma(distribution_.second(), x, distribution_.first());
  return description().map == MapKind::log ? std::exp(s) : s;
}

long double OrthogonalBasis::scale() const {
  return distribution_.is_bounded() ? AxisMap(lower(), upper(), description().map).half_length()
                                    : static_cast<long double>(distribution_.second());
}

// On a log map z^m d^m/dz^m = D (D - 1) .. (D - m + 1), D = d/ds: Stirling numbers of the first kind.
Matrix OrthogonalBasis::values(std::span<const double> points, Index n, int order) const {
  const bool log = description().map == MapKind::log;
  std::vector<double> of_order(static_cast<std::size_t>(order) + 1, 0.0);  // factors of D^0 .. D^order
  of_order[log ? 0 : static_cast<std::size_t>(order)] = 1.0;
  for (int m = 0; log && m < order; ++m)
    for (int j = order; j >= 0; --j)
      of_order[static_cast<std::size_t>(j)] =
          (j > 0 ? of_order[static_cast<std::size_t>(j) - 1] : 0.0) - m * of_order[static_cast<std::size_t>(j)];
  Matrix result = Matrix::Zero(static_cast<Index>(points.size()), n);
  RowVector row(n);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double x = variable(points[i]);
    for (int j = 0; j <= order; ++j) {
      if (of_order[static_cast<std::size_t>(j)] == 0.0) continue;
      polynomials_.values(x, j, row);
      const long double unit =
          std::pow(scale(), static_cast<long double>(-j)) *
          (log ? std::pow(static_cast<long double>(points[i]), static_cast<long double>(-order)) : 1.0L);
      result.row(static_cast<Index>(i)) += of_order[static_cast<std::size_t>(j)] * static_cast<double>(unit) * row;
    }
  }
  return result;
}

Vector OrthogonalBasis::mean_weights(Index n) const {
  return polynomials_.rule(n)->weights;
}

Vector OrthogonalBasis::points(Index n) const {
  Vector result = polynomials_.rule(n)->points;
  for (double& point : result) point = from_variable(point);
  return result;
}

AxisGrid OrthogonalBasis::grid(Index n) const {
  const auto rule = polynomials_.rule(n);
  AxisGrid result{points(n), Vector(n)};
  RowVector row(n);
  const Vector of_functions = integrals(n);
  for (Index i = 0; i < n; ++i) {  // of the polynomial through the values, sum_k E[f p_k] p_k
    polynomials_.values(rule->points(i), 0, row);
    result.weights(i) = rule->weights(i) * row.dot(of_functions);
  }
  return result;
}

BlockMatrix OrthogonalBasis::synthesis(Index n, int order) const {
  const Vector z = points(n);
  return BlockMatrix(values({z.data(), static_cast<std::size_t>(n)}, n_coefficients(), order));
}

// a_k = E[u p_k].
BlockMatrix OrthogonalBasis::analysis(Index n) const {
  const auto rule = polynomials_.rule(n);
  Matrix result(n_coefficients(), n);
  RowVector row(n_coefficients());
  for (Index i = 0; i < n; ++i) {
    polynomials_.values(rule->points(i), 0, row);
    result.col(i) = rule->weights(i) * row.transpose();
  }
  return BlockMatrix(result);
}

Matrix OrthogonalBasis::derivative(int order) const {
  if (description().map != MapKind::linear)
    throw ShapeError("derivatives of coefficients: the map of the axis is not linear");
  const Index n = n_coefficients();
  return analysis(n).dense() * synthesis(n, order).dense();
}

Matrix OrthogonalBasis::rows_at(Index, std::span<const double> points, int order) const {
  return values(points, n_coefficients(), order);
}

Matrix OrthogonalBasis::at_positions(std::span<const double> xi) const {
  const AxisMap map(lower(), upper(), description().map);
  std::vector<double> points;
  for (double position : xi) points.push_back(map.from_reference(position));
  return values(points, n_coefficients(), 0);
}

Vector OrthogonalBasis::integrals(Index n) const {
  AxisDescription fine{static_cast<int>(n) + 40, {lower(), upper()}, description().map, kChebyshev};
  const auto basis = make_basis(fine);
  const AxisGrid grid = basis->grid(basis->n_quadrature(1));
  return values({grid.points.data(), static_cast<std::size_t>(grid.points.size())}, n, 0).transpose() * grid.weights;
}

RowVector OrthogonalBasis::integral_row() const {
  return integrals(n_coefficients()).transpose();
}

std::vector<double> OrthogonalBasis::mean_square() const {
  return std::vector<double>(static_cast<std::size_t>(n_coefficients()), 1.0);
}

double OrthogonalBasis::slope_bound() const {
  return 2.0 * static_cast<double>(degree()) * static_cast<double>(degree()) / (upper() - lower());
}

std::string OrthogonalBasis::normalisation() const {
  switch (distribution_.kind()) {
    case Distribution::Kind::normal:
      return "u = sum a_k p_k, p_k = He_k(x)/sqrt(k!), x = (z - mean)/deviation; of log z on a log map";
    case Distribution::Kind::uniform:
      return "u = sum a_k p_k, p_k = sqrt(2k + 1) P_k";
    case Distribution::Kind::beta:
      break;
  }
  return "u = sum a_k p_k, p_k = P_k^(b-1,a-1) scaled to a mean square of 1 for beta(a,b)";
}

std::optional<Distribution> distribution_of(const AxisDescription& description) {
  return Distribution::of_basis(description.basis, description.edges.front(), description.edges.back(),
                                description.map == MapKind::log);
}

AxisDescription likely_part(const AxisDescription& description) {
  const std::optional<Distribution> distribution = distribution_of(description);
  if (!distribution) return description;
  AxisDescription part = description;
  part.basis = kChebyshev;
  part.edges = {std::max(description.edges.front(), distribution->likely_lower()),
                std::min(description.edges.back(), distribution->likely_upper())};
  return part;
}

}  // namespace gwrm
