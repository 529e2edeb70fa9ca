#include "basis/chebyshev.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm {
namespace {

using Extended = std::vector<long double>;

void require_degree_and_order(Index degree, int order) {
  if (degree < 0) throw ShapeError("Chebyshev series: the degree is negative (" + std::to_string(degree) + ")");
  if (order < 0)
    throw ShapeError("Chebyshev series: the order of a derivative is negative (" + std::to_string(order) + ")");
}

// T_k(xi) by recurrence on |xi|, T_k(-xi) = (-1)^k T_k(xi). In the middle, T_{k+1} = 2 xi T_k - T_{k-1} loses k eps;
// near the ends it would lose k^2 eps. There the differences d_k = T_{k+1} - T_k, with the exact s = 1 - |xi|, keep it
// at k eps: d_k = d_{k-1} - 2 s T_k (Reinsch's form of Clenshaw's recurrence). Points on the same side of 1/2 go
// together, N at once: each operation waits for the one before, unless there is another point to go on with.
template <std::size_t N, class Value>
void polynomial_values(const std::array<long double, N>& xi, const std::array<Value*, N>& values, std::size_t n) {
  std::array<long double, N> twice, value, other;
  if (std::abs(xi[0]) > 0.5L) {
    for (std::size_t i = 0; i < N; ++i) {
      twice[i] = 2.0L * (1.0L - std::abs(xi[i]));
      value[i] = 1.0L;
      other[i] = -twice[i] / 2.0L;  // the difference
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < N; ++i) {
        values[i][k] = static_cast<Value>(value[i]);
        value[i] += other[i];
        other[i] -= twice[i] * value[i];
      }
  } else {
    for (std::size_t i = 0; i < N; ++i) {
      twice[i] = 2.0L * std::abs(xi[i]);
      value[i] = 1.0L;
      other[i] = std::abs(xi[i]);  // the value before: T_{-1} = T_1
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < N; ++i) {
        values[i][k] = static_cast<Value>(value[i]);
        const long double next = twice[i] * value[i] - other[i];
        other[i] = value[i];
        value[i] = next;
      }
  }
  for (std::size_t i = 0; i < N; ++i)
    if (std::signbit(xi[i]))
      for (std::size_t k = 1; k < n; k += 2) values[i][k] = -values[i][k];
}

// d^n T_k / d xi^n at the end xi = +-1: (+-1)^{k+n} prod_{i<n} (k^2 - i^2) / (2i + 1).
void end_derivatives(int order, bool right, Extended& values) {
  for (Index k = 0; k < static_cast<Index>(values.size()); ++k) {
    long double value = right || (k + order) % 2 == 0 ? 1.0L : -1.0L;
    for (int i = 0; i < order; ++i)
      value *= static_cast<long double>((k - i) * (k + i)) / static_cast<long double>(2 * i + 1);
    values[static_cast<std::size_t>(k)] = value;
  }
}

// d^n T_k / d xi^n = 2^{n-1} (n-1)! k C^{(n)}_{k-n}(xi), n >= 1, with the three-term recurrence of the ultraspherical
// polynomials: (m+1) C_{m+1} = 2 (m+n) xi C_m - (m+2n-1) C_{m-1}.
void interior_derivatives(int order, long double xi, Extended& values) {
  std::fill(values.begin(), values.end(), 0.0L);
  const long double lambda = order;
  long double scale = 1.0L;
  for (int i = 1; i < order; ++i) scale *= static_cast<long double>(2 * i);
  long double previous = 0.0L, current = 1.0L;
  for (std::size_t k = static_cast<std::size_t>(order); k < values.size(); ++k) {
    values[k] = scale * static_cast<long double>(k) * current;
    const long double m = static_cast<long double>(k) - lambda;
    const long double next = (2.0L * (m + lambda) * xi * current - (m + 2.0L * lambda - 1.0L) * previous) / (m + 1.0L);
    previous = current;
    current = next;
  }
}

// d^n T_k / d xi^n for k = 0 ... values.size() - 1.
void reference_derivatives(int order, long double xi, Extended& values) {
  if (std::abs(xi) == 1.0L)
    end_derivatives(order, xi > 0.0L, values);
  else if (order == 0)
    polynomial_values<1, long double>({xi}, {values.data()}, values.size());
  else
    interior_derivatives(order, xi, values);
}

// Coefficients of theta^j in theta (theta - 1) ... (theta - n + 1).
Extended extended_factorial(int n) {
  Extended coefficients{1.0L};
  for (int i = 0; i < n; ++i) {
    coefficients.push_back(0.0L);
    for (std::size_t j = coefficients.size() - 1; j > 0; --j)
      coefficients[j] = coefficients[j - 1] - static_cast<long double>(i) * coefficients[j];
    coefficients[0] *= -static_cast<long double>(i);
  }
  return coefficients;
}

// Rows of the order-th physical derivative, one point after the other: what does not depend on the point is made once.
class PhysicalRows {
 public:
  PhysicalRows(const AxisMap& map, Index degree, int order)
      : map_(map), order_(order), term_(static_cast<std::size_t>(degree) + 1), sum_(term_.size()) {
    const long double half = map.half_length();
    on_log_axis_ = map.kind() == MapKind::log && order > 0;
    factors_ = on_log_axis_ ? extended_factorial(order) : Extended(static_cast<std::size_t>(order) + 1, 1.0L);
    for (std::size_t j = 0; j < factors_.size(); ++j) factors_[j] *= std::pow(half, -static_cast<long double>(j));
  }

  // At the point z, whose Chebyshev variable is xi.
  template <class Row>
  void write(long double xi, double z, Row row) {
    if (on_log_axis_) {
      std::fill(sum_.begin(), sum_.end(), 0.0L);
      const long double scale = std::pow(static_cast<long double>(z), -static_cast<long double>(order_));
      for (int j = 1; j <= order_; ++j) {
        reference_derivatives(j, xi, term_);
        for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += factors_[j] * scale * term_[k];
      }
    } else {
      reference_derivatives(order_, xi, sum_);
      if (order_ > 0)
        for (long double& value : sum_) value *= factors_.back();
    }
    for (std::size_t k = 0; k < sum_.size(); ++k) row(static_cast<Index>(k)) = static_cast<double>(sum_[k]);
  }

  template <class Row>
  void write(double z, Row row) {
    write(map_.to_reference_extended(z), z, row);
  }

 private:
  AxisMap map_;
  int order_;
  bool on_log_axis_ = false;
  Extended factors_;  // of d^j / d xi^j
  Extended term_, sum_;
};

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
  Extended values(static_cast<std::size_t>(degree) + 1);
  reference_derivatives(0, xi, values);
  RowVector row(degree + 1);
  for (Index k = 0; k <= degree; ++k) row(k) = static_cast<double>(values[static_cast<std::size_t>(k)]);
  return row;
}

RowVector point_row(const AxisMap& map, Index degree, double z, int order) {
  require_degree_and_order(degree, order);
  RowVector row(degree + 1);
  PhysicalRows(map, degree, order).write(z, row.head(degree + 1));
  return row;
}

Matrix point_matrix(const AxisMap& map, Index degree, std::span<const double> points, int order) {
  require_degree_and_order(degree, order);
  Matrix rows(static_cast<Index>(points.size()), degree + 1);
  PhysicalRows row_of(map, degree, order);
  std::array<std::size_t, 2> waiting{};  // points without a partner, near the ends and in the middle
  std::array<bool, 2> waits{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double xi = map.to_reference_extended(points[i]);
    if (order > 0 || std::abs(xi) == 1.0L) {
      row_of.write(xi, points[i], rows.row(static_cast<Index>(i)));
      continue;
    }
    const std::size_t group = std::abs(xi) > 0.5L ? 0 : 1;
    const auto row = [&](std::size_t point) { return rows.row(static_cast<Index>(point)).data(); };
    if (std::exchange(waits[group], !waits[group]))
      polynomial_values<2, double>({map.to_reference_extended(points[waiting[group]]), xi},
                                   {row(waiting[group]), row(i)}, static_cast<std::size_t>(degree) + 1);
    waiting[group] = i;
  }
  for (std::size_t group = 0; group < 2; ++group)
    if (waits[group]) row_of.write(points[waiting[group]], rows.row(static_cast<Index>(waiting[group])));
  return rows;
}

Matrix gauss_matrix(const AxisMap& map, Index degree, Index n_points, int order) {
  require_degree_and_order(degree, order);
  if (order == 0) return values_from_coefficients(n_points, degree);
  const Vector points = gauss_points(n_points);  // checks n_points
  Matrix rows(n_points, degree + 1);
  PhysicalRows row_of(map, degree, order);
  for (Index i = 0; i < n_points; ++i) {
    // (n - 1 - 2i) pi / (2n) is the angle from the middle: exact symmetry, and zero in the middle.
    const long double xi = std::sin(static_cast<long double>(n_points - 1 - 2 * i) * std::numbers::pi_v<long double> /
                                    (2.0L * static_cast<long double>(n_points)));
    row_of.write(xi, map.from_reference(points(i)), rows.row(i));
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

QuadratureRule::QuadratureRule(Index n_points) : points_(gauss_points(n_points)), weights_(fejer_weights(n_points)) {}

Vector QuadratureRule::weights(const AxisMap& map) const {
  Vector weights = weights_ * static_cast<double>(map.half_length());
  if (map.kind() == MapKind::log) weights.array() *= points(map).array();  // dz/dxi = z h
  return weights;
}

Vector quadrature_weights(const AxisMap& map, Index n_points) {
  return QuadratureRule(n_points).weights(map);
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
