// evaluate() on solutions in subdomains that change from window to window, against plain sums over all coefficients in
// long double: T_k(cos theta) = cos(k theta) and its derivatives in closed form, integrals by the antiderivatives of
// T_k.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "output/sample_solution.hpp"

namespace gwrm::subdomains_test {
namespace {

using Real = long double;

// d^n T_k / dxi^n, n <= 2: cos(k theta), k sin(k theta) / sin(theta), and (1 - xi^2) T'' = xi T' - k^2 T; at the ends
// (+-1)^k, (+-1)^(k+1) k^2, (+-1)^k k^2 (k^2 - 1) / 3.
Real chebyshev(int k, Real xi, int n) {
  const Real k2 = Real(k) * k;
  if (std::abs(xi) == 1) {
    const Real sign = xi > 0 || (k + n) % 2 == 0 ? 1 : -1;
    return sign * (n == 0 ? Real(1) : n == 1 ? k2 : k2 * (k2 - 1) / 3);
  }
  const Real theta = std::acos(xi), value = std::cos(k * theta), slope = k * std::sin(k * theta) / std::sin(theta);
  return n == 0 ? value : n == 1 ? slope : (xi * slope - k2 * value) / (1 - xi * xi);
}

// The integral of T_k over [-1, 1].
Real whole_integral(int k) {
  return k % 2 == 0 ? Real(2) / (1 - Real(k) * k) : 0;
}

struct Interval {
  Real lower, upper;
  MapKind map;
  Real reference(Real z) const {
    if (z == lower || z == upper) return z == lower ? -1 : 1;
    return map == MapKind::log ? (2 * std::log(z) - std::log(lower) - std::log(upper)) / std::log(upper / lower)
                               : (2 * z - lower - upper) / (upper - lower);
  }
  Real half() const { return map == MapKind::log ? std::log(upper / lower) / 2 : (upper - lower) / 2; }
  Real trial(int k, Real z, int order) const {
    const Real xi = reference(z), h = half();
    if (order == 0) return chebyshev(k, xi, 0);
    if (map == MapKind::linear) return chebyshev(k, xi, order) / std::pow(h, order);
    return order == 1 ? chebyshev(k, xi, 1) / (h * z) : (chebyshev(k, xi, 2) / h - chebyshev(k, xi, 1)) / (h * z * z);
  }
};

// Linear search: an edge belongs to the interval it ends, what lies outside to the first or last.
std::size_t interval_of(const std::vector<double>& edges, Real z) {
  std::size_t i = 0;
  while (i + 2 < edges.size() && z > edges[i + 1]) ++i;
  return i;
}

struct Oracle {
  const Solution& s;

  const FieldSolution& field(const std::string& name) const {
    return *std::find_if(s.fields.begin(), s.fields.end(), [&](const auto& f) { return f.name == name; });
  }
  std::size_t window(const std::string& name, Real t) const {
    return field(name).windows.size() == 1 ? 0 : interval_of(s.window_edges, t);
  }

  // sum over all coefficients of one window of a * product over the axes of factor(axis, subdomain, k).
  Real sum(const std::string& name, std::size_t w,
           const std::function<Real(std::size_t, std::size_t, int)>& factor) const {
    const FieldSolution& f = field(name);
    const Array& a = f.windows[w];
    Real total = 0;
    for (Index flat = 0; flat < a.size(); ++flat) {
      Real term = a.data[static_cast<std::size_t>(flat)];
      Index rest = flat;
      for (std::size_t i = f.axes.size(); i-- > 0;) {
        const auto axis = static_cast<std::size_t>(f.axes[i]);
        const Index per_subdomain = s.subdomains[w][axis].degree + 1, along = rest % a.shape[i];
        rest /= a.shape[i];
        term *= factor(axis, static_cast<std::size_t>(along / per_subdomain), static_cast<int>(along % per_subdomain));
      }
      total += term;
    }
    return total;
  }

  Interval interval(std::size_t w, std::size_t axis, std::size_t subdomain) const {
    const std::vector<double>& edges = s.subdomains[w][axis].edges;
    return {edges[subdomain], edges[subdomain + 1], s.axes[axis].map};
  }

  // The factor at a coordinate: nonzero in the subdomain that holds it.
  Real factor_at(std::size_t w, std::size_t axis, std::size_t subdomain, int k, Real z, int order) const {
    if (interval_of(s.subdomains[w][axis].edges, z) != subdomain) return 0;
    return interval(w, axis, subdomain).trial(k, z, order);
  }

  Real value(const std::string& name, const std::vector<Real>& point, std::vector<int> orders = {}) const {
    orders.resize(s.axes.size(), 0);
    const std::size_t w = s.window_edges.empty() ? 0 : window(name, point[0]);
    return sum(name, w, [&](std::size_t axis, std::size_t subdomain, int k) {
      return factor_at(w, axis, subdomain, k, point[axis], orders[axis]);
    });
  }

  // The integral over one axis with a linear map (not time) at a point.
  Real integral(const std::string& name, const std::vector<Real>& point, std::size_t over) const {
    const std::size_t w = window(name, point[0]);
    return sum(name, w, [&](std::size_t axis, std::size_t subdomain, int k) {
      return axis == over ? interval(w, axis, subdomain).half() * whole_integral(k)
                          : factor_at(w, axis, subdomain, k, point[axis], 0);
    });
  }
};

Array evaluate_text(const Solution& s, const std::string& text, const GridPoints& grid) {
  expression::Pool pool(test::symbols_of(s));
  return evaluate(pool, s, lower(pool, parse(pool, SourceText::from_argument(text))), grid);
}

// The difference relative to the largest value on the grid: 1e-12 is far above the rounding of sums of some hundred
// terms and of second derivatives of degree 7 (K^4 eps), and far below any exchange of subdomains.
void expect_values(const Solution& s, const std::string& text, const GridPoints& grid,
                   const std::function<Real(const std::vector<Real>&)>& expected, double tolerance = 1e-12) {
  SCOPED_TRACE(text);
  const Array values = evaluate_text(s, text, grid);
  std::vector<Real> exact;
  Real largest = 0;
  for (Index flat = 0; flat < values.size(); ++flat) {
    std::vector<Real> point(grid.size());
    Index rest = flat;
    for (std::size_t i = grid.size(); i-- > 0;) {
      ASSERT_EQ(values.shape[i], static_cast<Index>(grid[i].size()));
      point[i] = grid[i][static_cast<std::size_t>(rest % values.shape[i])];
      rest /= values.shape[i];
    }
    exact.push_back(expected(point));
    largest = std::max(largest, std::abs(exact.back()));
  }
  for (std::size_t i = 0; i < exact.size(); ++i)
    ASSERT_NEAR(values.data[i], static_cast<double>(exact[i]), tolerance * static_cast<double>(largest)) << i;
}

class Divided : public ::testing::Test {
 protected:
  const Solution s = test::divided_solution();
  const Oracle oracle{s};
  // Unsorted, with the edges of all windows, window edges and ends among them. No other point is so close to an end
  // that the closed form of T_k'' would lose its digits.
  const GridPoints grid = {{1.9, 0.0, 0.3, 0.5, 1.3, 0.51, 1.0, 2.0},
                           {0.02, 0.07, 0.2},
                           {0.25, -1.0, 3.0, -0.8, -0.75, 0.26, 0.3, 2.9, 1.5, 0.0}};
  Real u(const std::vector<Real>& p, std::vector<int> orders = {}) const { return oracle.value("u", p, orders); }
  Real v(const std::vector<Real>& p, std::vector<int> orders = {}) const { return oracle.value("v", p, orders); }
};

TEST_F(Divided, values_and_derivatives_within_the_subdomains) {
  expect_values(s, "u", grid, [&](auto p) { return u(p); });
  expect_values(s, "v", grid, [&](auto p) { return v(p); });
  expect_values(s, "c", grid, [&](auto p) { return oracle.value("c", p); });
  expect_values(s, "dx(u)", grid, [&](auto p) { return u(p, {0, 0, 1}); });
  expect_values(s, "dx(v, 2)", grid, [&](auto p) { return v(p, {0, 0, 2}); });
  expect_values(s, "dt(u)", grid, [&](auto p) { return u(p, {1, 0, 0}); });
  expect_values(s, "dnu(dx(u))", grid, [&](auto p) { return u(p, {0, 1, 1}); });
  expect_values(s, "u*dx(v) - v^2", grid, [&](auto p) { return u(p) * v(p, {0, 0, 1}) - v(p) * v(p); });
}

TEST_F(Divided, a_field_that_is_the_same_at_all_times_has_the_first_subdomains) {
  expect_values(s, "s", grid, [&](auto p) { return oracle.value("s", p); });
  expect_values(s, "dx(s)*v", grid, [&](auto p) { return oracle.value("s", p, {0, 0, 1}) * v(p); });
}

TEST_F(Divided, restrictions_at_edges_and_to_other_windows) {
  expect_values(s, "u(x=0.25)", grid, [&](auto p) { return u({p[0], p[1], Real(0.25)}); });
  expect_values(s, "dx(u)(x=1.5)", grid, [&](auto p) { return u({p[0], p[1], Real(1.5)}, {0, 0, 1}); });
  expect_values(s, "v(t=0.5)*u", grid, [&](auto p) { return v({Real(0.5), p[1], p[2]}) * u(p); });
  expect_values(s, "u(t=2, x=-0.75) - u(t=0, x=3)", grid, [&](auto p) {
    return u({Real(2), p[1], Real(-0.75L)}) - u({Real(0), p[1], Real(3)});
  });
}

TEST_F(Divided, integrals_run_over_all_subdomains) {
  expect_values(s, "integral(u, x)", grid, [&](auto p) { return oracle.integral("u", p, 2); });
  expect_values(s, "x + integral(v, x)", grid, [&](auto p) { return p[2] + oracle.integral("v", p, 2); });
  // The jumps at the edges count for nothing: the integral of v dx(v) is that of each subdomain.
  expect_values(s, "integral(v*dx(v), x)", grid, [&](auto p) {
    const std::size_t w = oracle.window("v", p[0]);
    Real sum = 0;
    for (std::size_t subdomain = 0; subdomain + 1 < s.subdomains[w][2].edges.size(); ++subdomain) {
      const auto end = [&](Real xi) {
        return oracle.sum("v", w, [&](std::size_t axis, std::size_t at_subdomain, int k) -> Real {
          if (axis != 2) return oracle.factor_at(w, axis, at_subdomain, k, p[axis], 0);
          return at_subdomain == subdomain ? chebyshev(k, xi, 0) : 0;
        });
      };
      sum += (end(1) * end(1) - end(-1) * end(-1)) / 2;
    }
    return sum;
  });
}

// Product of polynomials on different subdomains: exact on the union of their edges only. By the squares of sums,
// int u v = (int (u+v)^2 - int (u-v)^2) / 4 would share the quadrature; here Gauss-Legendre of 5 points on every
// interval between edges, cut in 8: its error for degree 12 is round-off.
TEST_F(Divided, an_integrand_of_two_windows_is_cut_at_the_edges_of_both) {
  const Real r = std::sqrt(Real(10) / 7);
  const Real x1 = std::sqrt(5 - 2 * r) / 3, x2 = std::sqrt(5 + 2 * r) / 3;
  const Real w1 = (322 + 13 * std::sqrt(Real(70))) / 900, w2 = (322 - 13 * std::sqrt(Real(70))) / 900;
  const Real nodes[] = {-x2, -x1, 0, x1, x2}, weights[] = {w2, w1, Real(128) / 225, w1, w2};
  const std::vector<Real> edges = {-1, -0.75, 0.25, 1.5, 3};
  const GridPoints some = {{0.2, 0.9, 1.7}, {0.1}, {0.0}};
  expect_values(s, "integral(v*v(t=1.0), x)", some, [&](auto p) {
    Real sum = 0;
    for (std::size_t e = 0; e + 1 < edges.size(); ++e)
      for (int panel = 0; panel < 8; ++panel)
        for (int i = 0; i < 5; ++i) {
          const Real h = (edges[e + 1] - edges[e]) / 8, x = edges[e] + h * (panel + Real(0.5)) + nodes[i] * h / 2;
          sum += weights[i] * h / 2 * v({p[0], p[1], x}) * v({Real(1), p[1], x});
        }
    return sum;
  });
}

TEST_F(Divided, integrals_over_time_follow_the_subdomains_of_each_window) {
  const auto over_time = [&](const std::vector<Real>& p, bool over_x) {
    Real sum = 0;
    for (std::size_t w = 0; w < 3; ++w)
      sum += oracle.sum("v", w, [&](std::size_t axis, std::size_t subdomain, int k) {
        return axis == 0 || over_x ? oracle.interval(w, axis, subdomain).half() * whole_integral(k)
                                   : oracle.factor_at(w, axis, subdomain, k, p[axis], 0);
      });
    return sum;
  };
  expect_values(s, "integral(v, t)", grid, [&](auto p) { return over_time(p, false); });
  expect_values(s, "integral(integral(v, t), x)", grid, [&](auto p) { return over_time(p, true); });
  expect_values(s, "integral(integral(v, x), t)*dt(v)", grid, [&](auto p) {
    return over_time(p, true) * v(p, {1, 0, 0});
  });
}

TEST(Tensor, of_three_by_two_subdomains) {
  const Solution s = test::tensor_solution();
  const Oracle oracle{s};
  const GridPoints grid = {
      {-1.0, -0.3, 0.0, 0.4, 1.0}, {2.0, 0.0, 0.5, 0.6, 1.75, 1.8, 1.0}, {0.0, 1.0, 0.9, 1.1, 3.0}};
  const auto psi = [&](auto p, std::vector<int> orders) { return oracle.value("psi", p, orders); };
  expect_values(s, "psi", grid, [&](auto p) { return psi(p, {}); });
  expect_values(s, "lap(psi)", grid, [&](auto p) { return psi(p, {0, 2, 0}) + psi(p, {0, 0, 2}); });
  expect_values(s, "dy(psi)*dx(omega) - dy(dx(psi))", grid, [&](auto p) {
    return psi(p, {0, 1, 0}) * oracle.value("omega", p, {0, 0, 1}) - psi(p, {0, 1, 1});
  });
  expect_values(s, "omega(y=0.5)", grid, [&](auto p) { return oracle.value("omega", {p[0], Real(0.5), p[2]}); });
  expect_values(s, "integral(psi, y)", grid, [&](auto p) { return oracle.integral("psi", p, 1); });
  expect_values(s, "integral(integral(psi, x), y)", grid, [&](auto p) {
    const std::size_t w = oracle.window("psi", p[0]);
    return oracle.sum("psi", w, [&](std::size_t axis, std::size_t subdomain, int k) {
      return axis == 0 ? oracle.factor_at(w, axis, subdomain, k, p[0], 0)
                       : oracle.interval(w, axis, subdomain).half() * whole_integral(k);
    });
  });
}

TEST(Steady, subdomains_on_a_logarithmic_map) {
  const Solution s = test::steady_divided_solution();
  const Oracle oracle{s};
  const GridPoints grid = {{1.0, 1.3, 2.0}, {0.5, 0.8, 1.0, 2.0, 3.0, 3.5, 8.0}};
  const auto u = [&](auto p, std::vector<int> orders) { return oracle.value("u", p, orders); };
  expect_values(s, "u + c", grid, [&](auto p) { return u(p, {}) + oracle.value("c", p); });
  expect_values(s, "dx(u)", grid, [&](auto p) { return u(p, {0, 1}); });
  expect_values(s, "dx(u, 2)", grid, [&](auto p) { return u(p, {0, 2}); });
  // d(log x) integrates the polynomials in closed form.
  expect_values(s, "integral(u/x, x)", grid, [&](auto p) {
    return oracle.sum("u", 0, [&](std::size_t axis, std::size_t subdomain, int k) {
      return axis == 0 ? oracle.factor_at(0, axis, subdomain, k, p[0], 0)
                       : oracle.interval(0, axis, subdomain).half() * whole_integral(k);
    });
  });
}

TEST(Steady, many_subdomains) {
  std::mt19937_64 random(19);
  Solution s;
  s.axes = {{"x", AxisKind::space, 0.0, 1.0, MapKind::linear}};
  s.subdomains = {{{4, test::equidistant(0.0, 1.0, 257)}}};
  s.fields = {test::random_field(s, "u", {0}, 1, random)};
  const Oracle oracle{s};
  expect_values(s, "u", {test::equidistant(0.0, 1.0, 1001)}, [&](auto p) { return oracle.value("u", p); });
}

TEST(AxisDescription, subdomain_of) {
  const AxisDescription subdomains{3, {0.0, 1.0, 2.5, 4.0}};
  EXPECT_EQ(subdomains.n_subdomains(), 3);
  EXPECT_EQ(subdomains.n_coefficients(), 12);
  EXPECT_EQ(subdomains.subdomain_of(-1.0), 0);
  EXPECT_EQ(subdomains.subdomain_of(0.0), 0);
  EXPECT_EQ(subdomains.subdomain_of(1.0), 0);  // an edge belongs to the subdomain it ends
  EXPECT_EQ(subdomains.subdomain_of(std::nextafter(1.0, 2.0)), 1);
  EXPECT_EQ(subdomains.subdomain_of(2.5), 1);
  EXPECT_EQ(subdomains.subdomain_of(4.0), 2);
  EXPECT_EQ(subdomains.subdomain_of(9.0), 2);
  EXPECT_EQ((AxisDescription{0, {0.0, 1.0}}).subdomain_of(0.5), 0);
}

TEST(Solution, check_names_what_does_not_fit) {
  const Solution good = test::divided_solution();
  EXPECT_NO_THROW(good.check());
  EXPECT_NO_THROW(test::steady_divided_solution().check());
  const auto expect_refused = [&](const std::function<void(Solution&)>& change) {
    Solution wrong = good;
    change(wrong);
    EXPECT_THROW(wrong.check(), ShapeError);
  };
  expect_refused([](Solution& s) { s.window_edges.clear(); });
  expect_refused([](Solution& s) { s.subdomains.pop_back(); });
  expect_refused([](Solution& s) { s.subdomains[1].pop_back(); });
  expect_refused([](Solution& s) { s.subdomains[2][1].degree = -1; });
  expect_refused([](Solution& s) { s.subdomains[0][2].degree = 6; });
  expect_refused([](Solution& s) { s.subdomains[1][2].edges[2] = -0.75; });
  expect_refused([](Solution& s) { s.subdomains[1][2].edges[2] = std::nan(""); });
  expect_refused([](Solution& s) { s.subdomains[0][2].edges.front() = -2.0; });
  expect_refused([](Solution& s) { s.subdomains[0][2].edges.back() = 4.0; });
  expect_refused([](Solution& s) { s.subdomains[1][0].edges = {0.5, 1.0, 1.3}; });
  expect_refused([](Solution& s) { s.fields[0].windows.pop_back(); });
  expect_refused([](Solution& s) { s.fields[1].windows[1].data.pop_back(); });
}

}  // namespace
}  // namespace gwrm::subdomains_test
