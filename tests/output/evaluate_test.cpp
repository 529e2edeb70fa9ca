// evaluate() against sums written out in long double: Chebyshev polynomials and their derivatives by the three-term
// recurrence, maps and chain rule by hand, integrals by composite Gauss-Legendre.
#include "output/evaluate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate_integrals.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::evaluate_test {
namespace {

using Real = long double;
using expression::Pool;

// d^n T_k / dxi^n, n = 0, 1, 2: T_{k+1}^(n) = 2 xi T_k^(n) + 2 n T_k^(n-1) - T_{k-1}^(n).
Real chebyshev(int k, Real xi, int n) {
  Real before[3] = {1, 0, 0}, now[3] = {xi, 1, 0};
  if (k == 0) return before[n];
  for (int i = 1; i < k; ++i) {
    Real next[3];
    for (int m = 0; m < 3; ++m) next[m] = 2 * xi * now[m] + (m > 0 ? 2 * m * now[m - 1] : 0) - before[m];
    for (int m = 0; m < 3; ++m) before[m] = now[m], now[m] = next[m];
  }
  return now[n];
}

// The derivative in the physical coordinate, by the chain rule.
Real mapped(int k, Real z, Real lower, Real upper, MapKind map, int order) {
  const bool log_map = map == MapKind::log;
  const Real xi =
      log_map ? 2 * std::log(z / lower) / std::log(upper / lower) - 1 : 2 * (z - lower) / (upper - lower) - 1;
  const Real slope = log_map ? 2 / (z * std::log(upper / lower)) : 2 / (upper - lower);
  const Real curvature = log_map ? -slope / z : Real(0);
  if (order == 0) return chebyshev(k, xi, 0);
  if (order == 1) return chebyshev(k, xi, 1) * slope;
  return chebyshev(k, xi, 2) * slope * slope + chebyshev(k, xi, 1) * curvature;
}

// The field at a point (one coordinate per axis of the solution), by the plain sum over all coefficients.
Real field_at(const Solution& s, const std::string& name, const std::vector<Real>& point,
              std::vector<int> orders = {}) {
  orders.resize(s.axes.size(), 0);
  const FieldSolution* field = nullptr;
  for (const FieldSolution& f : s.fields)
    if (f.name == name) field = &f;
  std::size_t window = 0;
  if (!s.window_edges.empty() && field->windows.size() > 1)
    while (window + 2 < s.window_edges.size() && point[0] > s.window_edges[window + 1]) ++window;
  const Array& a = field->windows[window];
  Real sum = 0;
  for (Index flat = 0; flat < a.size(); ++flat) {
    Real term = a.data[flat];
    Index rest = flat;
    for (std::size_t i = field->axes.size(); i-- > 0;) {
      const int axis = field->axes[i];
      const int k = static_cast<int>(rest % a.shape[i]);
      rest /= a.shape[i];
      const bool time = s.axes[axis].kind == AxisKind::time;
      const Real lower = time ? s.window_edges[window] : s.axes[axis].lower;
      const Real upper = time ? s.window_edges[window + 1] : s.axes[axis].upper;
      term *= mapped(k, point[axis], lower, upper, s.axes[axis].map, orders[axis]);
    }
    sum += term;
  }
  return sum;
}

// Composite Gauss-Legendre of 5 points on 24 panels, window by window: the error, ~ 24^-10, is round-off for everything
// here.
Real integrate(const std::function<Real(Real)>& f, std::vector<double> edges) {
  const Real x1 = std::sqrt(Real(5) - 2 * std::sqrt(Real(10) / 7)) / 3,
             x2 = std::sqrt(Real(5) + 2 * std::sqrt(Real(10) / 7)) / 3;
  const Real w1 = (322 + 13 * std::sqrt(Real(70))) / 900, w2 = (322 - 13 * std::sqrt(Real(70))) / 900;
  const Real nodes[] = {-x2, -x1, 0, x1, x2}, weights[] = {w2, w1, Real(128) / 225, w1, w2};
  const int n_panels = 24;
  Real sum = 0;
  for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
    const Real h = (Real(edges[e + 1]) - edges[e]) / n_panels;
    for (int p = 0; p < n_panels; ++p)
      for (int i = 0; i < 5; ++i) sum += weights[i] * h / 2 * f(edges[e] + h * (p + Real(0.5)) + nodes[i] * h / 2);
  }
  return sum;
}

using Oracle = std::function<Real(const std::vector<Real>& point)>;

Array evaluate_text(const Solution& s, const std::string& text, const GridPoints& grid, bool full = true) {
  Pool pool(test::symbols_of(s));
  return evaluate(pool, s, lower(pool, parse(pool, SourceText::from_argument(text))), grid, full);
}

// The difference relative to the largest value on the grid. 1e-11: second derivatives of degree 9 lose K^4 eps = 1e-12.
void expect_values(const Solution& s, const std::string& text, const GridPoints& grid, const Oracle& oracle,
                   double tolerance = 1e-11) {
  SCOPED_TRACE(text);
  const Array values = evaluate_text(s, text, grid);
  ASSERT_EQ(values.shape.size(), grid.size());
  for (std::size_t i = 0; i < grid.size(); ++i) ASSERT_EQ(values.shape[i], static_cast<Index>(grid[i].size()));
  std::vector<Real> expected;
  Real largest = 0;
  for (Index flat = 0; flat < values.size(); ++flat) {
    std::vector<Real> point(grid.size());
    Index rest = flat;
    for (std::size_t i = grid.size(); i-- > 0;) {
      point[i] = grid[i][rest % values.shape[i]];
      rest /= values.shape[i];
    }
    expected.push_back(oracle(point));
    largest = std::max(largest, std::abs(expected.back()));
  }
  for (Index flat = 0; flat < values.size(); ++flat)
    ASSERT_NEAR(values.data[flat], static_cast<double>(expected[flat]), tolerance * static_cast<double>(largest))
        << "at flat index " << flat;
}

class Windowed : public ::testing::Test {
 protected:
  const Solution s = test::windowed_solution();
  // Unsorted, window edges and ends among them.
  const GridPoints grid = {{0.0, 1.9, 0.3, 0.5, 1.3, 0.50001, 2.0, 1.0}, {0.02, 0.05, 0.2}, {-1.0, -0.2, 0.7, 3.0}};
  Real u(const std::vector<Real>& p, std::vector<int> orders = {}) const { return field_at(s, "u", p, orders); }
  Real v(const std::vector<Real>& p, std::vector<int> orders = {}) const { return field_at(s, "v", p, orders); }
};

TEST_F(Windowed, fields_and_coordinates) {
  expect_values(s, "u", grid, [&](auto p) { return u(p); });
  expect_values(s, "v", grid, [&](auto p) { return v(p); });
  expect_values(s, "s", grid, [&](auto p) { return field_at(s, "s", p); });
  expect_values(s, "c", grid, [&](auto p) { return field_at(s, "c", p); });
  expect_values(s, "t + 10*x*nu", grid, [&](auto p) { return p[0] + 10 * p[2] * p[1]; });
  expect_values(s, "3", grid, [&](auto) { return Real(3); });
}

TEST_F(Windowed, derivatives_in_every_direction_across_windows) {
  expect_values(s, "dx(u)", grid, [&](auto p) { return u(p, {0, 0, 1}); });
  expect_values(s, "dx(u, 2)", grid, [&](auto p) { return u(p, {0, 0, 2}); });
  expect_values(s, "dt(u)", grid, [&](auto p) { return u(p, {1, 0, 0}); });
  expect_values(s, "dt(u, 2)", grid, [&](auto p) { return u(p, {2, 0, 0}); });
  expect_values(s, "dnu(u)", grid, [&](auto p) { return u(p, {0, 1, 0}); });
  expect_values(s, "dnu(dx(u), 2)", grid, [&](auto p) { return u(p, {0, 2, 1}); });
  expect_values(s, "dt(dx(v))", grid, [&](auto p) { return v(p, {1, 0, 1}); });
  expect_values(s, "dx(s)", grid, [&](auto p) { return field_at(s, "s", p, {0, 0, 1}); });
}

TEST_F(Windowed, nonlinear_expressions) {
  expect_values(s, "dx(u*v)", grid, [&](auto p) { return u(p, {0, 0, 1}) * v(p) + u(p) * v(p, {0, 0, 1}); });
  expect_values(s, "exp(-u^2)*sin(pi*x) + c*s/(2 + v^2)", grid, [&](auto p) {
    return std::exp(-u(p) * u(p)) * std::sin(std::acos(Real(-1)) * p[2]) +
           field_at(s, "c", p) * field_at(s, "s", p) / (2 + v(p) * v(p));
  });
  expect_values(s, "max(u, v) - abs(u)", grid, [&](auto p) { return std::max(u(p), v(p)) - std::abs(u(p)); });
}

TEST_F(Windowed, restrictions) {
  expect_values(s, "u(x=0.3)", grid, [&](auto p) { return u({p[0], p[1], Real(0.3)}); });
  expect_values(s, "u(x=-1, t=1.7)", grid, [&](auto p) { return u({Real(1.7), p[1], Real(-1)}); });
  expect_values(s, "dx(u)(t=0.5)*v", grid, [&](auto p) { return u({Real(0.5), p[1], p[2]}, {0, 0, 1}) * v(p); });
  expect_values(s, "dt(v)(t=2) - v(t=0)", grid, [&](auto p) {
    return v({Real(2), p[1], p[2]}, {1, 0, 0}) - v({Real(0), p[1], p[2]});
  });
}

TEST_F(Windowed, atoms_that_share_sums_are_those_of_each_alone_to_the_bit) {
  Pool pool(test::symbols_of(s));
  std::vector<expression::Expr> es;
  for (const char* text :
       {"u", "dx(u)", "dx(u, 2)", "dnu(u)", "dnu(dx(u))", "dt(u)", "u(x=0.3)", "u(x=-1)", "dx(u)(x=-1)", "u(t=0.5)",
        "u(t=1.7, x=0.3)", "dt(u)(nu=0.05)", "v", "dx(v)", "s", "dx(s)", "c", "dx(c)"})
    es.push_back(lower(pool, parse(pool, SourceText::from_argument(text))));
  const std::vector<Array> together = evaluate(pool, s, es, grid);
  for (std::size_t i = 0; i < es.size(); ++i) {
    const Array alone = evaluate(pool, s, es[i], grid);
    EXPECT_EQ(together[i].shape, alone.shape) << i;
    EXPECT_EQ(together[i].data, alone.data) << i;
  }
}

TEST_F(Windowed, integrals_over_space) {
  const std::vector<double> x_edges = {-1.0, 3.0};
  expect_values(s, "integral(u, x)", grid, [&](auto p) {
    return integrate([&](Real x) { return u({p[0], p[1], x}); }, x_edges);
  });
  expect_values(s, "integral(dx(u, 2) - (2*u - dx(v))/3, x)", grid, [&](auto p) {
    return integrate(
        [&](Real x) {
          return u({p[0], p[1], x}, {0, 0, 2}) - (2 * u({p[0], p[1], x}) - v({p[0], p[1], x}, {0, 0, 1})) / 3;
        },
        x_edges);
  });
  expect_values(s, "integral(dx(u)^2*x, x) + u", grid, [&](auto p) {
    return integrate(
               [&](Real x) {
                 const Real d = u({p[0], p[1], x}, {0, 0, 1});
                 return d * d * x;
               },
               x_edges) +
           u(p);
  });
  // exp of a polynomial that varies by about 0.1: resolved to round-off by the program's 22 points.
  expect_values(s, "integral(exp(v/200), x)", grid, [&](auto p) {
    return integrate([&](Real x) { return std::exp(v({p[0], p[1], x}) / 200); }, x_edges);
  });
}

TEST_F(Windowed, integrals_over_time_run_over_all_windows) {
  expect_values(s, "integral(v, t)", grid, [&](auto p) {
    return integrate([&](Real t) { return v({t, p[1], p[2]}); }, s.window_edges);
  });
  expect_values(s, "integral(u*dt(v), t)*x", grid, [&](auto p) {
    return p[2] * integrate([&](Real t) { return u({t, p[1], p[2]}) * v({t, p[1], p[2]}, {1, 0, 0}); }, s.window_edges);
  });
}

TEST_F(Windowed, integral_over_a_parameter_on_a_logarithmic_map) {
  expect_values(s, "integral(s*nu, nu)", grid, [&](auto p) {
    return integrate([&](Real nu) { return field_at(s, "s", {0, nu, p[2]}) * nu; }, {0.02, 0.2});
  });
}

TEST_F(Windowed, nested_integrals) {
  const GridPoints small = {{0.2, 1.0}, {0.1}, {0.0}};
  expect_values(s, "integral(v*integral(v^2, x), x)", small, [&](auto p) {
    const std::vector<double> x_edges = {-1.0, 3.0};
    const Real inner = integrate(
        [&](Real x) {
          const Real w = v({p[0], 0, x});
          return w * w;
        },
        x_edges);
    return integrate([&](Real x) { return v({p[0], 0, x}) * inner; }, x_edges);
  });
  expect_values(s, "sin(integral(integral(v, x), t))", small, [&](auto) {
    return std::sin(integrate(
        [&](Real x) {
          return integrate([&](Real t) { return v({t, 0, x}); }, s.window_edges);
        },
        {-1.0, 3.0}));
  });
}

TEST_F(Windowed, nested_integrals_of_a_series) {
  const GridPoints small = {{0.2, 1.3}, {0.1}, {0.0}};
  expect_values(
      s, "integral(integral(2*dx(u) - u, nu), x)", small,
      [&](auto p) {
        return integrate(
            [&](Real x) {
              return integrate(
                  [&](Real nu) {
                    return 2 * u({p[0], nu, x}, {0, 0, 1}) - u({p[0], nu, x});
                  },
                  {0.02, 0.2});
            },
            {-1.0, 3.0});
      },
      1e-10);  // 24 panels do not resolve the logarithmic map to round-off
}

TEST(Evaluate, roughly_takes_the_rule_that_is_given) {
  const Solution s = test::plane_solution();
  Pool pool(test::symbols_of(s));
  const std::array<expression::Expr, 2> es{
      lower(pool, parse(pool, SourceText::from_argument("integral(integral(psi^2, x), y)"))),
      lower(pool, parse(pool, SourceText::from_argument("psi*omega")))};
  GridPoints points{{-1.0, 0.3, 1.0}};
  std::vector<std::vector<double>> weights(3);
  for (std::size_t axis : {1, 2}) {
    const Quadrature rule = quadrature(s.subdomains.front()[axis]);
    points.push_back(rule.points);
    weights[axis].assign(rule.weights.begin(), rule.weights.end());
  }
  const std::vector<Array> found = evaluate_roughly(pool, s, es, points, weights),
                           exact = evaluate(pool, s, es, points, false);
  for (std::size_t i = 0; i < found[0].data.size(); ++i)
    EXPECT_NEAR(found[0].data[i], exact[0].data[i], 1e-13 * std::abs(exact[0].data[i]));
  EXPECT_EQ(found[1].data, exact[1].data);
  for (double& weight : weights[2]) weight *= 2.0;
  const Array twice = evaluate_roughly(pool, s, es, points, weights).front();
  EXPECT_NEAR(twice.data.front(), 2.0 * found[0].data.front(), 1e-13 * std::abs(twice.data.front()));
}

// The integrand has a pole among the user's points, which must not matter.
TEST_F(Windowed, an_integral_ignores_the_points_of_the_grid) {
  const Array values = evaluate_text(s, "integral(x/x, x)", {{0.0}, {0.1}, {0.0, 1.0}});
  for (double value : values.data) EXPECT_NEAR(value, 4.0, 1e-13);
}

TEST_F(Windowed, without_full_the_value_keeps_the_extents_it_needs) {
  EXPECT_EQ(evaluate_text(s, "v(x=0)", grid, false).shape, (Shape{8, 1, 1}));
  EXPECT_EQ(evaluate_text(s, "s", grid, false).shape, (Shape{1, 3, 4}));
  EXPECT_EQ(evaluate_text(s, "integral(s, x)", grid, false).shape, (Shape{1, 3, 1}));
  EXPECT_EQ(evaluate_text(s, "c", grid, false).shape, (Shape{8, 1, 1}));  // a value per window
  EXPECT_EQ(evaluate_text(s, "2", grid, false).shape, (Shape{1, 1, 1}));
}

TEST_F(Windowed, mistakes_of_the_caller) {
  EXPECT_THROW(evaluate_text(s, "u", {{0.0}, {0.1}}), ShapeError);
  EXPECT_THROW(evaluate_text(s, "u", {{0.0}, {0.1}, {}}), ShapeError);
  Solution wrong = s;
  wrong.subdomains[1][2].degree = 5;
  EXPECT_THROW(evaluate_text(wrong, "u", grid), ShapeError);
  wrong = s;
  wrong.subdomains.pop_back();
  EXPECT_THROW(evaluate_text(wrong, "u", grid), ShapeError);
  wrong = s;
  wrong.fields[0].windows.pop_back();
  EXPECT_THROW(evaluate_text(wrong, "u", grid), ShapeError);
}

TEST(Evaluate, plane) {
  const Solution s = test::plane_solution();
  const GridPoints grid = {{-1.0, 0.3, 1.0}, {0.0, 0.7, 2.0}, {0.0, 1.0, 2.5, 3.0}};
  const auto psi = [&](auto p, std::vector<int> orders) { return field_at(s, "psi", p, orders); };
  expect_values(s, "lap(psi)", grid, [&](auto p) { return psi(p, {0, 2, 0}) + psi(p, {0, 0, 2}); });
  expect_values(s, "dy(psi)*dx(omega) - dx(psi)*dy(omega)", grid, [&](auto p) {
    return psi(p, {0, 1, 0}) * field_at(s, "omega", p, {0, 0, 1}) -
           psi(p, {0, 0, 1}) * field_at(s, "omega", p, {0, 1, 0});
  });
}

TEST(Evaluate, steady) {
  const Solution s = test::steady_solution();
  const GridPoints grid = {{1.0, 1.4, 2.0}, {0.0, 0.2, 1.0}};
  expect_values(s, "k*dx(u,2) + c", grid, [&](auto p) {
    return p[0] * field_at(s, "u", p, {0, 2}) + field_at(s, "c", p);
  });
}

TEST(Evaluate, ode) {
  const Solution s = test::ode_solution();
  const GridPoints grid = {{0.0, 0.99, 1.0, 1.01, 5.0, 10.0}};
  expect_values(s, "dt(a) - a*b", grid,
                [&](auto p) { return field_at(s, "a", p, {1}) - field_at(s, "a", p) * field_at(s, "b", p); });
}

TEST(Solution, window_of) {
  const Solution s = test::windowed_solution();
  EXPECT_EQ(s.n_windows(), 3u);
  EXPECT_EQ(s.window_of(-5.0), 0u);
  EXPECT_EQ(s.window_of(0.0), 0u);
  EXPECT_EQ(s.window_of(0.5), 0u);  // an edge belongs to the window it ends
  EXPECT_EQ(s.window_of(std::nextafter(0.5, 1.0)), 1u);
  EXPECT_EQ(s.window_of(1.3), 1u);
  EXPECT_EQ(s.window_of(2.0), 2u);
  EXPECT_EQ(s.window_of(7.0), 2u);
  EXPECT_EQ(test::steady_solution().window_of(0.3), 0u);
  EXPECT_EQ(test::steady_solution().windowed_axis(), -1);
  EXPECT_EQ(s.windowed_axis(), 0);
  EXPECT_EQ(s.find_field("nothing"), nullptr);
  EXPECT_EQ(s.find_field("v"), &s.fields[1]);
}

TEST(Verification, a_value_that_is_not_a_number_fails) {
  Verification verification;
  EXPECT_TRUE(verification.passed());
  verification.checks = {{"residual", "", 1e-7, 1e-6, true}, {"tail", "", 1.0, 1e-6, false}};
  EXPECT_TRUE(verification.passed());
  verification.checks.push_back({"error_max", "", std::nan(""), 1e-6, true});
  EXPECT_FALSE(verification.passed());
  verification.checks.back().value = 2e-6;
  EXPECT_FALSE(verification.passed());
}

}  // namespace
}  // namespace gwrm::evaluate_test
