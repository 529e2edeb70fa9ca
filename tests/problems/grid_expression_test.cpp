// Values on a grid by addition theorems against calls at every point.
#include "problems/recurrence_bvp/grid_expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::grid_expression_test {
namespace {

TEST(GridExpression, AgreesWithCallsAtEveryPoint) {
  expression::Symbols symbols;
  symbols.axes = {{"x", AxisKind::space, -1.0, 1.0, MapKind::linear}};
  expression::Pool pool(symbols);
  const auto e = expression::lower(
      pool,
      expression::parse(pool, SourceText::from_argument("x*sin(30*x - 1) + cos(x/2 + 4) + exp(-3*x) + exp(x*x)")));
  for (Index n : {8, 63, 64, 65, 1000, 100000}) {
    const EqualGrid grid{-1.0, 1.0, n};
    const GridExpression on_grid(pool, e, grid);
    std::vector<Index> points(static_cast<std::size_t>(n) + 1);
    std::iota(points.begin(), points.end(), 0);
    const std::vector<double> all = on_grid.at(points);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double x = grid.point(static_cast<Index>(i));
      const double expected =
          x * std::sin(30.0 * x - 1.0) + std::cos(x / 2 + 4.0) + std::exp(-3.0 * x) + std::exp(x * x);
      // Arguments up to 31 and values up to 20, each off by some halves of a unit in the last place.
      ASSERT_NEAR(all[i], expected, 2e-14) << n << " " << i;
    }
    // Any part of the grid has the same values.
    std::vector<double> part(static_cast<std::size_t>(n / 2));
    on_grid.evaluate(n / 3, n / 2, part.data());
    for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(part[i], all[static_cast<std::size_t>(n / 3) + i]);
    const std::vector<Index> few = {0, n / 2, n};
    const std::vector<double> at_few = on_grid.at(few);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(at_few[i], all[static_cast<std::size_t>(few[i])], 2e-14);
  }
}

TEST(GridExpression, KeepsSteepExponentialsAndConstants) {
  expression::Symbols symbols;
  symbols.axes = {{"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  expression::Pool pool(symbols);
  const EqualGrid grid{0.0, 1.0, 100};
  const auto values = [&](const std::string& text) {
    std::vector<double> result(101);
    GridExpression(pool, expression::lower(pool, expression::parse(pool, SourceText::from_argument(text))), grid)
        .evaluate(0, 101, result.data());
    return result;
  };
  const std::vector<double> steep = values("exp(2000*(x - 1))"), constant = values("3");
  EXPECT_EQ(steep[100], 1.0);
  EXPECT_NEAR(steep[99], std::exp(-20.0), 1e-20);
  EXPECT_EQ(constant[50], 3.0);
}

}  // namespace
}  // namespace gwrm::grid_expression_test
