// Spherical-harmonic transforms against sums in quadruple precision, against closed forms, and each against the other.
#include "kernels/transform/spherical_harmonics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "core/errors.hpp"
#include "random_array.hpp"
#include "spherical_oracle.hpp"

namespace gwrm::spherical_harmonics_test {
namespace {

using test::Quadruple;
using Complex = std::complex<double>;

std::vector<double> random_field(Index n, unsigned seed) {
  return test::Random(seed).array({n}).data;
}

// Coefficients of a real field: those of order 0 are real.
std::vector<Complex> random_coefficients(const AssociatedLegendrePlan& plan, Index batch, unsigned seed) {
  test::Random random(seed);
  std::vector<Complex> a;
  for (Index b = 0; b < batch; ++b)
    for (Index m = 0; m <= plan.degree(); ++m)
      for (Index l = m; l <= plan.degree(); ++l) a.emplace_back(random.number(), m == 0 ? 0.0 : random.number());
  return a;
}

std::vector<double> synthesis(const SphericalPlan& plan, Index batch, const std::vector<Complex>& a,
                              int n_threads = 1) {
  std::vector<double> f(at(batch * plan.n_points()), NAN), room(cpu::spherical_workspace(plan, n_threads), NAN);
  cpu::spherical_synthesis(plan, batch, a.data(), f.data(), room.data(), n_threads);
  return f;
}
std::vector<Complex> analysis(const SphericalPlan& plan, Index batch, const std::vector<double>& f, int n_threads = 1) {
  std::vector<Complex> a(at(batch * plan.n_coefficients()), NAN);
  std::vector<double> room(cpu::spherical_workspace(plan, n_threads), NAN);
  cpu::spherical_analysis(plan, batch, f.data(), a.data(), room.data(), n_threads);
  return a;
}

// Roundings of sums of waves and functions, which add up as a random walk.
double tolerance(Index degree) {
  return 2e-15 * (1.0 + std::sqrt(static_cast<double>(degree) / 100.0));
}

// Largest error over largest value, found as the values come.
struct Error {
  double error = 0.0, largest = 0.0;
  void add(double value, Quadruple exact) {
    error = std::max(error, std::abs(static_cast<double>(value - exact)));
    if (std::isnan(value)) error = INFINITY;
    largest = std::max(largest, std::abs(static_cast<double>(exact)));
  }
  double relative() const { return error / largest; }
};

std::set<Index> spread(Index n) {
  std::set<Index> chosen;
  for (const Index i : {Index{0}, Index{1}, n / 5, n / 3, n / 2, n - 2, n - 1})
    if (i >= 0 && i < n) chosen.insert(i);
  return chosen;
}

// f(theta_i, phi_j) at some rows and columns.
double synthesis_error(const SphericalPlan& plan, const std::vector<Complex>& a, const std::vector<double>& f) {
  const Index degree = plan.degree(), n_phi = plan.n_phi();
  Error error;
  for (const Index i : spread(plan.n_theta())) {
    const test::GaussNode node =
        test::gauss_node(plan.n_theta(), std::cos(static_cast<long double>(plan.legendre().theta()[at(i)])));
    std::vector<Quadruple> re, im;
    for (Index m = 0; m <= degree; ++m) {
      const std::vector<Quadruple> p = test::legendre_functions(degree, m, node.x);
      Quadruple sum_re = 0, sum_im = 0;
      for (Index l = m; l <= degree; ++l) {
        const Complex c = a[at(plan.legendre().coefficient_place(m) + l - m)];
        sum_re += p[at(l - m)] * c.real();
        sum_im += p[at(l - m)] * c.imag();
      }
      re.push_back(sum_re);
      im.push_back(sum_im);
    }
    const Quadruple scale = 1 / test::square_root(2 * test::quadruple_pi());
    for (const Index j : spread(n_phi)) {
      Quadruple sum = re[0];
      for (Index m = 1; m <= degree; ++m)
        sum += 2 * (re[at(m)] * test::exact_cosine(2 * m * j, n_phi) - im[at(m)] * test::exact_sine(2 * m * j, n_phi));
      error.add(f[at(i * n_phi + j)], scale * sum);
    }
  }
  return error.relative();
}

// a_lm of some orders, all degrees.
double analysis_error(const SphericalPlan& plan, const std::vector<double>& f, const std::vector<Complex>& a) {
  const Index degree = plan.degree(), n_phi = plan.n_phi();
  std::vector<test::GaussNode> nodes;
  for (const double theta : plan.legendre().theta())
    nodes.push_back(test::gauss_node(plan.n_theta(), std::cos(static_cast<long double>(theta))));
  const Quadruple scale = test::square_root(2 * test::quadruple_pi()) / n_phi;
  Error error;
  for (const Index m : std::set<Index>{0, std::min<Index>(1, degree), degree / 2, degree}) {
    std::vector<Quadruple> re(at(degree - m + 1)), im(at(degree - m + 1));
    for (Index i = 0; i < plan.n_theta(); ++i) {
      const std::vector<Quadruple> p = test::legendre_functions(degree, m, nodes[at(i)].x);
      Quadruple mode_re = 0, mode_im = 0;
      for (Index j = 0; j < n_phi; ++j) {
        mode_re += f[at(i * n_phi + j)] * test::exact_cosine(2 * m * j, n_phi);
        mode_im -= f[at(i * n_phi + j)] * test::exact_sine(2 * m * j, n_phi);
      }
      for (Index l = m; l <= degree; ++l) {
        re[at(l - m)] += nodes[at(i)].weight * scale * mode_re * p[at(l - m)];
        im[at(l - m)] += nodes[at(i)].weight * scale * mode_im * p[at(l - m)];
      }
    }
    for (Index l = m; l <= degree; ++l) {
      const Complex found = a[at(plan.legendre().coefficient_place(m) + l - m)];
      error.add(found.real(), re[at(l - m)]);
      error.add(found.imag(), im[at(l - m)]);
    }
  }
  return error.relative();
}

struct Grid {
  Index degree, n_theta, n_phi;
};
// The least numbers of points, more of them, odd and even, and one prime.
const std::vector<Grid> kGrids = {{0, 1, 1},     {0, 3, 4},       {1, 2, 3},      {2, 3, 5},
                                  {2, 8, 9},     {31, 32, 64},    {32, 33, 65},   {33, 40, 67},
                                  {63, 64, 128}, {255, 256, 512}, {257, 259, 540}};

TEST(SphericalHarmonics, SynthesisIsTheSum) {
  for (const Grid& grid : kGrids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const auto a = random_coefficients(plan.legendre(), 1, 1);
    EXPECT_LE(synthesis_error(plan, a, synthesis(plan, 1, a)), tolerance(grid.degree)) << grid.degree;
  }
}

TEST(SphericalHarmonics, AnalysisIsTheQuadrature) {
  for (const Grid& grid : kGrids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const auto f = random_field(plan.n_points(), 2);
    EXPECT_LE(analysis_error(plan, f, analysis(plan, 1, f)), tolerance(grid.degree)) << grid.degree;
  }
}

TEST(SphericalHarmonics, AnalysisUndoesSynthesis) {
  for (const Index batch : {1, 3})
    for (const Grid& grid : kGrids) {
      const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
      const auto a = random_coefficients(plan.legendre(), batch, 3);
      const auto b = analysis(plan, batch, synthesis(plan, batch, a));
      double error = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        error = std::max(error, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(a[i]));
      }
      EXPECT_LE(error, tolerance(grid.degree) * largest) << grid.degree << ", batch " << batch;
    }
}

double round_trip(Index degree) {
  const SphericalPlan plan(degree, degree + 1, smooth_length(2 * degree + 1));
  const auto a = random_coefficients(plan.legendre(), 1, 3), b = analysis(plan, 1, synthesis(plan, 1, a));
  double error = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) error = std::max(error, std::abs(a[i] - b[i]));
  return error / std::numbers::sqrt2;  // the largest coefficients are close to 1 + i
}
TEST(SphericalHarmonics, HighDegreeKeepsItsDigits) {
  EXPECT_LE(round_trip(1023), tolerance(1023));
}

// The scalar product of coefficients that stand for both signs of the order, and the sum of its moduli.
struct Product {
  long double value = 0.0L, size = 0.0L;
  void add(long double a, long double b) {
    value += a * b;
    size += std::abs(a * b);
  }
};
Product coefficient_product(const AssociatedLegendrePlan& plan, const Complex* a, const Complex* b, bool energy) {
  Product product;
  for (Index m = 0; m <= plan.degree(); ++m)
    for (Index l = m; l <= plan.degree(); ++l) {
      const Complex p = a[plan.coefficient_place(m) + l - m], q = b[plan.coefficient_place(m) + l - m];
      const long double weight = (m == 0 ? 1.0L : 2.0L) * (energy ? static_cast<long double>(l * (l + 1)) : 1.0L);
      product.add(weight * p.real(), q.real());
      product.add(weight * p.imag(), q.imag());
    }
  return product;
}
Product grid_product(const AssociatedLegendrePlan& plan, Index n_phi, const std::vector<double>& f,
                     const std::vector<double>& g) {
  Product product;
  for (Index i = 0; i < plan.n_theta(); ++i)
    for (Index j = 0; j < n_phi; ++j)
      product.add(static_cast<long double>(plan.weights()[at(i)]) * 2.0L * std::numbers::pi_v<long double> /
                      static_cast<long double>(n_phi) * f[at(i * n_phi + j)],
                  g[at(i * n_phi + j)]);
  return product;
}

TEST(SphericalHarmonics, AnalysisIsTheAdjointOfSynthesis) {
  for (const Grid& grid : kGrids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const auto a = random_coefficients(plan.legendre(), 1, 4);
    const auto f = random_field(plan.n_points(), 5);
    const Product left = grid_product(plan.legendre(), plan.n_phi(), synthesis(plan, 1, a), f);
    const Product right = coefficient_product(plan.legendre(), a.data(), analysis(plan, 1, f).data(), false);
    EXPECT_LE(std::abs(left.value - right.value), 1e-15L * (left.size + right.size)) << grid.degree;
  }
}

TEST(SphericalHarmonics, ThreadsDoNotChangeABit) {
  const SphericalPlan plan(100, 101, 216);
  const auto a = random_coefficients(plan.legendre(), 2, 6);
  const auto f = synthesis(plan, 2, a, 1);
  EXPECT_EQ(f, synthesis(plan, 2, a, 3));
  EXPECT_EQ(f, synthesis(plan, 2, a, 1));
  EXPECT_EQ(analysis(plan, 2, f, 1), analysis(plan, 2, f, 3));
}

// A number that is none spoils its own field of the batch, and no other.
TEST(SphericalHarmonics, NotANumberStaysInItsField) {
  const SphericalPlan plan(20, 21, 45);
  auto a = random_coefficients(plan.legendre(), 2, 7);
  const auto clean = synthesis(plan, 2, a);
  a[5] = NAN;
  const auto f = synthesis(plan, 2, a);
  EXPECT_TRUE(std::isnan(f[0]));
  for (Index i = plan.n_points(); i < 2 * plan.n_points(); ++i) EXPECT_EQ(f[at(i)], clean[at(i)]);
  EXPECT_TRUE(std::isnan(analysis(plan, 2, f)[0].real()));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ShapeError& error) {
    return error.what();
  }
  return "";
}

TEST(SphericalHarmonics, WhatDoesNotFitIsRefused) {
  EXPECT_NE(message_of([] { SphericalPlan(31, 31, 64); }).find("31 points in theta, at least 32"), std::string::npos);
  EXPECT_NE(message_of([] { SphericalPlan(31, 32, 62); }).find("62 points in phi, at least 63"), std::string::npos);
  EXPECT_NE(message_of([] { SphericalPlan(31, 32, 0); }).find("at least 63"), std::string::npos);
  EXPECT_NE(message_of([] { SphericalPlan(-1, 32, 64); }).find("from 0 to 4095"), std::string::npos);
  EXPECT_NE(message_of([] { SphericalPlan(4096, 5000, 9000); }).find("from 0 to 4095"), std::string::npos);
  EXPECT_NE(message_of([] { VectorSphericalPlan(31, 32, 64); }).find("at least 33"), std::string::npos);
  EXPECT_NE(message_of([] { VectorSphericalPlan(31, 33, 62); }).find("at least 63"), std::string::npos);
  EXPECT_THROW(VectorSphericalPlan(-1, 8, 8), ShapeError);
  const SphericalPlan plan(2, 3, 5);
  const VectorSphericalPlan vectors(2, 4, 5);
  std::vector<double> room(cpu::spherical_workspace(vectors, 1));
  double f[60] = {};
  Complex a[12] = {};
  EXPECT_THROW(cpu::spherical_synthesis(plan, 0, a, f, room.data(), 1), ShapeError);
  EXPECT_THROW(cpu::spherical_analysis(plan, 1, f, a, room.data(), 0), ShapeError);
  EXPECT_THROW(cpu::vector_synthesis(vectors, 0, a, a, f, f, room.data(), 1), ShapeError);
}

struct VectorField {
  std::vector<double> theta, phi;
};
VectorField vector_synthesis(const VectorSphericalPlan& plan, Index batch, const std::vector<Complex>& s,
                             const std::vector<Complex>& t, int n_threads = 1) {
  VectorField u{std::vector<double>(at(batch * plan.n_points()), NAN), {}};
  u.phi = u.theta;
  std::vector<double> room(cpu::spherical_workspace(plan, n_threads), NAN);
  cpu::vector_synthesis(plan, batch, s.data(), t.data(), u.theta.data(), u.phi.data(), room.data(), n_threads);
  return u;
}
struct VectorParts {
  std::vector<Complex> s, t;
};
VectorParts vector_analysis(const VectorSphericalPlan& plan, Index batch, const VectorField& u, int n_threads = 1) {
  VectorParts parts{std::vector<Complex>(at(batch * plan.n_coefficients()), NAN), {}};
  parts.t = parts.s;
  std::vector<double> room(cpu::spherical_workspace(plan, n_threads), NAN);
  cpu::vector_analysis(plan, batch, u.theta.data(), u.phi.data(), parts.s.data(), parts.t.data(), room.data(),
                       n_threads);
  return parts;
}

// S = exp(k.r): grad S = S (k.theta, k.phi) and curl(S r) = S (k.phi, -k.theta) in the unit vectors of the grid; degree
// 20 has it to 1e-17 for |k| = 1.5.
TEST(VectorHarmonics, AreTheDerivativesOfAnExponential) {
  constexpr double k[3] = {0.9, -0.7, 0.95};
  constexpr Index degree = 20;
  const SphericalPlan scalar(degree, degree + 2, 2 * degree + 2);
  const VectorSphericalPlan plan(degree, degree + 2, 2 * degree + 2);
  const auto& theta = scalar.legendre().theta();
  std::vector<double> f;
  VectorField gradient;
  for (Index i = 0; i < plan.n_theta(); ++i)
    for (Index j = 0; j < plan.n_phi(); ++j) {
      const double ct = std::cos(theta[at(i)]), st = std::sin(theta[at(i)]);
      const double phi = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(plan.n_phi());
      const double cp = std::cos(phi), sp = std::sin(phi);
      f.push_back(std::exp(k[0] * st * cp + k[1] * st * sp + k[2] * ct));
      gradient.theta.push_back(f.back() * (k[0] * ct * cp + k[1] * ct * sp - k[2] * st));
      gradient.phi.push_back(f.back() * (k[1] * cp - k[0] * sp));
    }
  auto s = analysis(scalar, 1, f);
  const std::vector<Complex> none(s.size());
  const VectorField first = vector_synthesis(plan, 1, s, none), second = vector_synthesis(plan, 1, none, s);
  const VectorParts back = vector_analysis(plan, 1, gradient);
  // Coefficients have errors of some 1e-16 of the largest value, and those of degree l are multiplied by l.
  double largest = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) largest = std::max(largest, std::abs(gradient.theta[i]));
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_NEAR(first.theta[i], gradient.theta[i], 3e-15 * degree * largest);
    EXPECT_NEAR(first.phi[i], gradient.phi[i], 3e-15 * degree * largest);
    EXPECT_NEAR(second.theta[i], gradient.phi[i], 3e-15 * degree * largest);
    EXPECT_NEAR(second.phi[i], -gradient.theta[i], 3e-15 * degree * largest);
  }
  s[0] = 0.0;  // the mean has no gradient
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_NEAR(std::abs(back.s[i] - s[i]), 0.0, 1e-14);
    EXPECT_NEAR(std::abs(back.t[i]), 0.0, 1e-14);
  }
}

TEST(VectorHarmonics, AnalysisUndoesSynthesisAndIsItsAdjoint) {
  for (const Index batch : {1, 3})
    for (const Grid& grid : {Grid{0, 2, 1}, {1, 3, 3}, {2, 4, 5}, {31, 33, 63}, {32, 34, 66}, {63, 70, 128}}) {
      const VectorSphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
      const SphericalPlan scalar(grid.degree, grid.n_theta, grid.n_phi);
      auto s = random_coefficients(scalar.legendre(), batch, 8), t = random_coefficients(scalar.legendre(), batch, 9);
      for (Index b = 0; b < batch; ++b) s[at(b * plan.n_coefficients())] = t[at(b * plan.n_coefficients())] = 0.0;
      const VectorField u = vector_synthesis(plan, batch, s, t);
      const VectorParts parts = vector_analysis(plan, batch, u);
      // Relative to the largest part of the field, l s: low degrees have their error from the high ones.
      double error = 0.0, largest = 1e-300;
      for (Index b = 0; b < batch; ++b)
        for (Index m = 0; m <= grid.degree; ++m)
          for (Index l = m; l <= grid.degree; ++l) {
            const std::size_t i = at(b * plan.n_coefficients() + plan.coefficient_place(m) + l - m);
            const double scale = std::sqrt(static_cast<double>(l * (l + 1)));
            error = std::max({error, scale * std::abs(parts.s[i] - s[i]), scale * std::abs(parts.t[i] - t[i])});
            largest = std::max({largest, scale * std::abs(s[i]), scale * std::abs(t[i])});
          }
      EXPECT_LE(error, tolerance(grid.degree) * largest) << grid.degree << ", batch " << batch;
      if (batch > 1) continue;
      const VectorField v{random_field(plan.n_points(), 10), random_field(plan.n_points(), 11)};
      const VectorParts of_v = vector_analysis(plan, 1, v);
      const Product theta = grid_product(scalar.legendre(), plan.n_phi(), u.theta, v.theta),
                    phi = grid_product(scalar.legendre(), plan.n_phi(), u.phi, v.phi),
                    of_s = coefficient_product(scalar.legendre(), s.data(), of_v.s.data(), true),
                    of_t = coefficient_product(scalar.legendre(), t.data(), of_v.t.data(), true);
      EXPECT_LE(std::abs(theta.value + phi.value - of_s.value - of_t.value),
                1e-15L * (theta.size + phi.size + of_s.size + of_t.size))
          << grid.degree;
    }
}

TEST(VectorHarmonics, ThreadsDoNotChangeABit) {
  const VectorSphericalPlan plan(50, 52, 108);
  const SphericalPlan scalar(50, 52, 108);
  const auto s = random_coefficients(scalar.legendre(), 1, 12), t = random_coefficients(scalar.legendre(), 1, 13);
  const VectorField one = vector_synthesis(plan, 1, s, t, 1), three = vector_synthesis(plan, 1, s, t, 3);
  EXPECT_EQ(one.theta, three.theta);
  EXPECT_EQ(one.phi, three.phi);
  EXPECT_EQ(vector_analysis(plan, 1, one, 1).s, vector_analysis(plan, 1, one, 3).s);
}

}  // namespace
}  // namespace gwrm::spherical_harmonics_test
