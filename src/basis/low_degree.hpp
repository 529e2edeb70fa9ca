// Functions on an interval that are polynomials of low degree, from their values at the Gauss points.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

// values: functions x Gauss points (descending, as gauss_points). Chebyshev series of them, functions x (d + 1), with
// the least d whose omitted coefficients are below 1e-15 of the largest; no columns if the functions are not, to 1e-13
// of their largest value, polynomials of `max_degree` or less, or not finite.
Matrix low_degree_series(const Matrix& values, Index max_degree);

}  // namespace gwrm
