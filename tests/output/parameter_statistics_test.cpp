// parameter_statistics() against closed forms, and against exact moments of Chebyshev series with random coefficients:
// the mean of T_n over a uniform xi is 1/(1 - n^2) for even n, else 0, and T_k T_l = (T_{k+l} + T_{|k-l|})/2.
#include "output/parameter_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>

#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::parameter_statistics_test {
namespace {

using Real = long double;
constexpr double kPi = std::numbers::pi;

Axis parameter(const std::string& name, double lower, double upper, MapKind map = MapKind::linear) {
  return {name, AxisKind::parameter, lower, upper, map};
}

// A solution without windows and without fields; every axis has the degree given.
Solution empty_solution(std::vector<Axis> axes, const std::vector<int>& degrees) {
  Solution s;
  s.axes = std::move(axes);
  s.subdomains.resize(1);
  for (std::size_t i = 0; i < s.axes.size(); ++i)
    s.subdomains[0].push_back({degrees[i], {s.axes[i].lower, s.axes[i].upper}, s.axes[i].map});
  return s;
}

ParameterStatistics statistics(const Solution& s, const std::string& text, const GridPoints& grid) {
  expression::Symbols symbols;
  symbols.axes = s.axes;
  for (const FieldSolution& field : s.fields) {
    expression::Field f{field.name, {}};
    for (int axis : field.axes) f.dims.push_back(s.axes[axis].name);
    symbols.fields.push_back(f);
  }
  expression::Pool pool(symbols);
  return parameter_statistics(pool, s, lower(pool, parse(pool, SourceText::from_argument(text))), grid);
}

void expect_all_near(const Array& values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.data.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values.data[i], expected[i], tolerance) << "at " << i;
}

TEST(ParameterStatistics, LinearFunction) {
  const Solution s = empty_solution({parameter("p", 1.0, 4.0), parameter("q", -2.0, 2.0)}, {1, 1});
  const ParameterStatistics r = statistics(s, "3 + 2*p - 5*q", {{}, {}});
  const double vp = 4.0 * 9.0 / 12.0, vq = 25.0 * 16.0 / 12.0, v = vp + vq;  // c^2 (b - a)^2 / 12
  EXPECT_EQ(r.parameters, (std::vector<int>{0, 1}));
  EXPECT_TRUE(r.axes.empty());
  EXPECT_EQ(r.mean.shape, Shape{});
  EXPECT_EQ(r.sobol_first.shape, Shape{2});
  // A few dozen additions of numbers of order one.
  const double tolerance = 1e-13;
  expect_all_near(r.mean, {8.0}, tolerance);
  expect_all_near(r.variance, {v}, v * tolerance);
  expect_all_near(r.std, {std::sqrt(v)}, tolerance);
  expect_all_near(r.sensitivity, {2.0, -5.0}, tolerance);
  expect_all_near(r.sensitivity_normalised, {std::sqrt(vp / v), -std::sqrt(vq / v)}, tolerance);
  expect_all_near(r.sobol_first, {vp / v, vq / v}, tolerance);
  expect_all_near(r.sobol_total, {vp / v, vq / v}, tolerance);
}

TEST(ParameterStatistics, ProductIsMostlyInteraction) {
  const Solution s = empty_solution({parameter("p", 0.0, 1.0), parameter("q", 0.0, 1.0)}, {1, 1});
  const ParameterStatistics r = statistics(s, "p*q", {{}, {}});
  expect_all_near(r.mean, {1.0 / 4}, 1e-14);
  expect_all_near(r.variance, {7.0 / 144}, 1e-14);
  expect_all_near(r.sobol_first, {3.0 / 7, 3.0 / 7}, 1e-14);
  expect_all_near(r.sobol_total, {4.0 / 7, 4.0 / 7}, 1e-14);
  expect_all_near(r.sensitivity, {0.5, 0.5}, 1e-14);
}

TEST(ParameterStatistics, LogUniformOverSixDecades) {
  const double a = 1e-3, b = 1e3, L = std::log(b / a);
  const Solution s = empty_solution({parameter("p", a, b, MapKind::log)}, {4});
  const double mean = (b - a) / L, variance = (b * b - a * a) / (2.0 * L) - mean * mean;
  const ParameterStatistics p = statistics(s, "p", {{}});
  expect_all_near(p.mean, {mean}, 1e-13 * mean);
  expect_all_near(p.variance, {variance}, 1e-12 * variance);
  expect_all_near(p.sensitivity, {1.0}, 1e-13);
  expect_all_near(p.sensitivity_normalised, {1.0}, 1e-12);
  expect_all_near(p.sobol_first, {1.0}, 1e-13);
  expect_all_near(p.sobol_total, {1.0}, 1e-13);

  const ParameterStatistics logarithm = statistics(s, "log(p)", {{}});
  expect_all_near(logarithm.mean, {0.0}, 1e-14 * L);  // a b = 1
  expect_all_near(logarithm.variance, {L * L / 12.0}, 1e-13 * L * L);
  expect_all_near(logarithm.sensitivity, {(1.0 / a - 1.0 / b) / L}, 1e-12 / (a * L));  // E[1/p]
}

TEST(ParameterStatistics, SmallVarianceBesideALargeMean) {
  const Solution s = empty_solution({parameter("p", 0.0, 1.0)}, {1});
  const ParameterStatistics r = statistics(s, "1 + 1e-6*p", {{}});
  // The values carry eps/1e-6 = 2e-10 of their deviation; E[u^2] - E[u]^2 would leave three digits.
  expect_all_near(r.variance, {1e-12 / 12.0}, 1e-9 * 1e-12 / 12.0);
  expect_all_near(r.sobol_first, {1.0}, 1e-12);
}

TEST(ParameterStatistics, IndicesAreNotNumbersWhereNothingVaries) {
  const Solution s =
      empty_solution({parameter("p", 0.0, 1.0), {"x", AxisKind::space, 0.0, 1.0, MapKind::linear}}, {1, 1});
  const ParameterStatistics r = statistics(s, "1 + x*p", {{}, {0.0, 3e-15, 0.5}});
  EXPECT_EQ(r.axes, std::vector<int>{1});
  EXPECT_LE(r.std.data[0], 1e-15);
  EXPECT_GT(r.std.data[1], 0.0);  // a few last digits of 1 + 3e-15 p
  for (std::size_t i : {0u, 1u}) {
    EXPECT_TRUE(std::isnan(r.sobol_first.data[i])) << i;
    EXPECT_TRUE(std::isnan(r.sobol_total.data[i])) << i;
    EXPECT_TRUE(std::isnan(r.sensitivity_normalised.data[i])) << i;
    EXPECT_NEAR(r.sensitivity.data[i], i == 0 ? 0.0 : 3e-15, 1e-28);
  }
  EXPECT_NEAR(r.sobol_first.data[2], 1.0, 1e-14);
  EXPECT_NEAR(r.variance.data[2], 0.25 / 12.0, 1e-15);
}

TEST(ParameterStatistics, AParameterWithoutInfluence) {
  const Solution s = empty_solution({parameter("p", 0.0, 1.0), parameter("q", 0.0, 1.0)}, {2, 2});
  const ParameterStatistics r = statistics(s, "q^2", {{}, {}});
  EXPECT_EQ(r.sobol_first.data[0], 0.0);
  EXPECT_EQ(r.sobol_total.data[0], 0.0);
  EXPECT_EQ(r.sensitivity.data[0], 0.0);
  EXPECT_NEAR(r.sobol_total.data[1], 1.0, 1e-14);
  EXPECT_NEAR(r.variance.data[0], 4.0 / 45.0, 1e-14);
}

// Chebyshev coefficients by the discrete orthogonality at n Gauss points, in long double.
std::vector<double> chebyshev_series(const std::function<Real(Real)>& f, int degree) {
  const int n = degree + 20;
  std::vector<double> series;
  for (int k = 0; k <= degree; ++k) {
    Real sum = 0;
    for (int i = 0; i < n; ++i) {
      const Real theta = std::numbers::pi_v<Real> * (2 * i + 1) / (2 * n);
      sum += f(std::cos(theta)) * std::cos(k * theta);
    }
    series.push_back(static_cast<double>(sum * (k == 0 ? 1 : 2) / n));
  }
  return series;
}

// f = sin a + 7 sin^2 b + 0.1 c^4 sin a on [-pi, pi]^3 (Ishigami and Homma 1990) as a polynomial, then t + (1 + x) f on
// a grid that is more than one block: 41^3 quadrature points, 30 points.
TEST(ParameterStatistics, IshigamiOverTimeAndSpace) {
  const int degree = 20;  // the first term left out of sin(pi xi) is 2 J_21(pi) = 1e-15
  Solution s = empty_solution({{"t", AxisKind::time, 0.0, 1.0, MapKind::linear},
                               parameter("a", -kPi, kPi),
                               parameter("b", -kPi, kPi),
                               parameter("c", -kPi, kPi),
                               {"x", AxisKind::space, 0.0, 1.0, MapKind::linear}},
                              {0, degree, degree, degree, 0});
  s.window_edges = {0.0, 1.0};
  const Real pi = std::numbers::pi_v<Real>;
  const auto sine = chebyshev_series([&](Real xi) { return std::sin(pi * xi); }, degree);
  const auto square = chebyshev_series([&](Real xi) { return 7 * std::pow(std::sin(pi * xi), Real(2)); }, degree);
  const auto fourth = chebyshev_series([&](Real xi) { return std::pow(pi * xi, Real(4)) / 10; }, degree);
  FieldSolution f{"f", {1, 2, 3}, {Array({degree + 1, degree + 1, degree + 1})}};
  const auto coefficient = [&](std::size_t i, std::size_t j, std::size_t k) -> double& {
    return f.windows[0].data[(i * (degree + 1) + j) * (degree + 1) + k];
  };
  for (std::size_t k = 0; k <= degree; ++k) {
    coefficient(k, 0, 0) += sine[k];
    coefficient(0, k, 0) += square[k];
    for (std::size_t i = 0; i <= degree; ++i) coefficient(i, 0, k) += sine[i] * fourth[k];
  }
  s.fields = {f};
  const std::vector<double> times{0.0, 0.3, 1.0}, places{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0};
  const ParameterStatistics r = statistics(s, "t + (1 + x)*f", {times, {}, {}, {}, places});

  const double pi4 = std::pow(kPi, 4), v1 = 0.5 * std::pow(1 + 0.1 * pi4 / 5, 2), v2 = 49.0 / 8,
               v13 = 8 * 0.01 * pi4 * pi4 / 225, v = v1 + v2 + v13;
  const double first[] = {v1 / v, v2 / v, 0.0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
  ASSERT_EQ(r.axes, (std::vector<int>{0, 4}));
  ASSERT_EQ(r.mean.shape, (Shape{3, 10}));
  ASSERT_EQ(r.sobol_first.shape, (Shape{3, 3, 10}));
  // The first term left out of 7 sin^2(pi xi) is 7 J_22(2 pi) = 5e-10.
  const double tolerance = 2e-9;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j) {
      const std::size_t point = i * places.size() + j;
      const double factor = 1.0 + places[j];
      EXPECT_NEAR(r.mean.data[point], times[i] + factor * 3.5, tolerance * factor);
      EXPECT_NEAR(r.variance.data[point], factor * factor * v, tolerance * factor * factor * v);
      for (std::size_t p = 0; p < 3; ++p) {
        EXPECT_NEAR(r.sobol_first.data[30 * p + point], first[p], tolerance);
        EXPECT_NEAR(r.sobol_total.data[30 * p + point], total[p], tolerance);
        EXPECT_NEAR(r.sensitivity.data[30 * p + point], 0.0, tolerance);  // f takes the same values at both ends
      }
    }
}

// E[T_k T_l].
Real gram(int k, int l) {
  const auto mean = [](int n) { return n % 2 == 0 ? 1 / (1 - Real(n) * n) : Real(0); };
  return (mean(k + l) + mean(std::abs(k - l))) / 2;
}

// u(t, p, q, x) with random coefficients: two windows of different degrees, a logarithmic and a linear parameter.
struct RandomField {
  static constexpr int kDegree[4] = {2, 3, 2, 4};
  Solution s = empty_solution({{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
                               parameter("p", 0.5, 8.0, MapKind::log),
                               parameter("q", -1.0, 2.0),
                               {"x", AxisKind::space, -1.0, 1.0, MapKind::linear}},
                              {2, 3, 2, 4});
  RandomField() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    s.window_edges = {0.0, 0.5, 2.0};
    s.subdomains.push_back(s.subdomains[0]);
    s.subdomains[0][0].edges = {0.0, 0.5};
    s.subdomains[1][0].edges = {0.5, 2.0};
    FieldSolution u{"u", {0, 1, 2, 3}, {Array({3, 4, 3, 5}), Array({3, 4, 3, 5})}};
    for (Array& window : u.windows)
      for (double& value : window.data) value = uniform(random);
    s.fields = {u};
  }

  // The coefficients along (p, q) at a point, by T_k(cos theta) = cos(k theta).
  std::vector<std::vector<Real>> parameter_series(double t, double x) const {
    const std::size_t w = t <= 0.5 ? 0 : 1;
    const Real lower = s.window_edges[w], upper = s.window_edges[w + 1];
    const Real tau = std::acos((2 * t - lower - upper) / (upper - lower)), xi = std::acos(Real(x));
    std::vector<std::vector<Real>> series(4, std::vector<Real>(3, 0));
    std::size_t flat = 0;
    for (int i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          for (int l = 0; l < 5; ++l)
            series[j][k] += s.fields[0].windows[w].data[flat++] * std::cos(i * tau) * std::cos(l * xi);
    return series;
  }
};

struct Moments {
  Real mean = 0, variance = 0, first_p = 0, first_q = 0;
};

Moments exact_moments(const std::vector<std::vector<Real>>& c) {
  Moments m;
  Real square = 0, square_p = 0, square_q = 0;
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 3; ++k) {
      m.mean += c[j][k] * gram(j, 0) * gram(k, 0);
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 3; ++b) {
          square += c[j][k] * c[a][b] * gram(j, a) * gram(k, b);
          square_p += c[j][k] * c[a][b] * gram(j, a) * gram(k, 0) * gram(b, 0);
          square_q += c[j][k] * c[a][b] * gram(j, 0) * gram(a, 0) * gram(k, b);
        }
    }
  m.variance = square - m.mean * m.mean;
  m.first_p = (square_p - m.mean * m.mean) / m.variance;
  m.first_q = (square_q - m.mean * m.mean) / m.variance;
  return m;
}

TEST(ParameterStatistics, RandomSeriesInWindows) {
  const RandomField field;
  const std::vector<double> times{0.0, 0.2, 0.5, 0.7, 2.0}, places{-1.0, -0.3, 0.4, 1.0};
  const ParameterStatistics r = statistics(field.s, "u", {times, {}, {}, places});
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j) {
      const std::size_t point = i * places.size() + j;
      const auto series = field.parameter_series(times[i], places[j]);
      const Moments exact = exact_moments(series);
      // Sums of a few hundred products of order one.
      EXPECT_NEAR(r.mean.data[point], static_cast<double>(exact.mean), 1e-13);
      EXPECT_NEAR(r.variance.data[point], static_cast<double>(exact.variance), 1e-12);
      EXPECT_NEAR(r.sobol_first.data[point], static_cast<double>(exact.first_p), 1e-12);
      EXPECT_NEAR(r.sobol_first.data[20 + point], static_cast<double>(exact.first_q), 1e-12);
      // Two parameters: the total index of one is what the other does not explain.
      EXPECT_NEAR(r.sobol_total.data[point], static_cast<double>(1 - exact.first_q), 1e-12);
      EXPECT_NEAR(r.sobol_total.data[20 + point], static_cast<double>(1 - exact.first_p), 1e-12);
      // E[du/dq] = (E_p[u] at q = upper - at q = lower)/(upper - lower): only T_1 is different at the two ends.
      Real slope = 0;
      for (int k = 0; k < 4; ++k) slope += 2 * series[static_cast<std::size_t>(k)][1] * gram(k, 0) / 3;
      EXPECT_NEAR(r.sensitivity.data[20 + point], static_cast<double>(slope), 1e-12);
    }
}

// An integral over space leaves time only; its variance is that of the integrated series (int T_l = 2/(1 - l^2)).
TEST(ParameterStatistics, IntegralOverSpace) {
  const RandomField field;
  const ParameterStatistics r = statistics(field.s, "integral(u, x)", {{0.1, 1.9}, {}, {}, {0.0, 0.5, 1.0}});
  EXPECT_EQ(r.axes, std::vector<int>{0});
  ASSERT_EQ(r.sobol_total.shape, (Shape{2, 2}));
  Solution integrated = field.s;
  for (Array& window : integrated.fields[0].windows)
    for (std::size_t i = 0; i < window.data.size(); ++i) {
      const int l = static_cast<int>(i % 5);  // the integral becomes the constant of a series in x
      window.data[i - i % 5] =
          l == 0 ? 2 * window.data[i] : window.data[i - i % 5] + (l % 2 ? 0.0 : 2.0 / (1 - l * l)) * window.data[i];
      if (l > 0) window.data[i] = 0.0;
    }
  RandomField constant_in_x;
  constant_in_x.s = integrated;
  for (std::size_t i = 0; i < 2; ++i) {
    const Moments exact = exact_moments(constant_in_x.parameter_series(i == 0 ? 0.1 : 1.9, 0.0));
    EXPECT_NEAR(r.mean.data[i], static_cast<double>(exact.mean), 1e-13);
    EXPECT_NEAR(r.variance.data[i], static_cast<double>(exact.variance), 1e-12);
    EXPECT_NEAR(r.sobol_first.data[i], static_cast<double>(exact.first_p), 1e-12);
  }
}

TEST(ParameterStatistics, RefusesWhatItCannotDo) {
  const Axis x{"x", AxisKind::space, 0.0, 1.0, MapKind::linear};
  EXPECT_THROW(statistics(empty_solution({x}, {1}), "x", {{0.5}}), ShapeError);
  const Solution s = empty_solution({parameter("p", 0.0, 1.0), x}, {1, 1});
  EXPECT_THROW(statistics(s, "x*p", {{}}), ShapeError);
  EXPECT_THROW(statistics(s, "x*p", {{}, {}}), ShapeError);
  std::vector<Axis> many;
  for (const char* name : {"p", "q", "r", "v", "w"}) many.push_back(parameter(name, 0.0, 1.0));
  EXPECT_THROW(statistics(empty_solution(many, {30, 30, 30, 30, 30}), "p*q*r*v*w", GridPoints(5)), MemoryError);
}

}  // namespace
}  // namespace gwrm::parameter_statistics_test
