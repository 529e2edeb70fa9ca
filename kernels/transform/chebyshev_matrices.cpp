#include "kernels/transform/chebyshev_matrices.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/remembered.hpp"

namespace gwrm {
namespace {

// cos(pi m / (2M)) for whole m, from one table over the first quadrant: every entry is the correctly rounded cosine of
// an exact angle, and the symmetries of the cosine hold to the last bit.
class CosineTable {
 public:
  explicit CosineTable(Index n_points) : n_points_(n_points), quadrant_(static_cast<std::size_t>(n_points) + 1) {
    const long double step = std::numbers::pi_v<long double> / (2.0L * static_cast<long double>(n_points));
    for (Index m = 0; m < n_points; ++m)
      quadrant_[static_cast<std::size_t>(m)] = static_cast<double>(std::cos(step * static_cast<long double>(m)));
    quadrant_.back() = 0.0;
  }

  // 0 <= m < 4M.
  double operator()(Index m) const {
    if (m > 2 * n_points_) m = 4 * n_points_ - m;
    return m > n_points_ ? -at(2 * n_points_ - m) : at(m);
  }

  // row(j) = cos(pi (m + j step) / (2M)); 0 <= m, step < 4M.
  void fill(Matrix::RowXpr row, Index m, Index step) const {
    for (Index j = 0; j < row.size(); ++j) {
      row(j) = (*this)(m);
      m += step;
      if (m >= 4 * n_points_) m -= 4 * n_points_;
    }
  }

 private:
  double at(Index m) const { return quadrant_[static_cast<std::size_t>(m)]; }

  Index n_points_;
  std::vector<double> quadrant_;
};

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
  for (Index i = 0; i < n_points; ++i) cosine.fill(values.row(i), 0, 2 * i + 1);  // m = k (2i + 1)
  return values;
}

Matrix coefficients_from_values(Index degree, Index n_points) {
  if (degree >= n_points)
    throw ShapeError("Chebyshev transform: degree " + std::to_string(degree) + " needs more than " +
                     std::to_string(n_points) + " points");
  require_degree(degree);
  const CosineTable cosine(n_points);
  Matrix coefficients(degree + 1, n_points);
  for (Index k = 0; k <= degree; ++k) cosine.fill(coefficients.row(k), k, 2 * k);  // m = k + 2k i
  coefficients *= 2.0 / static_cast<double>(n_points);
  coefficients.row(0) *= 0.5;
  return coefficients;
}

}  // namespace gwrm
