// What a window takes from the one before, on polynomials that every step represents exactly.
#include "weighted_residual/window/window_start.hpp"

#include <cmath>

#include "weighted_residual/assembled.hpp"

namespace gwrm::window_start_test {
namespace {

// u with dt of order two, v with one, w with none. Along x cubic, on any subdomains; w does not depend on x.
const std::string kCase = R"yaml(schema: 1
domain: {t: [0, 3], x: [-1, 2]}
unknowns: [u, v, {name: w, dims: [t]}]
equations: ["dt(u,2) = u", "dt(v) = v", "w = 1"]
initial: {u: "1 + 2*x - x^3", "dt(u)": "x^2", v: "x - 2"}
guess: {w: "1 - t^2"}
resolution: {degree: {t: 6, x: 4}, domains: {x: [-1, 0.5, 2]}}
)yaml";

using Polynomial = std::vector<double>;  // coefficients of 1, z, z^2, ..

double value(const Polynomial& p, double z) {
  double sum = 0.0;
  for (std::size_t i = p.size(); i-- > 0;) sum = sum * z + p[i];
  return sum;
}

// Of c0 + .. + c3 x^3 on subdomains: x = m + h xi, and 1, xi, xi^2, xi^3 are T0, T1, (T0 + T2)/2, (3 T1 + T3)/4.
std::vector<double> cubic_on(const AxisDescription& subdomains, const Polynomial& c) {
  std::vector<double> a(static_cast<std::size_t>(subdomains.n_coefficients()), 0.0);
  for (Index p = 0; p < subdomains.n_subdomains(); ++p) {
    const double lower = subdomains.edges[static_cast<std::size_t>(p)],
                 upper = subdomains.edges[static_cast<std::size_t>(p) + 1];
    const double m = 0.5 * (lower + upper), h = 0.5 * (upper - lower);
    const double q0 = value(c, m), q1 = h * (c[1] + 2.0 * c[2] * m + 3.0 * c[3] * m * m),
                 q2 = h * h * (c[2] + 3.0 * c[3] * m), q3 = h * h * h * c[3];
    double* target = &a[static_cast<std::size_t>(p * (subdomains.degree + 1))];
    target[0] = q0 + q2 / 2.0;
    target[1] = q1 + 3.0 * q3 / 4.0;
    target[2] = q2 / 2.0;
    target[3] = q3 / 4.0;
  }
  return a;
}

const Polynomial kAlongX = {1.0, 2.0, -0.5, -1.0};
const std::vector<Polynomial> kInTime = {
    {0.3, -1.0, 0.5, 0.2, -0.1}, {1.0, 0.5, -0.3, 0.0, 0.05}, {-0.4, 0.2, 0.1, -0.3, 0.02}};

struct Windows {
  Model model = build_model(test::case_of(kCase));
  SystemPlan plan{model};
  Context context = Context::create(BackendChoice::cpu, 1);

  struct One {
    Discretisation discretisation;
    State state;
    WindowSystem system;
    One(const Windows& all, const std::vector<AxisDescription>& subdomains, double start, double end)
        : discretisation(all.model, subdomains, {0.0, 0.0}, start, end),
          state(initial_state(all.context, all.model, discretisation)),
          system(all.context, all.model, all.plan, discretisation, state) {}

    // The unknowns that are kInTime[field](t) * kAlongX(x).
    std::vector<double> unknowns() const {
      std::vector<double> x;
      const Vector& times = discretisation.points(0);
      for (std::size_t f = 0; f < 3; ++f)
        for (Index i = 0; i < times.size(); ++i) {
          const std::vector<double> along_x =
              f == 2 ? std::vector<double>{1.0} : cubic_on(discretisation.subdomains(1), kAlongX);
          for (double a : along_x) x.push_back(value(kInTime[f], times(i)) * a);
        }
      return x;
    }
  };

  std::vector<AxisDescription> subdomains(int degree_t, int degree_x, const std::vector<double>& edges) const {
    return {{degree_t, model.subdomains[0].edges}, {degree_x, edges}};
  }
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(WindowStart, InitialValuesOnEverySubdomain) {
  const Windows all;
  const Windows::One window(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.0, 1.0);
  const AxisDescription& subdomains = window.discretisation.subdomains(1);
  expect_near(window.state[0][0].data, cubic_on(subdomains, {1.0, 2.0, 0.0, -1.0}), 1e-14);
  expect_near(window.state[0][1].data, cubic_on(subdomains, {0.0, 0.0, 1.0, 0.0}), 1e-14);
  expect_near(window.state[1][0].data, cubic_on(subdomains, {-2.0, 1.0, 0.0, 0.0}), 1e-14);
  EXPECT_TRUE(window.state[2].empty());
}

TEST(WindowStart, StateOnOtherSubdomains) {
  const Windows all;
  const auto from = all.subdomains(6, 4, {-1.0, 0.5, 2.0});
  const Windows::One window(all, from, 0.0, 1.0);
  for (const auto& to : {all.subdomains(6, 4, {-1.0, 0.5, 1.0, 1.3, 2.0}), all.subdomains(6, 7, {-1.0, 2.0}), from}) {
    const State state = on_subdomains(all.context, all.model, window.state, from, to);
    expect_near(state[0][0].data, cubic_on(to[1], {1.0, 2.0, 0.0, -1.0}), 1e-13);
    expect_near(state[1][0].data, cubic_on(to[1], {-2.0, 1.0, 0.0, 0.0}), 1e-13);
  }
}

TEST(WindowStart, FirstOneIsTheGuess) {
  const Windows all;
  const Windows::One window(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.0, 1.0);
  const std::vector<double> x = constant_start(window.system);
  const std::size_t w = static_cast<std::size_t>(window.system.layouts()[2].offset);
  for (std::size_t i = 0; i < w; ++i) EXPECT_EQ(x[i], 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    const double t = window.discretisation.points(0)(static_cast<Index>(i));
    EXPECT_NEAR(x[w + i], 1.0 - t * t, 1e-14);
  }
}

TEST(WindowStart, ConstantKeepsTheLastValueOfWhatHasNoState) {
  const Windows all;
  const Windows::One before(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.0, 1.0);
  const Windows::One now(all, all.subdomains(5, 6, {-1.0, 0.0, 2.0}), 1.0, 1.4);
  const std::vector<double> x = constant_start(now.system, before.system, before.unknowns());
  const std::size_t w = static_cast<std::size_t>(now.system.layouts()[2].offset);
  ASSERT_EQ(x.size(), w + 5);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], i < w ? 0.0 : value(kInTime[2], 1.0), 1e-13);
}

// Degree 4 in t through five points, and new subdomains that hold the cubic.
TEST(WindowStart, ExtrapolationContinuesPolynomials) {
  const Windows all;
  const Windows::One before(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.0, 1.0);
  for (const std::vector<double>& edges : {std::vector<double>{-1.0, 0.5, 2.0}, {-1.0, -0.3, 0.5, 2.0}, {-1.0, 2.0}}) {
    const Windows::One now(all, all.subdomains(8, 5, edges), 1.0, 1.7);
    // Extrapolation by 1.4 times the last half window magnifies round-off by some 1e4.
    expect_near(extrapolated_start(now.system, before.system, before.unknowns()), now.unknowns(), 1e-10);
  }
}

TEST(WindowStart, CarriedIsTheSamePolynomial) {
  const Windows all;
  const Windows::One attempt(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.5, 2.5);
  const Windows::One shorter(all, all.subdomains(6, 4, {-1.0, 0.5, 0.9, 2.0}), 0.5, 0.9);
  expect_near(carried_start(shorter.system, attempt.system, attempt.unknowns()), shorter.unknowns(), 1e-12);
}

// u'' = p(t) q(x) with the state of `initial`: the coefficients give u and u' at the end as the integrals of p do.
TEST(WindowStart, EndStateOfCoefficientsAndOfUnknowns) {
  const Windows all;
  const Windows::One window(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.0, 1.3);
  const std::vector<double> x = window.unknowns();
  std::vector<Array> coefficients;
  for (int f = 0; f < 3; ++f) coefficients.push_back(window.system.coefficients(x, f));
  const State from_polynomials = state_at(all.model, coefficients, 0.0, 1.3, 1.3),
              from_unknowns = window.system.end_state(x);

  const double h = 1.3;
  double once = 0.0, twice = 0.0, v = 0.0;  // int p, int int p of u; int p of v
  for (std::size_t i = 0; i < 5; ++i) {
    const double n = static_cast<double>(i);
    once += kInTime[0][i] * std::pow(h, n + 1) / (n + 1);
    twice += kInTime[0][i] * std::pow(h, n + 2) / ((n + 1) * (n + 2));
    v += kInTime[1][i] * std::pow(h, n + 1) / (n + 1);
  }
  const auto sum = [&](const Polynomial& state, double factor) {
    Polynomial p = kAlongX;
    for (std::size_t i = 0; i < 4; ++i) p[i] = state[i] + factor * p[i];
    return cubic_on(window.discretisation.subdomains(1), p);
  };
  const Polynomial u0{1.0, 2.0, 0.0, -1.0}, u1{0.0, 0.0, 1.0, 0.0};
  Polynomial moved = u0;
  for (std::size_t i = 0; i < 4; ++i) moved[i] += h * u1[i];
  // The K-1 = 5 degrees of Radau's interpolant hold p; dt of the coefficients magnifies round-off by K^2 2/h.
  for (const State* state : {&from_polynomials, &from_unknowns}) {
    expect_near((*state)[0][0].data, sum(moved, twice), 1e-13);
    expect_near((*state)[0][1].data, sum(u1, once), 2e-12);
    expect_near((*state)[1][0].data, sum({-2.0, 1.0, 0.0, 0.0}, v), 1e-13);
    EXPECT_TRUE((*state)[2].empty());
  }
}

TEST(WindowStart, UnknownsOfCoefficients) {
  const Windows all;
  const Windows::One window(all, all.subdomains(6, 4, {-1.0, 0.5, 2.0}), 0.2, 1.3);
  const std::vector<double> x = window.unknowns();
  std::vector<Array> coefficients;
  for (int f = 0; f < 3; ++f) coefficients.push_back(window.system.coefficients(x, f));
  // The second derivative in time magnifies round-off by (K^2 2/h)^2.
  expect_near(unknowns_from(window.system, coefficients, window.discretisation.subdomains()), x, 2e-11);
}

}  // namespace
}  // namespace gwrm::window_start_test
