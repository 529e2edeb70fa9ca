// The residual from differences against b - A u, and where rounding must not act.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/sbp_sat/separable_operator.hpp"
#include "sample_lines.hpp"

namespace gwrm::separable_residual_test {
namespace {

using test::Random;
using test::sbp_line;

std::vector<test::Line> lines(int order) {
  const Index fewest = order == 2 ? 4 : order == 4 ? 8 : 12;  // the smallest are all closure
  std::vector<test::Line> all;
  for (int conditions : {0, 1, 2})
    for (Index n : {fewest + 1, Index{30}}) all.push_back(sbp_line(order, n, conditions));
  all.push_back(sbp_line(order, 301, 1));
  return all;
}

TEST(SeparableResidual, IsRightHandSideLessProduct) {
  Random random(3);
  for (int order : {2, 4, 6})
    for (const test::Line& slow : lines(order))
      for (const test::Line& fast : lines(order)) {
        const SeparableOperator a = separable(slow, fast);
        const Vector b = Vector(random.matrix(a.size(), 1)), u = Vector(random.matrix(a.size(), 1));
        Vector product(a.size()), found(a.size());
        cpu::separable_apply(a, u.data(), product.data());
        cpu::separable_residual(a, b.data(), u.data(), found.data());
        EXPECT_LT((b - product - found).norm(), 1e-14 * product.norm()) << slow.name << " x " << fast.name;
      }
}

TEST(SeparableResidual, TakesMatricesThatAreNoStencil) {
  Random random(5);
  const SeparableOperator a = separable(test::random_line(9, false), test::random_line(12, true));
  const Vector b = Vector(random.matrix(a.size(), 1)), u = Vector(random.matrix(a.size(), 1));
  Vector product(a.size()), found(a.size());
  cpu::separable_apply(a, u.data(), product.data());
  cpu::separable_residual(a, b.data(), u.data(), found.data());
  EXPECT_LT((b - product - found).norm(), 1e-14 * product.norm());
}

// Without conditions the operator is zero for constants, to the last bit and not but for the rounding of its entries.
TEST(SeparableResidual, ConstantsHaveNone) {
  for (int order : {2, 4, 6}) {
    const SeparableOperator a = separable(sbp_line(order, 100, 0), sbp_line(order, 77, 0));
    const std::vector<double> u(static_cast<std::size_t>(a.size()), 1.0 / 3.0);
    const std::vector<double> b = Random(1).array({a.size()}).data;
    std::vector<double> r(b.size());
    cpu::separable_residual(a, b.data(), u.data(), r.data());
    EXPECT_EQ(r, b) << order;
  }
}

TEST(StencilRows, KnowTheSumsOfTheirRows) {
  for (int order : {2, 4, 6})
    for (const test::Line& line : lines(order)) {
      double largest = 0.0;
      for (Index i = 0; i < line.n(); ++i) {
        Index first = 0;
        const auto entries = line.a.row(i, first);
        for (double value : entries) largest = std::max(largest, std::abs(value));
        EXPECT_NEAR(line.a.row_sum(i), std::accumulate(entries.begin(), entries.end(), 0.0), 1e-15 * 8 * largest)
            << line.name << ", row " << i;
      }
    }
  EXPECT_EQ(sbp_derivative(6, 40, 0.1).row_sum(0), 0.0);
  EXPECT_EQ(transposed(sbp_derivative(2, 40, 0.1)).sums, std::nullopt);
  EXPECT_EQ(test::random_line(3, false).a.sums, std::nullopt);
}

}  // namespace
}  // namespace gwrm::separable_residual_test
