#include <cblas.h>

#include "kernels/tensor_transform.hpp"

namespace gwrm::cpu {
namespace {

// y[o, row + j, i] += factor sum_k A[j,k] x[o, column + k, i] with o over the dimensions before the one treated and i
// over those behind it; n and m are the extents of x and y along it.
void add_block(const Matrix& a, double factor, Index row, Index column, const double* x, double* y, Index outer,
               Index n, Index m, Index inner) {
  const int a_rows = static_cast<int>(a.rows()), a_cols = static_cast<int>(a.cols());
  if (inner == 1) {  // y = x A^T in one product
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(outer), a_rows, a_cols, factor, x + column,
                static_cast<int>(n), a.data(), a_cols, 1.0, y + row, static_cast<int>(m));
    return;
  }
  const int width = static_cast<int>(inner);
  for (Index o = 0; o < outer; ++o)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, a_rows, width, a_cols, factor, a.data(), a_cols,
                x + (o * n + column) * inner, width, 1.0, y + (o * m + row) * inner, width);
}

struct Extents {
  Index outer = 1, inner = 1;
  Extents(const Shape& shape, std::size_t dimension) {
    for (std::size_t d = 0; d < dimension; ++d) outer *= shape[d];
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  }
};

Array with_extent(const Array& x, std::size_t dimension, Index extent) {
  Shape shape = x.shape;
  shape[dimension] = extent;
  return Array(std::move(shape));
}

}  // namespace

Array tensor_transform(const Array& x, std::span<const Matrix* const> matrices) {
  Array y = x;
  for (std::size_t dimension : tensor_transform_order(x.shape, matrices)) {
    const Matrix& a = *matrices[dimension];
    Array next = with_extent(y, dimension, a.rows());
    const Extents extents(y.shape, dimension);
    add_block(a, 1.0, 0, 0, y.data.data(), next.data.data(), extents.outer, a.cols(), a.rows(), extents.inner);
    y = std::move(next);
  }
  return y;
}

Array block_transform(const Array& x, std::size_t dimension, const BlockMatrix& matrix) {
  Array y = with_extent(x, dimension, matrix.rows);
  const Extents extents(x.shape, dimension);
  for (const MatrixBlock& block : matrix.blocks)
    add_block(*block.matrix, block.factor, block.row, block.column, x.data.data(), y.data.data(), extents.outer,
              matrix.cols, matrix.rows, extents.inner);
  return y;
}

}  // namespace gwrm::cpu
