#include "basis/ultraspherical.hpp"

namespace gwrm {

Matrix ultraspherical_derivative(Index degree, int order) {
  if (order == 0) return Matrix::Identity(degree + 1, degree + 1);
  double factor = 1.0;  // 2^(m-1) (m-1)!
  for (int i = 1; i < order; ++i) factor *= 2.0 * i;
  Matrix d = Matrix::Zero(degree + 1, degree + 1);
  for (Index k = order; k <= degree; ++k) d(k - order, k) = factor * static_cast<double>(k);
  return d;
}

Matrix ultraspherical_conversion(Matrix columns, int from, int to) {
  const Index n = columns.rows();
  for (int l = from; l < to; ++l) {
    const auto diagonal = [&](Index k) { return l == 0 ? (k == 0 ? 1.0 : 0.5) : l / (l + static_cast<double>(k)); };
    for (Index k = 0; k < n; ++k) {  // row k needs row k + 2 as it was
      columns.row(k) *= diagonal(k);
      if (k + 2 < n) columns.row(k) -= diagonal(k + 2) * columns.row(k + 2);
    }
  }
  return columns;
}

}  // namespace gwrm
