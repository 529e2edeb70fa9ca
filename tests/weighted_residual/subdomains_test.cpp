// An axis divided into subdomains: jumps at the inner edges and the way to other subdomains, against the polynomials
// themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "basis/axis_basis.hpp"
#include "weighted_residual/support_case.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm::subdomains_test {
namespace {

class Subdomains : public ::testing::Test {
 protected:
  Vector coefficients(Index n) {
    return Vector::NullaryExpr(n, [this] { return std::uniform_real_distribution<double>(-1.0, 1.0)(generator_); });
  }
  double number(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(generator_); }
  std::mt19937_64 generator_{17};
};

const AxisDescription kUnequal{7, {-1.0, -0.8, 0.3, 0.35, 2.0}};

AxisDescription on(AxisDescription subdomains, MapKind kind) {
  subdomains.map = kind;
  return subdomains;
}

// sum_k a_k cos(k arccos xi) on the subdomain that holds z, in long double.
double value_at(const AxisDescription& subdomains, const Vector& a, double z, MapKind kind) {
  const Index p = subdomains.subdomain_of(z);
  long double lower = subdomains.edges[static_cast<std::size_t>(p)],
              upper = subdomains.edges[static_cast<std::size_t>(p) + 1];
  long double at = z;
  if (kind == MapKind::log) lower = std::log(lower), upper = std::log(upper), at = std::log(at);
  const long double xi = (2.0L * at - lower - upper) / (upper - lower);
  long double sum = 0.0L;
  for (Index k = 0; k <= subdomains.degree; ++k)
    sum += static_cast<long double>(a(p * (subdomains.degree + 1) + k)) *
           std::cos(static_cast<long double>(k) * std::acos(std::clamp(xi, -1.0L, 1.0L)));
  return static_cast<double>(sum);
}

// d^order T_k / dxi^order at xi = +-1: (+-1)^(k + order) prod_{i < order} (k^2 - i^2) / (2 i + 1).
long double end_derivative(Index k, int order, int end) {
  long double product = 1.0L;
  for (int i = 0; i < order; ++i)
    product *= (static_cast<long double>(k) * static_cast<long double>(k) - i * i) / (2.0L * i + 1.0L);
  return end < 0 && (k + order) % 2 != 0 ? -product : product;
}

TEST_F(Subdomains, JumpsAreLeftMinusRight) {
  const Vector a = coefficients(kUnequal.n_coefficients());
  const Index n = kUnequal.degree + 1;
  for (int order = 0; order <= 4; ++order) {
    const Vector jumps = make_basis(on(kUnequal, MapKind::linear))->jump(order).dense() * a;
    ASSERT_EQ(jumps.size(), 3);
    for (Index e = 0; e < 3; ++e) {
      const auto side = [&](Index p, int end) {
        const long double length =
            kUnequal.edges[static_cast<std::size_t>(p) + 1] - kUnequal.edges[static_cast<std::size_t>(p)];
        long double sum = 0.0L;
        for (Index k = 0; k < n; ++k) sum += static_cast<long double>(a(p * n + k)) * end_derivative(k, order, end);
        return sum * std::pow(2.0L / length, static_cast<long double>(order));
      };
      const long double left = side(e, +1), right = side(e + 1, -1);
      // Eight terms, each off by a few eps.
      EXPECT_NEAR(jumps(e), static_cast<double>(left - right),
                  1e-14 * static_cast<double>(std::abs(left) + std::abs(right)) + 1e-14);
    }
  }
}

// xi = affine in log z: u' = u_xi xi', u'' = u_xi,xi xi'^2 - u_xi xi' / z with xi' = 2 / (z log(upper/lower)).
TEST_F(Subdomains, JumpsOnALogarithmicAxis) {
  const AxisDescription subdomains{6, {0.5, 0.9, 4.0, 5.0}};
  const Vector a = coefficients(subdomains.n_coefficients());
  const Index n = subdomains.degree + 1;
  for (int order = 0; order <= 2; ++order) {
    const Vector jumps = make_basis(on(subdomains, MapKind::log))->jump(order).dense() * a;
    for (Index e = 0; e < 2; ++e) {
      const double z = subdomains.edges[static_cast<std::size_t>(e) + 1];
      const auto side = [&](Index p, int end) {
        const long double slope =
            2.0L / (z * std::log(static_cast<long double>(subdomains.edges[static_cast<std::size_t>(p) + 1]) /
                                 subdomains.edges[static_cast<std::size_t>(p)]));
        long double in_xi[3] = {0.0L, 0.0L, 0.0L};
        for (int m = 0; m <= 2; ++m)
          for (Index k = 0; k < n; ++k) in_xi[m] += static_cast<long double>(a(p * n + k)) * end_derivative(k, m, end);
        if (order == 0) return in_xi[0];
        return order == 1 ? in_xi[1] * slope : in_xi[2] * slope * slope - in_xi[1] * slope / z;
      };
      const long double left = side(e, +1), right = side(e + 1, -1);
      EXPECT_NEAR(jumps(e), static_cast<double>(left - right),
                  1e-13 * static_cast<double>(std::abs(left) + std::abs(right)));
    }
  }
}

TEST_F(Subdomains, FinerSubdomainsHoldTheSamePolynomial) {
  for (MapKind kind : {MapKind::linear, MapKind::log}) {
    const AxisDescription coarse{6, {0.5, 1.0, 3.0}}, fine{9, {0.5, 0.75, 1.0, 1.1, 2.9, 3.0}};
    const Vector a = coefficients(coarse.n_coefficients());
    const Vector b = conversion(on(coarse, kind), on(fine, kind)).dense() * a;
    ASSERT_EQ(b.size(), fine.n_coefficients());
    for (int i = 0; i < 200; ++i) {
      const double z = number(0.5, 3.0);
      EXPECT_NEAR(value_at(fine, b, z, kind), value_at(coarse, a, z, kind), 2e-14) << z;
    }
  }
}

TEST_F(Subdomains, MergedSubdomainsOfAPolynomialGiveItBack) {
  for (MapKind kind : {MapKind::linear, MapKind::log}) {
    const AxisDescription whole{6, {0.5, 3.0}}, divided{6, {0.5, 0.75, 2.0, 3.0}};
    const Vector a = coefficients(7);
    const Vector back = conversion(on(divided, kind), on(whole, kind)).dense() *
                        (conversion(on(whole, kind), on(divided, kind)).dense() * a);
    EXPECT_LE((back - a).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// Where a new subdomain spans old edges: the polynomial through the values at its Gauss points.
TEST_F(Subdomains, OtherwiseTheyInterpolate) {
  const AxisDescription from{5, {0.0, 0.4, 1.0, 2.0}}, to{8, {0.0, 1.2, 2.0}};
  const Vector a = coefficients(from.n_coefficients());
  const Vector b = conversion(on(from, MapKind::linear), on(to, MapKind::linear)).dense() * a;
  for (Index p = 0; p < 2; ++p)
    for (int i = 0; i < 9; ++i) {
      const double lower = to.edges[static_cast<std::size_t>(p)], upper = to.edges[static_cast<std::size_t>(p) + 1];
      const double z = 0.5 * (lower + upper) + 0.5 * (upper - lower) * std::cos(M_PI * (2 * i + 1) / 18.0);
      EXPECT_NEAR(value_at(to, b, z, MapKind::linear), value_at(from, a, z, MapKind::linear), 5e-14) << z;
    }
}

TEST_F(Subdomains, LowerDegreeTruncatesTheSeries) {
  const AxisDescription from{7, kUnequal.edges}, to{4, kUnequal.edges};
  const Vector a = coefficients(from.n_coefficients());
  const Vector b = conversion(on(from, MapKind::linear), on(to, MapKind::linear)).dense() * a;
  for (Index p = 0; p < 4; ++p)
    for (Index k = 0; k <= 4; ++k) EXPECT_NEAR(b(p * 5 + k), a(p * 8 + k), 1e-14);
}

TEST_F(Subdomains, EqualOnesAreLeftAlone) {
  EXPECT_TRUE(conversion(on(kUnequal, MapKind::linear), on(kUnequal, MapKind::linear)).identity);
  AxisDescription other = kUnequal;
  other.edges[2] += 1e-3;
  EXPECT_FALSE(conversion(on(kUnequal, MapKind::linear), on(other, MapKind::linear)).identity);
}

// ---- the operators of a divided axis

const std::string kDivided = R"yaml(schema: 1
domain: {x: [-1, 2]}
unknowns: [u]
equations: ["dx(u,2) = u^2"]
boundary: ["u(x=-1) = 0", "u(x=2) = 0"]
resolution: {degree: {x: 7}, domains: {x: [-1, -0.8, 0.3, 0.35, 2]}}
)yaml";

struct Divided {
  Model model = build_model(test::case_of(kDivided));
  Discretisation discretisation{model, model.subdomains, {0.0}, 0.0, 1.0};
  expression::Atom atom(int order) const { return {0, false, {order}, {false}, {0.0}}; }
};

TEST_F(Subdomains, TrialGivesValuesAndTestGivesThemBack) {
  const Divided d;
  const Vector a = coefficients(d.discretisation.n_unknowns(0));
  const Vector values = d.discretisation.trial(0, d.atom(0), d.model.fields[0]).dense() * a;
  const Vector& points = d.discretisation.points(0);
  ASSERT_EQ(values.size(), points.size());
  for (Index i = 0; i < points.size(); ++i)
    // Next to an end of the shortest subdomain a rounding of the point itself moves T_7 by 7^2 (2 / 0.05) eps.
    EXPECT_NEAR(values(i), value_at(kUnequal, a, points(i), MapKind::linear), 2e-12);
  EXPECT_LE((d.discretisation.test(0).dense() * values - a).cwiseAbs().maxCoeff(), 2e-15 * 8);
  const std::vector<Index> some = {0, 3, 7, 9, 10, 30, 31};
  const Vector chosen = d.discretisation.test(0, some).dense() * values;
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_NEAR(chosen(static_cast<Index>(i)), a(some[i]), 2e-14);
}

// (z^5)' = 5 z^4, (z^5)'' = 20 z^3 at every point, int = (2^6 - 1)/6.
TEST_F(Subdomains, DerivativesAndWeightsInThePhysicalCoordinate) {
  const Divided d;
  const Vector& points = d.discretisation.points(0);
  const Vector powers = points.array().pow(5.0);
  const Vector a = d.discretisation.test(0).dense() * powers;
  const Vector first = d.discretisation.trial(0, d.atom(1), d.model.fields[0]).dense() * a;
  const Vector second = d.discretisation.trial(0, d.atom(2), d.model.fields[0]).dense() * a;
  // The shortest subdomain, 1/20 long, magnifies round-off of the values by (40 * 49 / 20) and its square.
  for (Index i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(first(i), 5.0 * std::pow(points(i), 4.0), 1e-11);
    EXPECT_NEAR(second(i), 20.0 * std::pow(points(i), 3.0), 1e-8);
  }
  EXPECT_NEAR(d.discretisation.weights()[0].dot(powers), 63.0 / 6.0, 1e-13);
}

}  // namespace
}  // namespace gwrm::subdomains_test
