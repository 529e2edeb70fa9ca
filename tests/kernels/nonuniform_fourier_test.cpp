// Non-uniform Fourier transforms against their direct sums in extended precision, and each against the other: adjoint,
// linear, without a bit that depends on threads.
#include "kernels/transform/nonuniform_fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "core/errors.hpp"

namespace gwrm::nonuniform_fourier_test {
namespace {

using Complex = std::complex<double>;
using Extended = std::complex<long double>;

struct Problem {
  std::vector<Index> modes;
  std::vector<std::vector<double>> x;
  std::vector<Complex> c, F;

  Problem(std::vector<Index> n, std::size_t n_points, unsigned seed) : modes(std::move(n)) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0), angle(-3.0 * std::numbers::pi, 4.0 * std::numbers::pi);
    for (std::size_t d = 0; d < modes.size(); ++d) {
      x.emplace_back();
      for (std::size_t j = 0; j < n_points; ++j) x.back().push_back(angle(random));
    }
    for (std::size_t j = 0; j < n_points; ++j) c.emplace_back(uniform(random), uniform(random));
    Index total = 1;
    for (Index m : modes) total *= m;
    for (Index k = 0; k < total; ++k) F.emplace_back(uniform(random), uniform(random));
  }

  // exp(s i n.x_j) for every mode n, the last dimension fastest.
  std::vector<Extended> waves(int sign, std::size_t j) const {
    std::vector<Extended> result{1.0L};
    for (std::size_t d = 0; d < modes.size(); ++d) {
      std::vector<Extended> next;
      for (const Extended& w : result)
        for (Index m = 0; m < modes[d]; ++m) {
          const long double phase = static_cast<long double>(sign * (m - modes[d] / 2)) * x[d][j];
          next.push_back(w * Extended(std::cos(phase), std::sin(phase)));
        }
      result = std::move(next);
    }
    return result;
  }
};

std::vector<Extended> direct_type1(const Problem& p, int sign) {
  std::vector<Extended> F(p.F.size());
  for (std::size_t j = 0; j < p.c.size(); ++j) {
    const auto waves = p.waves(sign, j);
    for (std::size_t k = 0; k < F.size(); ++k) F[k] += static_cast<Extended>(p.c[j]) * waves[k];
  }
  return F;
}

std::vector<Extended> direct_type2(const Problem& p, int sign) {
  std::vector<Extended> c(p.c.size());
  for (std::size_t j = 0; j < c.size(); ++j) {
    const auto waves = p.waves(sign, j);
    for (std::size_t k = 0; k < p.F.size(); ++k) c[j] += static_cast<Extended>(p.F[k]) * waves[k];
  }
  return c;
}

NonuniformPlan plan_of(const Problem& p, double tolerance, int n_threads) {
  NonuniformPlan plan(p.modes, tolerance);
  std::vector<std::span<const double>> lists(p.x.begin(), p.x.end());
  plan.set_points(lists, n_threads);
  return plan;
}

std::vector<Complex> type1(const Problem& p, double tolerance, int sign, int n_threads = 2) {
  const NonuniformPlan plan = plan_of(p, tolerance, n_threads);
  std::vector<Complex> F(p.F.size(), NAN), workspace(cpu::nonuniform_workspace(plan, n_threads), NAN);
  cpu::nonuniform_type1(plan, sign, p.c.data(), F.data(), workspace.data(), n_threads);
  return F;
}

std::vector<Complex> type2(const Problem& p, double tolerance, int sign, int n_threads = 2) {
  const NonuniformPlan plan = plan_of(p, tolerance, n_threads);
  std::vector<Complex> c(p.c.size(), NAN), workspace(cpu::nonuniform_workspace(plan, n_threads), NAN);
  cpu::nonuniform_type2(plan, sign, p.F.data(), c.data(), workspace.data(), n_threads);
  return c;
}

long double relative_error(const std::vector<Complex>& a, const std::vector<Extended>& b) {
  long double error = 0.0L, size = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::norm(static_cast<Extended>(a[i]) - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(error / size);
}

std::vector<std::vector<Index>> shapes() {
  return {{1}, {2}, {31}, {64}, {257}, {512}, {1, 1}, {5, 64}, {33, 20}, {96, 70}, {1, 7, 2}, {9, 12, 10}, {20, 6, 17}};
}

// The acceptance: 10 tolerances. Round-off beside it: 1e-16 for each of up to 256 waves along the highest mode.
TEST(NonuniformFourier, BothTypesWithinTenTolerances) {
  for (const auto& modes : shapes()) {
    const Problem p(modes, 150, 3);
    for (const int sign : {-1, 1}) {
      const auto F = direct_type1(p, sign), c = direct_type2(p, sign);
      for (const double tolerance : {1e-1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 1e-14}) {
        EXPECT_LE(relative_error(type1(p, tolerance, sign), F), 10 * tolerance) << modes.size() << "d, " << modes[0];
        EXPECT_LE(relative_error(type2(p, tolerance, sign), c), 10 * tolerance) << modes.size() << "d, " << modes[0];
      }
    }
  }
}

// <F(c), f> = <c, F*(f)>, whatever the tolerance: both sum the same numbers.
TEST(NonuniformFourier, TypesAreAdjoint) {
  for (const auto& modes : shapes()) {
    const Problem p(modes, 1000, 5);
    for (const double tolerance : {1e-2, 1e-9}) {
      const auto F = type1(p, tolerance, 1), c = type2(p, tolerance, -1);
      Extended left = 0.0L, right = 0.0L;
      long double size_F = 0.0L, size_f = 0.0L;
      for (std::size_t k = 0; k < F.size(); ++k) {
        left += static_cast<Extended>(F[k]) * std::conj(static_cast<Extended>(p.F[k]));
        size_F += std::norm(F[k]);
        size_f += std::norm(p.F[k]);
      }
      for (std::size_t j = 0; j < c.size(); ++j)
        right += static_cast<Extended>(p.c[j]) * std::conj(static_cast<Extended>(c[j]));
      // Round-off of the norms' product: a few eps, times log2 of the transform's length.
      EXPECT_LE(std::abs(left - right), 5e-15L * std::sqrt(size_F * size_f)) << modes.size() << "d, " << modes[0];
    }
  }
}

TEST(NonuniformFourier, ThreadsChangeNoBit) {
  for (const auto& modes : {std::vector<Index>{3000}, {100, 90}, {30, 20, 25}}) {
    const Problem p(modes, 20000, 7);
    EXPECT_EQ(type1(p, 1e-6, 1, 1), type1(p, 1e-6, 1, 3));
    EXPECT_EQ(type2(p, 1e-6, 1, 1), type2(p, 1e-6, 1, 3));
  }
}

// Points on top of each other, on the seam of the period and on grid points.
TEST(NonuniformFourier, PointsInSpecialPlaces) {
  Problem p({40, 24}, 12, 9);
  const double pi = std::numbers::pi;
  p.x[0] = {0.0, 0.0, pi, -pi, 2 * pi, std::nextafter(pi, 0), 1e-300, -1e-18, 1e3, pi / 40, -pi / 40, 0.0};
  p.x[1] = {0.0, 0.0, -pi, pi, 0.0, -1e-17, 0.0, pi / 24, -1e3, 0.0, pi / 48, 0.0};
  EXPECT_LE(relative_error(type1(p, 1e-12, -1), direct_type1(p, -1)), 1e-11);
  EXPECT_LE(relative_error(type2(p, 1e-12, -1), direct_type2(p, -1)), 1e-11);
}

// Equidistant points: the discrete Fourier transform of an impulse at every frequency.
TEST(NonuniformFourier, OfOneWaveIsOneMode) {
  constexpr Index n = 48;
  Problem p({n}, n, 1);
  for (Index j = 0; j < n; ++j) {
    p.x[0][static_cast<std::size_t>(j)] = 2.0 * std::numbers::pi * static_cast<double>(j) / n;
    p.c[static_cast<std::size_t>(j)] = std::polar(1.0 / n, -7.0 * p.x[0][static_cast<std::size_t>(j)]);
  }
  const auto F = type1(p, 1e-13, 1);
  for (Index m = 0; m < n; ++m)
    EXPECT_NEAR(std::abs(F[static_cast<std::size_t>(m)]), m - n / 2 == 7 ? 1.0 : 0.0, 1e-12);
}

TEST(NonuniformFourier, NoPointsGiveNoModes) {
  Problem p({8, 8}, 0, 1);
  for (const Complex& F : type1(p, 1e-6, 1)) EXPECT_EQ(F, Complex(0.0));
  EXPECT_TRUE(type2(p, 1e-6, 1).empty());
}

TEST(NonuniformFourier, WhatDoesNotFitIsRefused) {
  const std::vector<Index> none, four{2, 2, 2, 2}, zero{4, 0}, line{8};
  EXPECT_THROW(NonuniformPlan(none, 1e-6), ShapeError);
  EXPECT_THROW(NonuniformPlan(four, 1e-6), ShapeError);
  EXPECT_THROW(NonuniformPlan(zero, 1e-6), ShapeError);
  for (const double tolerance : {0.0, 1e-15, 1.0, std::nan("")})
    EXPECT_THROW(NonuniformPlan(line, tolerance), ShapeError);
  NonuniformPlan plan(line, 1e-6);
  const std::vector<double> x{0.0, std::nan("")}, y{0.0};
  const std::vector<std::span<const double>> not_finite{x}, two{y, y};
  const std::vector<std::span<const double>> one{y};
  plan.set_points(one, 1);
  EXPECT_THROW(plan.set_points(not_finite, 1), ShapeError);
  EXPECT_THROW(plan.set_points(two, 1), ShapeError);
  // What was there before still is: a point at 0, whose modes are all its strength.
  const Complex strength(2.0, -1.0);
  std::vector<Complex> F(8), workspace(cpu::nonuniform_workspace(plan, 1));
  cpu::nonuniform_type1(plan, 1, &strength, F.data(), workspace.data(), 1);
  for (const Complex& f : F) EXPECT_NEAR(std::abs(f - strength), 0.0, 1e-5);
}

}  // namespace
}  // namespace gwrm::nonuniform_fourier_test
