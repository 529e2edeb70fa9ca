#include "kernels/linear_algebra/block_matrix.hpp"

#include <map>

namespace gwrm {

void BlockMatrix::split_parity() {
  std::map<const Matrix*, std::shared_ptr<const ParitySplit>> known;  // blocks share their matrices
  for (MatrixBlock& block : blocks) {
    const auto [found, is_new] = known.try_emplace(block.matrix.get());
    if (is_new) found->second = split_by_parity(*block.matrix);
    block.split = found->second;
  }
}

Matrix BlockMatrix::dense() const {
  if (identity) return Matrix::Identity(rows, cols);
  Matrix result = Matrix::Zero(rows, cols);
  for (const MatrixBlock& block : blocks)
    result.block(block.row, block.column, block.matrix->rows(), block.matrix->cols()) += block.factor * *block.matrix;
  return result;
}

Matrix BlockMatrix::row_sums() const {
  if (identity) return Matrix::Ones(rows, 1);
  Matrix result = Matrix::Zero(rows, 1);
  for (const MatrixBlock& block : blocks)
    result.middleRows(block.row, block.matrix->rows()) += block.factor * block.matrix->rowwise().sum();
  return result;
}

}  // namespace gwrm
