// Matrices of the Chebyshev basis on [-1, 1], computed once and shared: all subdomains and windows of one degree use
// them, scaled by a power of 2/length. Several threads may call these functions.
#pragma once

#include <memory>

#include "core/matrix.hpp"

namespace gwrm {

// d^order/dxi^order on the n Gauss points: n_points x (degree + 1).
std::shared_ptr<const Matrix> reference_trial(int degree, Index n_points, int order);
// Coefficients 0..degree from the values at the Gauss points: (degree + 1) x n_points.
std::shared_ptr<const Matrix> reference_test(int degree, Index n_points);
// Weights on the Gauss points, sum 2.
std::shared_ptr<const Vector> reference_weights(Index n_points);
// d^order/dxi^order at xi = -1 (side 0) or +1 (side 1), a row of degree + 1.
std::shared_ptr<const Matrix> reference_end(int degree, int order, int side);

}  // namespace gwrm
