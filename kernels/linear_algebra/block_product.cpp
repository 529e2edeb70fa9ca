#include "kernels/linear_algebra/block_product.hpp"

#include <cblas.h>

namespace gwrm {

Matrix multiply(const BlockMatrix& a, const Matrix& b) {
  if (a.identity) return b;
  Matrix result = Matrix::Zero(a.rows, b.cols());
  const auto width = static_cast<int>(b.cols());
  if (width == 0) return result;
  for (const MatrixBlock& block : a.blocks) {
    const auto m = static_cast<int>(block.matrix->rows()), n = static_cast<int>(block.matrix->cols());
    if (m == 0 || n == 0) continue;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, width, n, block.factor, block.matrix->data(), n,
                b.row(block.column).data(), width, 1.0, result.row(block.row).data(), width);
  }
  return result;
}

}  // namespace gwrm
