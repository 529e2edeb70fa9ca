#include "spectral/chebyshev.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/errors.hpp"
#include "kernels/chebyshev_matrices.hpp"

namespace gwrm {
namespace {

using Extended = std::vector<long double>;

void require_degree_and_order(Index degree, int order) {
  if (degree < 0) throw ShapeError("Chebyshev series: the degree is negative (" + std::to_string(degree) + ")");
  if (order < 0)
    throw ShapeError("Chebyshev series: the order of a derivative is negative (" + std::to_string(order) + ")");
}

// T_k(xi). Near the ends the angle comes from 1 - |xi|, in the middle from its distance to pi/2, so that it has all its
// digits everywhere; the signs come from whole numbers.
Extended polynomial_values(Index degree, long double xi) {
  Extended values(static_cast<std::size_t>(degree) + 1);
  const long double size = std::abs(xi);
  const bool negative = std::signbit(xi);
  const long double theta = size > 1.0L   ? std::acosh(size)
                            : size > 0.5L ? 2.0L * std::asin(std::sqrt((1.0L - size) / 2.0L))
                                          : std::asin(size);
  for (Index k = 0; k <= degree; ++k) {
    const long double angle = static_cast<long double>(k) * theta;
    long double value = 0.0L;
    if (size > 1.0L) {
      value = std::cosh(angle);
    } else if (size > 0.5L) {
      value = std::cos(angle);
    } else {  // cos(k (pi/2 - phi)) with phi = asin|xi|: cos, sin, -cos, -sin in turn
      value = k % 2 == 0 ? std::cos(angle) : std::sin(angle);
      if (k % 4 >= 2) value = -value;
    }
    values[static_cast<std::size_t>(k)] = negative && k % 2 == 1 ? -value : value;
  }
  return values;
}

// d^n T_k / d xi^n at the end xi = +-1: (+-1)^{k+n} prod_{i<n} (k^2 - i^2) / (2i + 1).
Extended end_derivatives(Index degree, int order, bool right) {
  Extended values(static_cast<std::size_t>(degree) + 1);
  for (Index k = 0; k <= degree; ++k) {
    long double value = right || (k + order) % 2 == 0 ? 1.0L : -1.0L;
    for (int i = 0; i < order; ++i)
      value *= static_cast<long double>((k - i) * (k + i)) / static_cast<long double>(2 * i + 1);
    values[static_cast<std::size_t>(k)] = value;
  }
  return values;
}

// d^n T_k / d xi^n = 2^{n-1} (n-1)! k C^{(n)}_{k-n}(xi), n >= 1, with the three-term recurrence of the ultraspherical
// polynomials: (m+1) C_{m+1} = 2 (m+n) xi C_m - (m+2n-1) C_{m-1}.
Extended interior_derivatives(Index degree, int order, long double xi) {
  Extended values(static_cast<std::size_t>(degree) + 1, 0.0L);
  const long double lambda = order;
  const long double scale = std::ldexp(std::tgamma(lambda), order - 1);
  long double previous = 0.0L, current = 1.0L;
  for (Index k = order; k <= degree; ++k) {
    values[static_cast<std::size_t>(k)] = scale * static_cast<long double>(k) * current;
    const long double m = static_cast<long double>(k - order);
    const long double next = (2.0L * (m + lambda) * xi * current - (m + 2.0L * lambda - 1.0L) * previous) / (m + 1.0L);
    previous = current;
    current = next;
  }
  return values;
}

Extended reference_derivatives(Index degree, int order, long double xi) {
  if (std::abs(xi) == 1.0L) return end_derivatives(degree, order, xi > 0.0L);
  return order == 0 ? polynomial_values(degree, xi) : interior_derivatives(degree, order, xi);
}

// Coefficients of theta^j in theta (theta - 1) ... (theta - n + 1).
Extended falling_factorial(int n) {
  Extended coefficients{1.0L};
  for (int i = 0; i < n; ++i) {
    coefficients.push_back(0.0L);
    for (std::size_t j = coefficients.size() - 1; j > 0; --j)
      coefficients[j] = coefficients[j - 1] - static_cast<long double>(i) * coefficients[j];
    coefficients[0] *= -static_cast<long double>(i);
  }
  return coefficients;
}

// The row of the order-th physical derivative at the point whose Chebyshev variable is xi.
RowVector physical_row(const AxisMap& map, Index degree, long double xi, long double z, int order) {
  Extended row(static_cast<std::size_t>(degree) + 1, 0.0L);
  const auto add = [&](int n, long double factor) {
    const Extended term = reference_derivatives(degree, n, xi);
    for (std::size_t k = 0; k < row.size(); ++k) row[k] += factor * term[k];
  };
  const long double half = map.half_length();
  if (map.kind() == MapKind::linear || order == 0) {
    add(order, std::pow(half, -static_cast<long double>(order)));
  } else {
    const Extended theta = falling_factorial(order);
    for (int j = 1; j <= order; ++j)
      add(j, theta[static_cast<std::size_t>(j)] * std::pow(half, -static_cast<long double>(j)) *
                 std::pow(z, -static_cast<long double>(order)));
  }
  RowVector result(degree + 1);
  for (Index k = 0; k <= degree; ++k) result(k) = static_cast<double>(row[static_cast<std::size_t>(k)]);
  return result;
}

}  // namespace

Matrix derivative_matrix(Index degree) {
  require_degree_and_order(degree, 1);
  Matrix D = Matrix::Zero(degree + 1, degree + 1);
  for (Index k = 0; k <= degree; ++k)
    for (Index p = k + 1; p <= degree; p += 2) D(k, p) = static_cast<double>(k == 0 ? p : 2 * p);
  return D;
}

Matrix integral_matrix(Index degree) {
  require_degree_and_order(degree, 0);
  Matrix J = Matrix::Zero(degree + 2, degree + 1);
  J(1, 0) = 1.0;
  if (degree >= 1) J(2, 1) = 0.25;
  for (Index k = 2; k <= degree; ++k) {
    J(k + 1, k) = 1.0 / static_cast<double>(2 * (k + 1));
    J(k - 1, k) = -1.0 / static_cast<double>(2 * (k - 1));
  }
  for (Index i = 1; i <= degree + 1; ++i) J.row(0) += (i % 2 == 0 ? -1.0 : 1.0) * J.row(i);
  return J;
}

RowVector basis_row(Index degree, double xi) {
  require_degree_and_order(degree, 0);
  const Extended values = reference_derivatives(degree, 0, xi);
  RowVector row(degree + 1);
  for (Index k = 0; k <= degree; ++k) row(k) = static_cast<double>(values[static_cast<std::size_t>(k)]);
  return row;
}

RowVector point_row(const AxisMap& map, Index degree, double z, int order) {
  require_degree_and_order(degree, order);
  return physical_row(map, degree, map.to_reference_extended(z), z, order);
}

Matrix point_matrix(const AxisMap& map, Index degree, std::span<const double> points, int order) {
  require_degree_and_order(degree, order);
  Matrix rows(static_cast<Index>(points.size()), degree + 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.row(static_cast<Index>(i)) = point_row(map, degree, points[i], order);
  return rows;
}

Matrix gauss_matrix(const AxisMap& map, Index degree, Index n_points, int order) {
  require_degree_and_order(degree, order);
  if (order == 0) return values_from_coefficients(n_points, degree);
  const Vector points = gauss_points(n_points);  // checks n_points
  Matrix rows(n_points, degree + 1);
  for (Index i = 0; i < n_points; ++i) {
    // (n - 1 - 2i) pi / (2n) is the angle from the middle: exact symmetry, and zero in the middle.
    const long double xi = std::sin(static_cast<long double>(n_points - 1 - 2 * i) * std::numbers::pi_v<long double> /
                                    (2.0L * static_cast<long double>(n_points)));
    rows.row(i) = physical_row(map, degree, xi, map.from_reference(points(i)), order);
  }
  return rows;
}

RowVector integral_row(const AxisMap& map, Index degree) {
  require_degree_and_order(degree, 0);
  if (map.kind() == MapKind::linear) {
    RowVector row = RowVector::Zero(degree + 1);
    for (Index k = 0; k <= degree; k += 2)
      row(k) = static_cast<double>(2.0L * map.half_length() / static_cast<long double>(1 - k * k));
    return row;
  }
  // The series of exp(h xi), h = half_length, has coefficients 2 I_m(h) ~ (h/2)^m / m!: below round-off from
  // m = 40 + 4h on for every h, so that these points integrate T_k dz/dxi exactly.
  const Index n_points = degree + 40 + static_cast<Index>(std::ceil(4.0L * map.half_length()));
  return quadrature_weights(map, n_points).transpose() * values_from_coefficients(n_points, degree);
}

Vector quadrature_weights(const AxisMap& map, Index n_points) {
  const Matrix to_coefficients = coefficients_from_values(n_points - 1, n_points);
  Vector weights = Vector::Zero(n_points);
  for (Index k = n_points - 1 - (n_points - 1) % 2; k >= 0; k -= 2)
    weights += to_coefficients.row(k).transpose() * (2.0 / static_cast<double>(1 - k * k));
  weights *= static_cast<double>(map.half_length());
  if (map.kind() == MapKind::log)  // dz/dxi = z h
    weights.array() *= map.from_reference(gauss_points(n_points)).array();
  return weights;
}

double clenshaw(std::span<const double> coefficients, double xi) {
  if (coefficients.empty()) return 0.0;
  long double next = 0.0L, after = 0.0L;
  const long double x = xi;
  for (std::size_t k = coefficients.size() - 1; k > 0; --k) {
    const long double current = coefficients[k] + 2.0L * x * next - after;
    after = next;
    next = current;
  }
  return static_cast<double>(coefficients[0] + x * next - after);
}

}  // namespace gwrm
