#include "kernels/linear_algebra/block_matrix.hpp"

#include <gtest/gtest.h>

#include "kernels/transform/tensor_transform.hpp"
#include "random_array.hpp"

namespace gwrm::block_matrix_test {
namespace {

using test::Random;

class Blocks : public ::testing::Test {
 protected:
  // Blocks anywhere: they overlap, share matrices, leave rows and columns empty.
  BlockMatrix random_blocks(Index rows, Index cols, int n_blocks) {
    BlockMatrix result(rows, cols);
    const auto choose = [this](Index upper) {
      return static_cast<Index>(random_.number(0.0, static_cast<double>(upper) + 0.999));
    };
    for (int b = 0; b < n_blocks; ++b) {
      if (b > 0 && b % 3 == 0) {  // the matrix of the block before at another place, with another factor
        MatrixBlock again = result.blocks.back();
        again.row = choose(rows - again.matrix->rows());
        again.column = choose(cols - again.matrix->cols());
        again.factor = random_.number();
        result.blocks.push_back(again);
        continue;
      }
      const Index height = 1 + choose(rows - 1), width = 1 + choose(cols - 1);
      result.blocks.push_back({choose(rows - height), choose(cols - width),
                               std::make_shared<const Matrix>(random_.matrix(height, width)), random_.number()});
    }
    return result;
  }

  Context context_ = Context::create(BackendChoice::cpu, 1);
  Random random_{23};
};

// Entry by entry, over all blocks.
double entry(const BlockMatrix& matrix, Index i, Index j) {
  if (matrix.identity) return i == j ? 1.0 : 0.0;
  long double sum = 0.0L;
  for (const MatrixBlock& block : matrix.blocks) {
    const Index r = i - block.row, c = j - block.column;
    if (r >= 0 && c >= 0 && r < block.matrix->rows() && c < block.matrix->cols())
      sum += static_cast<long double>(block.factor) * (*block.matrix)(r, c);
  }
  return static_cast<double>(sum);
}

TEST_F(Blocks, DenseAndRowSumsAddUp) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {5, 3}, {4, 9}, {12, 12}}) {
    const BlockMatrix matrix = random_blocks(rows, cols, 7);
    const Matrix dense = matrix.dense(), sums = matrix.row_sums();
    ASSERT_EQ(dense.rows(), rows);
    ASSERT_EQ(dense.cols(), cols);
    ASSERT_EQ(sums.rows(), rows);
    ASSERT_EQ(sums.cols(), 1);
    for (Index i = 0; i < rows; ++i) {
      double sum = 0.0;
      for (Index j = 0; j < cols; ++j) {
        EXPECT_NEAR(dense(i, j), entry(matrix, i, j), 2e-15);
        sum += entry(matrix, i, j);
      }
      EXPECT_NEAR(sums(i, 0), sum, 2e-14);
    }
  }
}

TEST_F(Blocks, EmptyAndUnit) {
  EXPECT_EQ(BlockMatrix(3, 4).dense(), Matrix(Matrix::Zero(3, 4)));
  EXPECT_EQ(BlockMatrix(3, 4).row_sums(), Matrix(Matrix::Zero(3, 1)));
  EXPECT_EQ(BlockMatrix::unit(4).dense(), Matrix(Matrix::Identity(4, 4)));
  EXPECT_EQ(BlockMatrix::unit(4).row_sums(), Matrix(Matrix::Ones(4, 1)));
  const Matrix whole = random_.matrix(3, 2);
  EXPECT_EQ(BlockMatrix(whole).dense(), whole);
}

// y[.., i, ..] = sum_j A_ij x[.., j, ..] along every axis of tensors of one to four dimensions.
TEST_F(Blocks, TransformIsTheSumAlongOneAxis) {
  for (const Shape& shape : {Shape{6}, {5, 4}, {1, 7}, {7, 1}, {3, 4, 5}, {2, 3, 2, 4}}) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      for (Index rows : {Index{1}, shape[axis], shape[axis] + 4}) {
        const BlockMatrix matrix = random_blocks(rows, shape[axis], 5);
        const Array x = random_.array(shape);
        const Array y = block_transform(context_, x, axis, matrix);
        Shape expected_shape = shape;
        expected_shape[axis] = rows;
        ASSERT_EQ(y.shape, expected_shape);
        Index inner = 1, outer = 1;
        for (std::size_t a = axis + 1; a < shape.size(); ++a) inner *= shape[a];
        for (std::size_t a = 0; a < axis; ++a) outer *= shape[a];
        for (Index o = 0; o < outer; ++o)
          for (Index i = 0; i < rows; ++i)
            for (Index k = 0; k < inner; ++k) {
              double sum = 0.0;
              for (Index j = 0; j < shape[axis]; ++j)
                sum += entry(matrix, i, j) * x.data[static_cast<std::size_t>((o * shape[axis] + j) * inner + k)];
              ASSERT_NEAR(y.data[static_cast<std::size_t>((o * rows + i) * inner + k)], sum, 2e-14);
            }
      }
    }
  }
}

TEST_F(Blocks, UnitTransformChangesNothing) {
  const Array x = random_.array({3, 4, 2});
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_EQ(block_transform(context_, x, axis, BlockMatrix::unit(x.shape[axis])).data, x.data);
}

}  // namespace
}  // namespace gwrm::block_matrix_test
