#include "kernels/linear_algebra/block_matrix.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace gwrm {
namespace {

// What was found of matrices that are still in use: windows and blocks share them. (As long as its weak pointer is
// here, no other matrix has the place of one that is gone.)
class KnownSplits {
 public:
  std::shared_ptr<const ParitySplit> of(const std::shared_ptr<const Matrix>& matrix) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(matrix); found != known_.end()) return found->second;
    }
    std::shared_ptr<const ParitySplit> split = split_by_parity(*matrix);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= limit_) {
      std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
      limit_ = 2 * known_.size() + kFew;
    }
    return known_.try_emplace(matrix, std::move(split)).first->second;
  }

 private:
  static constexpr std::size_t kFew = 64;

  std::mutex mutex_;
  std::map<std::weak_ptr<const Matrix>, std::shared_ptr<const ParitySplit>, std::owner_less<>> known_;
  std::size_t limit_ = kFew;
};

}  // namespace

void BlockMatrix::split_parity() {
  static KnownSplits known;
  const MatrixBlock* before = nullptr;  // neighbours mostly have the same matrix
  for (MatrixBlock& block : blocks) {
    block.split = before != nullptr && before->matrix == block.matrix ? before->split : known.of(block.matrix);
    before = &block;
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
