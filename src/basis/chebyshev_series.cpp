#include "basis/chebyshev_series.hpp"

#include "basis/chebyshev.hpp"
#include "basis/chebyshev_basis.hpp"

namespace gwrm {

const ChebyshevSeries* chebyshev_series(const AxisBasis& basis) {
  return dynamic_cast<const ChebyshevSeries*>(&basis);
}

// z^n d^n/dz^n = theta (theta - 1) .. (theta - n + 1), theta = z d/dz, on a log map a multiple of d/dxi as d/dz is on a
// linear one.
Matrix ChebyshevBasis::derivative_of_series(Index subdomain, int order) const {
  const double scale = static_cast<double>(1.0L / map(subdomain).half_length());
  Matrix result = Matrix::Identity(n_per_subdomain(), n_per_subdomain());
  if (order == 0) return result;
  const Matrix along = scale * derivative_matrix(degree());
  for (int i = 0; i < order; ++i) {
    const Matrix before = result;
    result = along * before;
    if (!is_linear()) result -= i * before;
  }
  return result;
}

}  // namespace gwrm
