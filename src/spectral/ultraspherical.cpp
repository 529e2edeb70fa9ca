#include "spectral/ultraspherical.hpp"

namespace gwrm {

Matrix ultraspherical_derivative(Index degree, int order) {
  if (order == 0) return Matrix::Identity(degree + 1, degree + 1);
  double factor = 1.0;  // 2^(m-1) (m-1)!
  for (int i = 1; i < order; ++i) factor *= 2.0 * i;
  Matrix d = Matrix::Zero(degree + 1, degree + 1);
  for (Index k = order; k <= degree; ++k) d(k - order, k) = factor * static_cast<double>(k);
  return d;
}

Matrix ultraspherical_conversion(Index degree, int from, int to) {
  Matrix product = Matrix::Identity(degree + 1, degree + 1);
  for (int l = from; l < to; ++l) {
    Matrix next = Matrix::Zero(degree + 1, degree + 1);  // S_l: two diagonals
    for (Index k = 0; k <= degree; ++k) {
      const double share = l == 0 ? (k == 0 ? 1.0 : 0.5) : l / (l + static_cast<double>(k));
      next.row(k) += share * product.row(k);
      if (k >= 2) next.row(k - 2) -= (l == 0 ? 0.5 : share) * product.row(k);
    }
    product = std::move(next);
  }
  return product;
}

}  // namespace gwrm
