#include "basis/low_degree.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm {

Matrix low_degree_series(const Matrix& values, Index max_degree) {
  constexpr double kNegligible = 1e-15;  // coefficients of smooth functions stop there
  constexpr double kMisfit = 1e-13;      // the round-off of 25 terms and of the functions' own evaluation
  const Index n_points = values.cols(), degree = std::min(max_degree, n_points - 1);
  const double largest = values.cwiseAbs().maxCoeff();
  if (!std::isfinite(largest)) return {};
  Matrix series = values * coefficients_from_values(degree, n_points).transpose();
  const double misfit =
      (series * values_from_coefficients(n_points, degree).transpose() - values).cwiseAbs().maxCoeff();
  if (!(misfit <= kMisfit * largest)) return {};
  Index d = degree;
  while (d > 0 && series.col(d).cwiseAbs().maxCoeff() <= kNegligible * largest) --d;
  return series.leftCols(d + 1);
}

}  // namespace gwrm
