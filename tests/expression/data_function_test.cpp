// Data in expressions, by a function that is known in closed form: parsed, printed, differentiated, evaluated on grids
// and at points, enclosed.
#include "expression/data_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/errors.hpp"
#include "expression/holds_integral.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"
#include "expression/samples.hpp"
#include "expression/tape.hpp"
#include "expression/unseen_extremes.hpp"

namespace gwrm::expression::data_function_test {
namespace {

// k(y, x) = exp(2 y) sin(3 x), with any derivative up to the fourth.
class Known : public DataFunction {
 public:
  const std::vector<std::string>& axes() const override { return axes_; }
  int highest_order(std::size_t) const override { return 4; }
  std::string why_no_higher_order(std::size_t) const override { return "four are enough"; }
  void on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
               std::span<double> values) const override {
    std::size_t i = 0;
    for (double y : points[0])
      for (double x : points[1]) values[i++] = value(y, x, orders);
    ++grids;
  }
  void at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                 std::span<double> values) const override {
    for (std::size_t p = 0; p < values.size(); ++p)
      values[p] = value(points[0][points[0].size() == 1 ? 0 : p], points[1][points[1].size() == 1 ? 0 : p], orders);
  }
  std::vector<double> sampling(std::size_t axis) const override {
    std::vector<double> points;
    for (int i = 0; i <= 200; ++i) points.push_back(axis == 0 ? -1.0 + i / 100.0 : 1.5 * i / 200.0);
    return points;
  }
  static double value(double y, double x, std::span<const int> orders) {
    return std::pow(2.0, orders[0]) * std::exp(2.0 * y) * std::pow(3.0, orders[1]) *
           std::sin(3.0 * x + orders[1] * std::acos(-1.0) / 2.0);
  }
  mutable int grids = 0;

 private:
  std::vector<std::string> axes_{"y", "x"};
};

struct Frame {
  std::shared_ptr<const Known> k = std::make_shared<const Known>();
  Pool pool{[this] {
    Symbols symbols = samples::symbols();
    symbols.data = {{"k", k}};
    return symbols;
  }()};
  Expr lowered(const std::string& text) { return lower(pool, samples::parsed(pool, text)); }
};

constexpr std::size_t kY = 2, kX = 3;

Array along(std::size_t axis, const std::vector<double>& points) {
  Array result(Shape(4, 1));
  result.shape[axis] = static_cast<Index>(points.size());
  result.data = points;
  return result;
}

std::vector<Array> evaluated(Frame& frame, Expr e, const std::vector<double>& y, const std::vector<double>& x) {
  const std::vector<Expr> outputs{e};
  const Tape tape(frame.pool, outputs);
  std::vector<Array> leaves;
  for (Expr leaf : tape.leaves()) leaves.push_back(leaf->name == "y" ? along(kY, y) : along(kX, x));
  return tape.evaluate(leaves, {});
}

TEST(DataInExpressions, AreReadAsNamesWithOrWithoutTheirDimensions) {
  Frame frame;
  const Expr k = samples::parsed(frame.pool, "k");
  EXPECT_EQ(samples::parsed(frame.pool, "k(x, y)"), k);
  EXPECT_EQ(samples::parsed(frame.pool, "k(y, x)"), k);
  EXPECT_EQ(k->facts.degree, 0);
  EXPECT_EQ(k->facts.axes, (1u << kY) | (1u << kX));
  for (const char* bad : {"k(x)", "k(x, x)", "k(t, x)", "k(2)", "k()"})
    EXPECT_THROW(samples::parsed(frame.pool, bad), CaseError) << bad;
}

TEST(DataInExpressions, ArePrintedAsTheyAreRead) {
  Frame frame;
  for (const char* text :
       {"k", "dx(k)", "dx(dy(k), 2)", "k(x=1)", "dx(k, 2)(y=0.5)", "dy(k)(x=1, y=0.25)", "lap(k*u)"}) {
    const Expr e = frame.lowered(text);
    EXPECT_EQ(frame.lowered(print(e)), e) << text << ": " << print(e);
  }
}

TEST(DataInExpressions, AreDifferentiatedAndRestricted) {
  Frame frame;
  const std::vector<double> y{-0.5, 0.25, 0.9}, x{0.1, 1.4};
  const auto expect = [&](const std::string& text, auto value) {
    const std::vector<Array> result = evaluated(frame, frame.lowered(text), y, x);
    const Array& a = result.front();
    for (std::size_t i = 0; i < (a.shape[kY] > 1 ? y.size() : 1); ++i)
      for (std::size_t j = 0; j < (a.shape[kX] > 1 ? x.size() : 1); ++j)
        EXPECT_NEAR(a.data[i * (a.shape[kX] > 1 ? x.size() : 1) + j], value(y[i], x[j]), 1e-12) << text;
  };
  expect("k", [](double a, double b) { return std::exp(2 * a) * std::sin(3 * b); });
  expect("dy(dx(k, 2))", [](double a, double b) { return -18.0 * std::exp(2 * a) * std::sin(3 * b); });
  expect("dx(x*k^2)", [](double a, double b) {
    const double e = std::exp(4 * a), s = std::sin(3 * b);
    return e * s * s + b * 6.0 * e * s * std::cos(3 * b);
  });
  expect("dx(k)(y=0.5)", [](double, double b) { return 3.0 * std::exp(1.0) * std::cos(3 * b); });
  expect("dx(k(y=0.5))", [](double, double b) { return 3.0 * std::exp(1.0) * std::cos(3 * b); });
  expect("dy(k(y=0.5)) + y", [](double a, double) { return a; });
  expect("k(x=1, y=0) + 0*x*y", [](double, double) { return std::sin(3.0); });
  EXPECT_THROW(frame.lowered("dx(k, 5)"), CaseError);
  EXPECT_GT(frame.k->grids, 0);  // not point by point
}

// All arguments along one dimension, as scattered points are evaluated: no grid of them.
TEST(DataInExpressions, AreEvaluatedAtPoints) {
  Frame frame;
  const std::vector<Expr> outputs{frame.lowered("k + x")};
  const Tape tape(frame.pool, outputs);
  const std::vector<double> y{-0.5, 0.25, 0.9}, x{0.1, 1.4, 0.7};
  std::vector<Array> leaves;
  for (Expr leaf : tape.leaves()) leaves.push_back(along(kX, leaf->name == "y" ? y : x));
  const std::vector<Array> result = tape.evaluate(leaves, {});
  ASSERT_EQ(result.front().size(), 3);
  for (std::size_t p = 0; p < 3; ++p)
    EXPECT_NEAR(result.front().data[p], std::exp(2 * y[p]) * std::sin(3 * x[p]) + x[p], 1e-13);
}

TEST(DataInExpressions, GivenOnesAreLeaves) {
  Frame frame;
  const std::vector<Expr> outputs{frame.lowered("k*u + dx(k)")};
  const std::vector<Expr> data = data_in(outputs);
  EXPECT_EQ(data.size(), 2u);
  const Tape tape(frame.pool, outputs, data);
  EXPECT_FALSE(tape.has_data());
  EXPECT_EQ(tape.leaves().size(), 3u);
  EXPECT_TRUE(Tape(frame.pool, outputs).has_data());
}

TEST(DataInExpressions, EnclosuresHoldAllValuesAndShrinkWithTheBox) {
  Frame frame;
  IntervalEvaluation f(frame.pool, frame.lowered("x + k*dx(k)(y=0)"));
  ASSERT_EQ(f.axes(), (std::vector<int>{kY, kX}));
  const auto exact = [](double y, double x) { return x + std::exp(2 * y) * std::sin(3 * x) * 3.0 * std::cos(3 * x); };
  EXPECT_NEAR(f.value(std::vector<double>{0.3, 0.7}), exact(0.3, 0.7), 1e-13);
  for (double width : {0.3, 0.03, 0.0003}) {
    const std::vector<Interval> box{{0.2, 0.2 + width, true}, {0.6, 0.6 + width, true}};
    const Interval range = f.enclosure(box);
    double least = 1e300, largest = -1e300;
    for (int i = 0; i <= 50; ++i)
      for (int j = 0; j <= 50; ++j) {
        const double value = exact(0.2 + width * i / 50, 0.6 + width * j / 50);
        least = std::min(least, value);
        largest = std::max(largest, value);
      }
    EXPECT_LE(range.lower, least) << width;
    EXPECT_GE(range.upper, largest) << width;
    EXPECT_LT(range.width(), 12.0 * (largest - least)) << width;
  }
}

}  // namespace
}  // namespace gwrm::expression::data_function_test
