// Changes of sign and kinks along an axis: all of them, to the last digit, and none that are not there.
#include "expression/kinks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "expression/lowering.hpp"
#include "expression/samples.hpp"

namespace gwrm::expression::kinks_test {
namespace {

Expr lower_text(Pool& pool, const std::string& text) {
  return lower(pool, samples::parsed(pool, text));
}

std::vector<double> changes(const std::string& text, double lower, double upper, std::size_t most = 5000) {
  Pool pool(samples::symbols());
  return sign_changes(pool, lower_text(pool, text), lower, upper, most);
}

void expect_points(const std::vector<double>& found, const std::vector<double>& expected, double tolerance = 1e-15) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(SignChanges, RootsOfOneCoordinate) {
  expect_points(changes("x - 0.4", 0, 1.5), {0.4});
  expect_points(changes("x^2 - 2", 0, 1.5), {std::sqrt(2.0)});
  expect_points(changes("exp(x) - 3", 0, 1.5), {std::log(3.0)});
  expect_points(changes("(x - 0.4)*(x - 0.40000001)", 0, 1.5), {0.4, 0.40000001});
  expect_points(changes("cos(40*x)", 0, 0.2),
                {std::numbers::pi / 80, 3 * std::numbers::pi / 80, 5 * std::numbers::pi / 80});
  expect_points(changes("0.001 - abs(x - 1)", 0, 1.5), {0.999, 1.001});
  expect_points(changes("exp(-3e8*(x - 0.7)^2) - 0.5", 0, 1.5),  // a pulse that no 20000 samples would see
                {0.7 - std::sqrt(std::log(2.0) / 3e8), 0.7 + std::sqrt(std::log(2.0) / 3e8)}, 1e-12);
  expect_points(changes("max(x - 1, 0)", 0, 1.5), {1.0});  // zero on a stretch, then positive
  expect_points(changes("1/(x - 0.3)", 0, 1.5), {0.3});    // through a pole
  expect_points(changes("x - 0.5", 0, 1), {0.5});          // on the first point of the bisection
  expect_points(changes("x^3 - 0.125", 0, 1), {0.5});
  expect_points(changes("log(x)", 0, 1.5), {1.0});
}

TEST(SignChanges, NoneWithoutAChangeOfSign) {
  for (const char* text : {"x + 1", "(x - 0.4)^2", "sin(x)^2 - sin(x)^2*cos(x) + 1", "x^2 - x + 0.2500001", "exp(-x)",
                           "abs(x - 0.7)", "1/(x - 0.3)^2"})
    EXPECT_TRUE(changes(text, 0, 1.5).empty()) << text;
}

TEST(SignChanges, NoMoreThanAskedFor) {
  EXPECT_EQ(changes("sin(1000*x)", 0, 1.5).size(), 477u);
  EXPECT_EQ(changes("sin(1000*x)", 0, 1.5, 10).size(), 10u);
  EXPECT_LE(changes("sin(1/x)", 0, 1.5, 100).size(), 100u);
}

TEST(Kinks, OfEveryFunctionThatHasThemAlongOneAxis) {
  Pool pool(samples::symbols());
  const auto kinks = [&pool](const std::string& text, int axis) {
    const Expr e = lower_text(pool, text);
    return kinks_along(pool, std::span(&e, 1), axis);
  };
  const int x = 3, y = 2, t = 0;
  expect_points(kinks("step(x - 0.7) - step(1.3 - x)*u", x), {0.7, 1.3});
  expect_points(kinks("abs(y) + sign(x - 1)", y), {0.0});
  expect_points(kinks("abs(y) + sign(x - 1)", x), {1.0});
  expect_points(kinks("max(x, 1 - x) + min(t, x*0.1 + 0.1)", x), {0.5});
  expect_points(kinks("step(x - 0.7)*abs(0.7 - x)", x), {0.7});
  expect_points(kinks("integral(step(x - 0.3)*u, x)", x), {0.3});
  expect_points(kinks("step(x - t) + abs(u) + step(x) + step(x - 1.5) + sqrt(x)", x), {});
  expect_points(kinks("step(x - t) + abs(u)", t), {});
}

}  // namespace
}  // namespace gwrm::expression::kinks_test
