#include "kernels/transform/chebyshev_matrices.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/remembered.hpp"

namespace gwrm {
namespace {

// cos(pi m / (2M)) for whole m, from a table of one period that is made from the first quadrant: every entry is the
// correctly rounded cosine of an exact angle, and the symmetries of the cosine hold to the last bit.
class CosineTable {
 public:
  explicit CosineTable(Index n_points) : period_(4 * n_points), values_(static_cast<std::size_t>(period_)) {
    const long double step = std::numbers::pi_v<long double> / (2.0L * static_cast<long double>(n_points));
    const auto at = [&](Index m) -> double& { return values_[static_cast<std::size_t>(m)]; };
    for (Index m = 0; m < n_points; ++m) at(m) = static_cast<double>(std::cos(step * static_cast<long double>(m)));
    at(n_points) = 0.0;
    for (Index m = 0; m < n_points; ++m) at(2 * n_points - m) = -at(m);
    for (Index m = 1; m < 2 * n_points; ++m) at(period_ - m) = at(m);
  }

  // 0 <= m < 4M.
  double operator()(Index m) const { return values_[static_cast<std::size_t>(m)]; }

  // values[j] = cos(pi (m + j step) / (2M)); 0 <= m, step < 4M.
  void fill(std::span<double> values, Index m, Index step) const {
    for (double& value : values) {
      value = (*this)(m);
      m += step;
      m -= m >= period_ ? period_ : 0;
    }
  }

 private:
  Index period_;
  std::vector<double> values_;
};

std::span<double> row_of(Matrix& matrix, Index i) {
  return {matrix.data() + i * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

void require_points(Index n_points) {
  if (n_points < 1) throw ShapeError("Chebyshev points: at least one point is needed, got " + std::to_string(n_points));
}

void require_degree(Index degree) {
  if (degree < 0) throw ShapeError("Chebyshev series: the degree is negative (" + std::to_string(degree) + ")");
}

}  // namespace

Vector gauss_points(Index n_points) {
  require_points(n_points);
  static Remembered<Vector, Index> known;  // every window asks for them
  return *known.get({n_points}, [&] {
    const CosineTable cosine(n_points);
    Vector points(n_points);
    for (Index i = 0; i < n_points; ++i) points(i) = cosine(2 * i + 1);
    return points;
  });
}

Matrix values_from_coefficients(Index n_points, Index degree) {
  require_points(n_points);
  require_degree(degree);
  const CosineTable cosine(n_points);
  Matrix values(n_points, degree + 1);
  for (Index i = 0; i < n_points; ++i) cosine.fill(row_of(values, i), 0, 2 * i + 1);  // m = k (2i + 1)
  return values;
}

Matrix coefficients_from_values(Index degree, Index n_points) {
  if (degree >= n_points)
    throw ShapeError("Chebyshev transform: degree " + std::to_string(degree) + " needs more than " +
                     std::to_string(n_points) + " points");
  require_degree(degree);
  const CosineTable cosine(n_points);
  Matrix coefficients(degree + 1, n_points);
  for (Index k = 0; k <= degree; ++k) cosine.fill(row_of(coefficients, k), k, 2 * k);  // m = k + 2k i
  coefficients *= 2.0 / static_cast<double>(n_points);
  coefficients.row(0) *= 0.5;
  return coefficients;
}

Vector fejer_weights(Index n_points) {
  require_points(n_points);
  const CosineTable cosine(n_points);
  // w_i = sum over even k of c_ki int T_k, c the matrix above, int T_k = 2/(1 - k^2); equal at i and M - 1 - i.
  const Index n_half = (n_points + 1) / 2;
  Vector half = Vector::Zero(n_half), row(n_half);
  for (Index k = n_points - 1 - (n_points - 1) % 2; k >= 0; k -= 2) {
    cosine.fill({row.data(), static_cast<std::size_t>(n_half)}, k, 2 * k);
    row *= 2.0 / static_cast<double>(n_points);
    if (k == 0) row *= 0.5;
    half += row * (2.0 / static_cast<double>(1 - k * k));
  }
  Vector weights(n_points);
  weights.head(n_half) = half;
  weights.tail(n_half) = half.reverse();
  return weights;
}

}  // namespace gwrm
