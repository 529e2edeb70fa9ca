// Matrix products of different shapes in one list against sums in quadruple precision.
#include "kernels/transform/ragged_products.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "ragged_lists.hpp"

namespace gwrm::test::ragged_products_test {
namespace {

TEST(RaggedProducts, AreTheSumsOfTheirDefinition) {
  for (const bool add : {false, true}) {
    const RaggedSample sample(7);
    std::vector<double> c = sample.c;
    sample.products.apply(sample.a.data(), sample.b.data(), add, c.data());
    sample.expect(c, add);
  }
}

TEST(RaggedProducts, CountTheirOperations) {
  const RaggedProducts one({{3, 5, {}, {}, 5, 0, 0, 2}}, {{0, 0, 4}, {0, 0, 2}});
  EXPECT_EQ(one.operations(), 2.0 * 3 * 5 * 6);
  EXPECT_EQ(RaggedProducts().operations(), 0.0);
}

TEST(RaggedProducts, RefuseTasksOfNoShape) {
  EXPECT_THROW(RaggedProducts({{-1, 1, {}, {}, 1, 0, 0, 0}}, {}), ShapeError);
  EXPECT_THROW(RaggedProducts({{1, 1, {}, {}, 1, 0, 0, 1}}, {}), ShapeError);
  EXPECT_THROW(RaggedProducts({{1, 1, {0, 1, 1}, {}, 1, 0, 0, 0}}, {}), ShapeError);
  EXPECT_THROW(RaggedProducts({{1, 1, {}, {}, 1, 0, 0, 1}}, {{0, 0, -1}}), ShapeError);
}

}  // namespace
}  // namespace gwrm::test::ragged_products_test
