#include <cblas.h>

#include "kernels/tensor_transform.hpp"

namespace gwrm::cpu {
namespace {

// y[o,j,i] = sum_k A[j,k] x[o,k,i] with o over the dimensions before `dimension` and i over those behind it.
Array apply_along(const Matrix& matrix, const Array& x, std::size_t dimension) {
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= x.shape[d];
  for (std::size_t d = dimension + 1; d < x.shape.size(); ++d) inner *= x.shape[d];
  const int m = static_cast<int>(matrix.rows()), n = static_cast<int>(matrix.cols());

  Array y;
  y.shape = x.shape;
  y.shape[dimension] = matrix.rows();
  y.data.resize(static_cast<std::size_t>(element_count(y.shape)));

  if (inner == 1) {  // y = x A^T in one product
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(outer), m, n, 1.0, x.data.data(), n,
                matrix.data(), n, 0.0, y.data.data(), m);
    return y;
  }
  const int width = static_cast<int>(inner);
  for (Index o = 0; o < outer; ++o)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, width, n, 1.0, matrix.data(), n,
                x.data.data() + o * n * inner, width, 0.0, y.data.data() + o * m * inner, width);
  return y;
}

}  // namespace

Array tensor_transform(const Array& x, std::span<const Matrix* const> matrices) {
  Array y = x;
  for (std::size_t dimension : tensor_transform_order(x.shape, matrices))
    y = apply_along(*matrices[dimension], y, dimension);
  return y;
}

}  // namespace gwrm::cpu
