// A matrix given by its nonzero blocks: what acts along an axis that is divided into pieces.
//
// Blocks of equal content share one dense matrix and differ by a factor only (a derivative on pieces of different
// length is the same reference matrix times a power of 2/length), so that 256 pieces cost the memory of one.
#pragma once

#include <memory>
#include <vector>

#include "core/matrix.hpp"
#include "kernels/linear_algebra/parity_split.hpp"

namespace gwrm {

class FourierSeries;  // kernels/transform/fourier_series.hpp

struct MatrixBlock {
  Index row = 0, column = 0;  // of its first entry
  std::shared_ptr<const Matrix> matrix;
  double factor = 1.0;
  std::shared_ptr<const ParitySplit> split{};  // of `matrix`, if split_parity() found one
  std::shared_ptr<const FourierSeries> series{};  // what `matrix` does, where a fast transform takes less time
};

// Entries of overlapping blocks add up; what no block covers is zero.
struct BlockMatrix {
  Index rows = 0, cols = 0;
  std::vector<MatrixBlock> blocks;
  bool identity = false;  // the unit matrix; `blocks` is then empty

  BlockMatrix() = default;
  BlockMatrix(Index n_rows, Index n_columns) : rows(n_rows), cols(n_columns) {}
  BlockMatrix(Matrix matrix) : rows(matrix.rows()), cols(matrix.cols()) {  // one block: every Matrix is one
    blocks.push_back({0, 0, std::make_shared<const Matrix>(std::move(matrix)), 1.0});
  }
  static BlockMatrix unit(Index n) {
    BlockMatrix result(n, n);
    result.identity = true;
    return result;
  }

  // Looks for the symmetries of parity_split.hpp, for a matrix that is applied often.
  void split_parity();

  Matrix dense() const;
  // Row sums, as a column: the action on a constant.
  Matrix row_sums() const;
};

}  // namespace gwrm
