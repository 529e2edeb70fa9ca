// Intervals enclose: every operation and function against values of the same operation at random points of its
// operands, in long double; bounds that are known; and the two forms of bounds over a box.
#include "expression/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/errors.hpp"
#include "expression/functions.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"
#include "expression/oracle.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::interval_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class RandomIntervals {
 public:
  double number() {
    const double size = std::pow(10.0, std::uniform_real_distribution<double>(-3.0, 1.5)(random_));
    return std::uniform_int_distribution<int>(0, 9)(random_) == 0 ? 0.0 : size * uniform(-1.0, 1.0);
  }
  Interval next() { return enclose(number(), number()); }
  double in(const Interval& z) { return std::clamp(uniform(z.lower, z.upper), z.lower, z.upper); }
  double uniform(double a, double b) { return a < b ? std::uniform_real_distribution<double>(a, b)(random_) : a; }

 private:
  std::mt19937 random_{7};
};

void expect_encloses(const Interval& range, long double value, const std::string& what) {
  EXPECT_LE(range.lower, range.upper) << what;
  if (!std::isfinite(value)) {
    EXPECT_FALSE(range.defined) << what;
    return;
  }
  EXPECT_LE(range.lower, value) << what;
  EXPECT_GE(range.upper, value) << what;
}

TEST(Interval, FunctionsEncloseTheirValues) {
  RandomIntervals random;
  for (const std::string& name : function_names()) {
    const Function function = *find_function(name);
    for (int trial = 0; trial < 2000; ++trial) {
      const Interval a = random.next(), b = random.next();
      const Interval range = arity(function) == 1          ? apply(function, a)
                             : function == Function::atan2 ? angle(a, b)
                             : function == Function::min   ? minimum(a, b)
                                                           : maximum(a, b);
      for (int sample = 0; sample < 8; ++sample) {
        const double x = sample < 2 ? (sample == 0 ? a.lower : a.upper) : random.in(a), y = random.in(b);
        expect_encloses(range, oracle::function_value(function, x, y), name + " at " + std::to_string(x));
      }
    }
  }
}

TEST(Interval, ArithmeticEnclosesItsValues) {
  RandomIntervals random;
  for (Op op : {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power}) {
    for (int trial = 0; trial < 4000; ++trial) {
      const Interval a = random.next();
      const int form = trial % 3;  // a general exponent, one number, an integer
      const Interval b = form == 0 ? random.next() : point_interval(form == 1 ? random.number() : trial % 13 - 6);
      const Interval range = op == Op::add        ? a + b
                             : op == Op::subtract ? a - b
                             : op == Op::multiply ? a * b
                             : op == Op::divide   ? a / b
                                                  : power(a, b);
      for (int sample = 0; sample < 8; ++sample) {
        const double x = sample == 0 ? a.lower : random.in(a), y = sample == 1 ? b.upper : random.in(b);
        expect_encloses(range, oracle::arithmetic(op, x, y),
                        "operation " + std::to_string(static_cast<int>(op)) + " on " + std::to_string(x) + ", " +
                            std::to_string(y));
      }
    }
  }
}

// The slope's bounds hold the difference quotients of any two points.
TEST(Interval, SlopesEncloseDifferenceQuotients) {
  RandomIntervals random;
  for (const std::string& name : function_names()) {
    const Function function = *find_function(name);
    if (arity(function) > 1) continue;
    for (int trial = 0; trial < 2000; ++trial) {
      const Interval z = random.next();
      if (!apply(function, z).defined) continue;
      const Interval slopes = slope(function, z);
      const long double x = random.in(z), y = random.in(z);
      if (std::abs(static_cast<double>(y - x)) <= 1e-6 * z.magnitude()) continue;
      const long double quotient =
          (oracle::function_value(function, y, 0) - oracle::function_value(function, x, 0)) / (y - x);
      const long double slack = 1e-9L * (1 + std::abs(quotient));
      EXPECT_LE(slopes.lower, quotient + slack) << name;
      EXPECT_GE(slopes.upper, quotient - slack) << name;
    }
  }
}

TEST(Interval, KnownBounds) {
  EXPECT_EQ(point_interval(0.0) * entire(true), point_interval(0.0));
  EXPECT_EQ(point_interval(0.25) + point_interval(0.5), point_interval(0.75));  // exact sums stay points
  EXPECT_LT((point_interval(0.1) + point_interval(0.2)).lower, (point_interval(0.1) + point_interval(0.2)).upper);
  EXPECT_EQ(square(enclose(-1, 2)).lower, 0.0);
  EXPECT_EQ(apply(Function::sin, enclose(0.1, 7.0)), (Interval{-1.0, 1.0, true}));
  EXPECT_NEAR(apply(Function::sin, enclose(0.1, 2.0)).lower, std::sin(0.1), 1e-15);
  EXPECT_EQ(apply(Function::sin, enclose(0.1, 2.0)).upper, 1.0);
  EXPECT_EQ(apply(Function::step, enclose(-1, 1)), enclose(0, 1));
  EXPECT_EQ(apply(Function::abs, enclose(-3, 1)), enclose(0, 3));
  const Interval pole = point_interval(1.0) / enclose(0, 2);
  EXPECT_EQ(pole, (Interval{0.5, kInfinity, false}));
  EXPECT_EQ(point_interval(1.0) / enclose(-1, 1), entire(false));
  EXPECT_EQ(apply(Function::tan, enclose(1, 2)), entire(false));
  EXPECT_EQ(apply(Function::log, enclose(-2, -1)), entire(false));
  EXPECT_FALSE(apply(Function::log, enclose(0, 1)).defined);
  EXPECT_FALSE(apply(Function::sqrt, enclose(-1e-300, 1)).defined);
  EXPECT_FALSE(apply(Function::exp, enclose(0, 1000)).defined);  // overflows
  EXPECT_TRUE(apply(Function::exp, entire(true)).defined);       // of any finite number
  EXPECT_EQ(slope(Function::abs, enclose(-1, 1)), enclose(-1, 1));
  EXPECT_EQ(slope(Function::step, enclose(-1, 1)), entire(true));
  EXPECT_EQ(slope(Function::step, enclose(1, 2)), point_interval(0.0));
}

IntervalEvaluation evaluation(Pool& pool, const std::string& text) {
  return {pool, lower(pool, samples::parsed(pool, text))};
}

TEST(IntervalEvaluation, MeanValueFormIsOfSecondOrder) {
  Pool pool(samples::symbols());
  IntervalEvaluation f = evaluation(pool, "exp(x) - 2*x");  // increases by e^0.8 - 2 per unit at 0.8
  for (double h : {1e-2, 1e-3, 1e-4}) {
    const Interval box = enclose(0.8 - h, 0.8 + h);
    const double range = 2.0 * (std::exp(0.8) * std::sinh(h) - 2.0 * h);
    const double excess = f.enclosure(std::span(&box, 1)).width() - range;
    EXPECT_GE(excess, 0.0);
    EXPECT_LE(excess, 10.0 * h * h);
    EXPECT_GE(f.natural(std::span(&box, 1)).width() - range, h);  // of first order
  }
}

TEST(IntervalEvaluation, OfTwoCoordinatesWithKinksAndJumps) {
  Pool pool(samples::symbols());
  const char* texts[] = {"sin(3*x)*cos(y) + x*y^3",
                         "abs(x - y)*max(x, y^2)",
                         "step(x - 0.4)*step(1 - y)*exp(x)",
                         "1/(1 + 25*y^2) - x",
                         "min(x, 0.3)*sign(y) + x^2.5",
                         "sqrt(x + 2)/(2 + y)*erf(4*y)",
                         "tanh(20*(x - y^2))^3",
                         "(2 + x)^y + atan(x)*log(2 + y)",
                         "exp(-30*((x - 0.4)^2 + y^2))",
                         "sinh(x)*cosh(y)*tan(y/2)",
                         "asin(y)*acos(y/2)",
                         "atan2(y, x - 0.4)",
                         "atan2(y - 2, x - 1)*atan2(y + 1.5, x - 1)"};
  RandomIntervals random;
  for (const char* text : texts) {
    IntervalEvaluation f = evaluation(pool, text);
    ASSERT_FALSE(f.axes().empty());
    for (int trial = 0; trial < 400; ++trial) {
      std::vector<Interval> box;
      for (int axis : f.axes())
        box.push_back(axis == 2 ? enclose(random.uniform(-1, 1), random.uniform(-1, 1))
                                : enclose(random.uniform(0, 1.5), random.uniform(0, 1.5)));
      if (trial % 2 == 0)
        for (Interval& side : box) side.upper = side.lower + 0.01 * side.width();
      const Interval range = f.enclosure(box);
      EXPECT_TRUE(range.defined) << text;
      for (int sample = 0; sample < 10; ++sample) {
        std::vector<double> point;
        for (const Interval& side : box) point.push_back(random.in(side));
        const double value = f.value(point);
        const double slack = 1e-14 * (1.0 + std::abs(value));  // a tape rounds without bounds
        EXPECT_LE(range.lower, value + slack) << text;
        EXPECT_GE(range.upper, value - slack) << text;
        EXPECT_NEAR(f.at(point).lower, value, 10 * slack) << text;
      }
    }
  }
}

TEST(IntervalEvaluation, SaysWhereItMayBeUndefined) {
  Pool pool(samples::symbols());
  const Interval around = enclose(-0.1, 0.1), beside = enclose(0.1, 0.2);
  for (const char* text : {"1/y", "log(y)", "sqrt(y)", "y^-2", "y^0.3", "acos(10*y)/y", "y/y", "1/(y - y)"}) {
    IntervalEvaluation f = evaluation(pool, text);
    EXPECT_FALSE(f.enclosure(std::span(&around, 1)).defined) << text;
  }
  for (const char* text : {"1/y", "log(y)", "sqrt(y)", "y^-2", "y^0.3", "y/y"}) {
    IntervalEvaluation f = evaluation(pool, text);
    EXPECT_TRUE(f.enclosure(std::span(&beside, 1)).defined) << text;
  }
}

TEST(IntervalEvaluation, RefusesUnknowns) {
  Pool pool(samples::symbols());
  EXPECT_THROW(evaluation(pool, "u*x"), Error);
}

}  // namespace
}  // namespace gwrm::expression::interval_test
