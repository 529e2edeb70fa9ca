// evaluate_points() against evaluate() of each point by itself, whose oracle is evaluate_test.cpp's: rows in extended
// precision and products with all coefficients there, tables in double and blocks of one cell here.
#include "output/evaluate_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "kernels/device_test.hpp"
#include "output/evaluate.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::evaluate_points_test {
namespace {

using expression::Expr;
using expression::Pool;

// Uniform points in the domain, some of them on edges, and every end.
std::vector<std::vector<double>> random_points(const Solution& s, std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> points;
  for (std::size_t axis = 0; axis < s.axes.size(); ++axis) {
    const bool in_windows = static_cast<int>(axis) == s.windowed_axis();
    const double lower = in_windows ? s.window_edges.front() : s.axes[axis].lower;
    const double upper = in_windows ? s.window_edges.back() : s.axes[axis].upper;
    std::uniform_real_distribution<double> uniform(lower, upper);
    std::vector<double> along;
    for (std::size_t p = 0; p < count; ++p) {
      const auto& edges = s.subdomains[random() % s.subdomains.size()][axis].edges;
      along.push_back(random() % 5 == 0 ? edges[random() % edges.size()] : uniform(random));
    }
    points.push_back(std::move(along));
  }
  return points;
}

ScatteredPoints views(const std::vector<std::vector<double>>& points) {
  ScatteredPoints result;
  for (const auto& along : points) {
    result.count = std::max(result.count, along.size());
    result.axes.emplace_back(along);
  }
  return result;
}

// Relative to the largest value: the coefficients are random numbers, so that nothing cancels systematically. 1e-13 is
// what is promised against `gwrm eval --at`; derivatives of such series are no worse relative to their largest values.
void compare(const Context& context, const Solution& s, const std::vector<std::string>& texts, std::size_t count) {
  Pool pool(test::symbols_of(s));
  std::vector<Expr> es;
  for (const std::string& text : texts)
    es.push_back(expression::lower(pool, expression::parse(pool, SourceText::from_argument(text))));
  const auto points = random_points(s, count, 5);
  const auto values = evaluate_points(context, pool, s, es, views(points));
  EXPECT_EQ(values, evaluate_points(context, pool, s, es, views(points)));  // the same bits
  ASSERT_EQ(values.size(), es.size());
  for (std::size_t e = 0; e < es.size(); ++e) {
    double largest = 0.0, error = 0.0;
    for (std::size_t p = 0; p < count; ++p) {
      GridPoints one;
      for (const auto& along : points) one.push_back({along[p]});
      const double expected = evaluate(pool, s, es[e], one).data[0];
      largest = std::max(largest, std::abs(expected));
      error = std::max(error, std::abs(values[e][p] - expected));
    }
    EXPECT_LE(error, 1e-13 * largest) << texts[e];
  }
}

void compare_all(const Context& context) {
  for (const Solution& s : {test::windowed_solution(), test::divided_solution()}) {
    compare(context, s, {"u", "v", "s", "c", "u*v + sin(s) - c", "t + x*nu", "3", "c"}, 300);
    compare(context, s,
            {"dx(u)", "dx(u, 2)", "dt(u)", "dnu(u)", "dnu(u, 2)", "dx(u, 3)", "dx(u, 5)", "dt(dx(v))", "dx(c)",
             "u*dx(u) - dx(v, 2)"},
            200);
    compare(context, s, {"u(t=0)", "u(x=0.25)", "u(t=1.3) - u", "v(t=0.2, x=1)", "u(nu=0.05)", "dx(u)(x=3)"}, 200);
    compare(context, s,
            {"integral(u, x)", "integral(u*v, x) + u", "integral(v, t)", "integral(integral(v, x), t)*u",
             "integral(u*integral(u, t), x)", "integral(v(t=1), x)"},
            20);
  }
  compare(context, test::plane_solution(), {"psi", "omega", "lap(psi)", "dx(psi)*dy(omega) - dy(psi)*dx(omega)"}, 300);
  compare(context, test::tensor_solution(), {"psi", "lap(psi)", "psi(t=0.5)", "integral(omega, y)"}, 200);
  compare(context, test::steady_solution(), {"u", "c*u", "dx(u)"}, 130);
  compare(context, test::steady_divided_solution(), {"u", "dx(u)", "dx(u, 2)", "dx(u, 4)", "dk(u)", "integral(u, x)"},
          130);
  compare(context, test::ode_solution(), {"a", "dt(b)", "a*b"}, 130);
  compare(context, test::two_parameters_solution(), {"u", "v", "dp(dnu(u))"}, 130);
  compare(context, test::changing_degrees_solution(), {"psi", "psi(t=-0.5)"}, 130);
}

TEST(EvaluatePoints, AgreesWithEveryPointByItself) {
  compare_all(Context::create(BackendChoice::cpu, 2));
}

TEST(EvaluatePoints, SizesAroundABlock) {
  const Context context = Context::create(BackendChoice::cpu, 2);
  for (const std::size_t count : {1, 2, 63, 64, 65, 127, 129}) compare(context, test::ode_solution(), {"a"}, count);
}

class DeviceEvaluatePoints : public test::DeviceTest {};

TEST_F(DeviceEvaluatePoints, AgreesWithEveryPointByItself) {
  compare_all(context_);
}

TEST_F(DeviceEvaluatePoints, SizesAroundABlock) {
  for (const std::size_t count : {1, 2, 63, 64, 65, 127, 129}) compare(context_, test::ode_solution(), {"a"}, count);
}

// More points than the device takes at once, against the CPU.
TEST_F(DeviceEvaluatePoints, MillionsOfPointsInParts) {
  const Solution s = test::windowed_solution();
  Pool pool(test::symbols_of(s));
  const Expr e = expression::lower(pool, expression::parse(pool, SourceText::from_argument("u*v - dx(u)")));
  const auto points = random_points(s, 2500000, 8);
  const auto found = evaluate_points(context_, pool, s, std::span(&e, 1), views(points))[0],
             exact = evaluate_points(pool, s, std::span(&e, 1), views(points), 2)[0];
  double error = 0.0, largest = 0.0;
  for (std::size_t p = 0; p < found.size(); ++p) {
    const double here = std::abs(found[p] - exact[p]);
    error = here <= error ? error : here;
    largest = std::max(largest, std::abs(exact[p]));
  }
  EXPECT_LE(error, 1e-13 * largest);
}

TEST_F(DeviceEvaluatePoints, OutsideThereIsNoNumber) {
  const Solution s = test::steady_solution();  // k in [1, 2], x in [0, 1]
  Pool pool(test::symbols_of(s));
  const Expr u = expression::lower(pool, expression::parse(pool, SourceText::from_argument("u")));
  const std::vector<std::vector<double>> points{{1.0}, {-0.1, 0.5, 1.1, std::nan(""), 1.0}};
  const auto values = evaluate_points(context_, pool, s, std::span(&u, 1), views(points))[0];
  const std::vector<bool> is_inside{false, true, false, false, true};
  for (std::size_t p = 0; p < values.size(); ++p) EXPECT_EQ(!std::isnan(values[p]), is_inside[p]) << p;
}

// T_200 close to the ends, where a recurrence in xi would lose 200^2 round-offs.
TEST(EvaluatePoints, HighDegreesKeepTheirDigits) {
  Solution s = test::steady_solution();
  test::set_degrees(s, {0, 400});
  std::mt19937_64 random(3);
  for (FieldSolution& field : s.fields) field = test::random_field(s, field.name, field.axes, 1, random);
  Pool pool(test::symbols_of(s));
  const Expr u = expression::lower(pool, expression::parse(pool, SourceText::from_argument("u")));
  for (const double distance : {0.0, 1e-12, 1e-9, 1e-5, 0.3}) {
    const std::vector<std::vector<double>> points{{1.5}, {1.0 - distance}};
    const double expected = evaluate(pool, s, u, points).data[0];
    // Random coefficients of size 1: round-off of a sum of 401 terms is some 400 eps.
    EXPECT_NEAR(evaluate_points(pool, s, std::span(&u, 1), views(points), 1)[0][0], expected, 1e-13);
  }
}

TEST(EvaluatePoints, ThreadsAndOtherPointsChangeNoBit) {
  const Solution s = test::tensor_solution();
  Pool pool(test::symbols_of(s));
  const Expr e = expression::lower(pool, expression::parse(pool, SourceText::from_argument("psi*omega + dx(psi)")));
  const auto points = random_points(s, 1000, 6);
  const auto all = evaluate_points(pool, s, std::span(&e, 1), views(points), 1);
  EXPECT_EQ(all, evaluate_points(pool, s, std::span(&e, 1), views(points), 3));
  for (const std::size_t p : {0, 17, 999}) {
    std::vector<std::vector<double>> one;
    for (const auto& along : points) one.push_back({along[p]});
    EXPECT_EQ(evaluate_points(pool, s, std::span(&e, 1), views(one), 1)[0][0], all[0][p]);
  }
}

TEST(EvaluatePoints, OutsideThereIsNoNumber) {
  const Solution s = test::steady_solution();  // k in [1, 2], x in [0, 1]
  Pool pool(test::symbols_of(s));
  const Expr u = expression::lower(pool, expression::parse(pool, SourceText::from_argument("u")));
  const std::vector<std::vector<double>> points{{1.0}, {-0.1, 0.5, 1.1, std::nan(""), 1.0}};
  const auto values = evaluate_points(pool, s, std::span(&u, 1), views(points), 1)[0];
  const std::vector<bool> is_inside{false, true, false, false, true};
  for (std::size_t p = 0; p < values.size(); ++p) EXPECT_EQ(!std::isnan(values[p]), is_inside[p]) << p;
  // What does not vary along x does not mind.
  const Expr c = expression::lower(pool, expression::parse(pool, SourceText::from_argument("c + u(x=0.5)")));
  const auto of_c = evaluate_points(pool, s, std::span(&c, 1), views(points), 1)[0];
  for (double value : of_c) EXPECT_TRUE(std::isfinite(value));
}

TEST(EvaluatePoints, ShapesAreChecked) {
  const Solution s = test::steady_solution();
  Pool pool(test::symbols_of(s));
  const Expr u = expression::lower(pool, expression::parse(pool, SourceText::from_argument("u")));
  const std::vector<std::vector<double>> few{{1.0}}, uneven{{1.0, 1.5, 2.0}, {0.5, 0.5}};
  EXPECT_THROW(evaluate_points(pool, s, std::span(&u, 1), views(few), 1), ShapeError);
  EXPECT_THROW(evaluate_points(pool, s, std::span(&u, 1), views(uneven), 1), ShapeError);
}

}  // namespace
}  // namespace gwrm::evaluate_points_test
