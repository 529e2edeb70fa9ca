#include "kernels/linear_algebra/parity_split.hpp"

#include <gtest/gtest.h>

#include "kernels/transform/chebyshev_matrices.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "random_array.hpp"

namespace gwrm::parity_split_test {
namespace {

using test::Random;

// A[m-1-j, k] = s (-1)^k A[j, k], random otherwise.
Matrix alternating_columns(Random& random, Index m, Index n, double s) {
  Matrix a = random.matrix(m, n);
  for (Index k = 0; k < n; ++k) {
    const double sign = k % 2 == 0 ? s : -s;
    for (Index j = 0; j < m / 2; ++j) a(m - 1 - j, k) = sign * a(j, k);
    if (m % 2 == 1 && sign < 0.0) a(m / 2, k) = 0.0;
  }
  return a;
}

void expect_same_product(const Matrix& a, Random& random) {
  const Context context = Context::create(BackendChoice::cpu, 2);
  BlockMatrix split(a), plain(a);
  split.split_parity();
  ASSERT_NE(split.blocks[0].split, nullptr);
  for (const Shape& around : {Shape{3, 1}, Shape{1, 5}, Shape{2, 7}, Shape{600, 1}, Shape{2, 2100}}) {
    const Array x = random.array({around[0], a.cols(), around[1]});
    const Array y = block_transform(context, x, 1, split), expected = block_transform(context, x, 1, plain);
    ASSERT_EQ(y.shape, expected.shape);
    for (std::size_t i = 0; i < y.data.size(); ++i) ASSERT_NEAR(y.data[i], expected.data[i], 1e-12);
  }
}

TEST(ParitySplit, HalvesTheProductWithAlternatingColumns) {
  Random random(3);
  for (const auto& [m, n] : {std::pair<Index, Index>{32, 32}, {33, 40}, {51, 32}, {64, 33}})
    for (double s : {1.0, -1.0}) {
      const Matrix a = alternating_columns(random, m, n, s);
      const auto split = split_by_parity(a);
      ASSERT_NE(split, nullptr);
      EXPECT_EQ(split->kind, ParitySplit::Kind::synthesis);
      EXPECT_EQ(split->sign, s);
      expect_same_product(a, random);
    }
}

TEST(ParitySplit, HalvesTheProductWithAlternatingRows) {
  Random random(4);
  for (const auto& [m, n] : {std::pair<Index, Index>{32, 48}, {40, 33}, {32, 51}, {33, 65}})
    for (double s : {1.0, -1.0}) {
      const Matrix a = alternating_columns(random, n, m, s).transpose();
      const auto split = split_by_parity(a);
      ASSERT_NE(split, nullptr);
      EXPECT_EQ(split->kind, ParitySplit::Kind::analysis);
      expect_same_product(a, random);
    }
}

TEST(ParitySplit, LeavesOtherAndSmallMatricesAlone) {
  Random random(5);
  EXPECT_EQ(split_by_parity(random.matrix(40, 40)), nullptr);
  EXPECT_EQ(split_by_parity(alternating_columns(random, 16, 40, 1.0)), nullptr);
  Matrix nearly = alternating_columns(random, 40, 40, 1.0);
  nearly(7, 3) += 1e-9;
  EXPECT_EQ(split_by_parity(nearly), nullptr);
}

// Blocks that share a matrix, with factors, and one of their own.
TEST(ParitySplit, ServesBlocks) {
  Random random(6);
  const auto shared = std::make_shared<const Matrix>(alternating_columns(random, 48, 33, 1.0));
  BlockMatrix a(96, 66);
  a.blocks = {{0, 0, shared, 0.5}, {48, 33, shared, -2.0}};
  BlockMatrix split = a;
  split.split_parity();
  EXPECT_EQ(split.blocks[0].split, split.blocks[1].split);
  const Context context = Context::create(BackendChoice::cpu, 1);
  const Array x = random.array({5, 66, 3});
  const Array y = block_transform(context, x, 1, split), expected = block_transform(context, x, 1, a);
  for (std::size_t i = 0; i < y.data.size(); ++i) EXPECT_NEAR(y.data[i], expected.data[i], 1e-12);
}

}  // namespace
}  // namespace gwrm::parity_split_test
