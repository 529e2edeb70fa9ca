// Chebyshev polynomials and their derivatives at many points of one subdomain (fast_rows.hpp).
//
// With s = 1 - |xi| and the differences d_k = T_{k+1} - T_k (Reinsch's form of the recurrence, which keeps the digits
// near the ends), for all derivatives with respect to x = |xi| at once:
//   d_k^(m) = d_{k-1}^(m) - 2 s T_k^(m) + 2 m T_k^(m-1),   T_{k+1}^(m) = T_k^(m) + d_k^(m),
// d_{-1}^(0) = s (so that d_0 = -s), d_0^(1) = 1, and T_k^(m)(-x) = (-1)^(k+m) T_k^(m)(x). The distance s comes from
// the nearer end and has no cancellation.
#include <array>
#include <cmath>

#include "basis/chebyshev_basis.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr int kMaxOrder = 4;
constexpr std::size_t kPoints = 16;  // at once

using Numbers = std::array<double, kPoints>;

// Where the points are: distance to the nearer end in units of the reference interval, and on which side of the middle.
struct Positions {
  Numbers distance, side;
};

Positions positions(const AxisMap& map, std::span<const double> points) {
  Positions at;
  at.distance.fill(0.5);  // of the places behind the last point: anything
  at.side.fill(1.0);
  const double scale = static_cast<double>(1.0L / map.half_length());
  for (std::size_t i = 0; i < points.size(); ++i) {
    double left = points[i] - map.lower(), right = map.upper() - points[i];
    if (map.kind() == MapKind::log) {
      left = std::log1p(left / map.lower());
      right = std::log1p(right / points[i]);
    }
    at.distance[i] = std::min(1.0, std::min(left, right) * scale);
    at.side[i] = left < right ? -1.0 : 1.0;
  }
  return at;
}

// rows[k * stride + i] = sum_m weights[m][i] T_k^(m)(xi_i), k = 0 .. degree, for the first `count` points.
template <int Order>
GWRM_INLINE void sum_derivatives(Index degree, const Positions& at, const std::array<Numbers, kMaxOrder + 1>& weights,
                                 std::size_t count, Index stride, double* rows) {
  Numbers value[Order + 1], difference[Order + 1];
  for (int m = 0; m <= Order; ++m)
    for (std::size_t i = 0; i < kPoints; ++i) {
      value[m][i] = m == 0 ? 1.0 : 0.0;
      difference[m][i] = m == 0 ? at.distance[i] : m == 1 ? -1.0 : 0.0;  // d_{-1}: that from which d_0 follows
    }
  Numbers sign;  // of T_k at the side of each point
  sign.fill(1.0);
  for (Index k = 0; k <= degree; ++k, rows += stride) {
    Numbers sum{};
    for (int m = 0; m <= Order; ++m)
      for (std::size_t i = 0; i < kPoints; ++i) sum[i] += weights[static_cast<std::size_t>(m)][i] * value[m][i];
    for (std::size_t i = 0; i < kPoints; ++i) sum[i] *= sign[i];
    for (std::size_t i = 0; i < count; ++i) rows[i] = sum[i];
    for (int m = Order; m >= 0; --m)
      for (std::size_t i = 0; i < kPoints; ++i) {
        double step = difference[m][i] - 2.0 * at.distance[i] * value[m][i];
        if (m > 0) step += 2.0 * m * value[m > 0 ? m - 1 : 0][i];
        difference[m][i] = step;
      }
    for (int m = 0; m <= Order; ++m)
      for (std::size_t i = 0; i < kPoints; ++i) value[m][i] += difference[m][i];
    for (std::size_t i = 0; i < kPoints; ++i) sign[i] *= at.side[i];
  }
}

GWRM_VECTOR_CLONES void sum_derivatives(int order, Index degree, const Positions& at,
                                        const std::array<Numbers, kMaxOrder + 1>& weights, std::size_t count,
                                        Index stride, double* rows) {
  if (order == 0) return sum_derivatives<0>(degree, at, weights, count, stride, rows);
  if (order == 1) return sum_derivatives<1>(degree, at, weights, count, stride, rows);
  if (order == 2) return sum_derivatives<2>(degree, at, weights, count, stride, rows);
  return sum_derivatives<kMaxOrder>(degree, at, weights, count, stride, rows);
}

// Coefficients f_j of theta (theta - 1) .. (theta - n + 1) = sum_j f_j theta^j: on a log map d^n/dz^n = z^-n times it
// with theta = z d/dz, which is d/dxi over half the length.
std::array<double, kMaxOrder + 1> falling_factorial(int n) {
  std::array<double, kMaxOrder + 1> f{1.0};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j >= 0; --j)
      f[static_cast<std::size_t>(j)] =
          (j > 0 ? f[static_cast<std::size_t>(j) - 1] : 0.0) - i * f[static_cast<std::size_t>(j)];
  return f;
}

}  // namespace

bool ChebyshevBasis::fast_rows(Index subdomain, std::span<const double> points, int order, Index stride,
                               double* rows) const {
  if (order > kMaxOrder) return false;
  const AxisMap own = map(subdomain);
  const double scale = static_cast<double>(1.0L / own.half_length());
  const auto factors = falling_factorial(order);
  for (std::size_t first = 0; first < points.size(); first += kPoints) {
    const auto part = points.subspan(first, std::min(kPoints, points.size() - first));
    const Positions at = positions(own, part);
    // The m-th derivative with respect to xi, and what the sides do to it.
    std::array<Numbers, kMaxOrder + 1> weights{};
    for (int m = is_linear() ? order : 0; m <= order; ++m)
      for (std::size_t i = 0; i < part.size(); ++i) {
        const double factor =
            is_linear() ? 1.0 : factors[static_cast<std::size_t>(m)] * std::pow(part[i], -static_cast<double>(order));
        weights[static_cast<std::size_t>(m)][i] = factor * std::pow(scale, m) * (m % 2 == 0 ? 1.0 : at.side[i]);
      }
    sum_derivatives(order, degree(), at, weights, part.size(), stride, rows + first);
  }
  return true;
}

}  // namespace gwrm
