#include "kernels/linear_algebra/block_product.hpp"

#include <gtest/gtest.h>

#include "random_array.hpp"

namespace gwrm::block_product_test {
namespace {

// Blocks of different factors, overlapping, one matrix twice; rows and columns that no block covers.
TEST(BlockProduct, IsThatOfTheDenseMatrix) {
  test::Random random{31};
  for (Index width : {Index{0}, Index{1}, Index{6}, Index{33}}) {
    BlockMatrix a(12, 11);
    const auto shared = std::make_shared<const Matrix>(random.matrix(4, 3));
    a.blocks.push_back({0, 1, shared, 1.0});
    a.blocks.push_back({6, 7, shared, -0.5});
    a.blocks.push_back({2, 0, std::make_shared<const Matrix>(random.matrix(6, 9)), 2.0});
    const Matrix b = random.matrix(11, width), product = multiply(a, b), dense = a.dense();
    ASSERT_EQ(product.rows(), 12);
    ASSERT_EQ(product.cols(), width);
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < width; ++j) {
        double sum = 0.0;
        for (Index k = 0; k < 11; ++k) sum += dense(i, k) * b(k, j);
        EXPECT_NEAR(product(i, j), sum, 2e-14);
      }
  }
  const Matrix b = random.matrix(3, 2);
  EXPECT_EQ(multiply(BlockMatrix::unit(3), b), b);
  EXPECT_EQ(multiply(BlockMatrix(4, 3), b), Matrix(Matrix::Zero(4, 2)));
}

}  // namespace
}  // namespace gwrm::block_product_test
