// Spherical-harmonic transforms on the device against those of the CPU, which spherical_harmonics_test.cpp holds to
// sums in quadruple precision, and by their own properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/random_array.hpp"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::spherical_device_test {
namespace {

#if GWRM_HAVE_CUDA
using Complex = std::complex<double>;

std::vector<double> random_field(Index n, unsigned seed) {
  return test::Random(seed).array({n}).data;
}
std::vector<Complex> random_coefficients(Index degree, Index batch, unsigned seed) {
  test::Random random(seed);
  std::vector<Complex> a;
  for (Index b = 0; b < batch; ++b)
    for (Index m = 0; m <= degree; ++m)
      for (Index l = m; l <= degree; ++l) a.emplace_back(random.number(), m == 0 ? 0.0 : random.number());
  return a;
}

double bound(Index degree) {
  return 2e-15 * (1.0 + std::sqrt(static_cast<double>(degree) / 100.0));
}

template <class Number>
double difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  double error = 0.0, largest = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double here = std::abs(a[i] - b[i]);
    error = here <= error ? error : here;
    if (std::isnan(here)) return INFINITY;
    largest = std::max(largest, std::abs(b[i]));
  }
  return error / largest;
}

struct Grid {
  Index degree, n_theta, n_phi, batch;
};
const std::vector<Grid> kGrids = {{0, 1, 1, 1},     {0, 3, 4, 2},       {1, 2, 3, 1},       {2, 3, 5, 3},
                                  {2, 8, 9, 1},     {31, 32, 64, 5},    {32, 33, 65, 1},    {33, 40, 67, 2},
                                  {63, 64, 128, 3}, {255, 256, 512, 1}, {257, 259, 540, 2}, {256, 1100, 520, 1}};

class DeviceSphericalHarmonics : public test::DeviceTest {
 protected:
  std::vector<double> synthesis(const SphericalPlan& plan, Index batch, const std::vector<Complex>& a) const {
    const cuda::DeviceSpherical transform(context_, plan, batch);
    ContextArray<Complex> given(context_, a);
    ContextArray<double> f(context_, std::vector<double>(at(batch * plan.n_points()), NAN));
    ContextArray<char> room(context_, transform.workspace_bytes());
    transform.synthesis(given.data(), f.data(), room.data());
    return f.values();
  }
  std::vector<Complex> analysis(const SphericalPlan& plan, Index batch, const std::vector<double>& f) const {
    const cuda::DeviceSpherical transform(context_, plan, batch);
    ContextArray<double> given(context_, f);
    ContextArray<Complex> a(context_, std::vector<Complex>(at(batch * plan.n_coefficients()), NAN));
    ContextArray<char> room(context_, transform.workspace_bytes());
    transform.analysis(given.data(), a.data(), room.data());
    const std::vector<double> left = given.values();
    EXPECT_EQ(std::memcmp(left.data(), f.data(), f.size() * sizeof(double)), 0);  // NaN is not equal to itself
    return a.values();
  }
};

TEST_F(DeviceSphericalHarmonics, AreThoseOfTheCpu) {
  for (const Grid& grid : kGrids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    std::vector<double> room(cpu::spherical_workspace(plan, 1));
    const auto a = random_coefficients(grid.degree, grid.batch, 1);
    std::vector<double> f(at(grid.batch * plan.n_points()));
    cpu::spherical_synthesis(plan, grid.batch, a.data(), f.data(), room.data(), 1);
    const std::vector<double> of_device = synthesis(plan, grid.batch, a);
    EXPECT_LE(difference(of_device, f), 2.0 * bound(grid.degree)) << grid.degree << ", batch " << grid.batch;
    EXPECT_EQ(of_device, synthesis(plan, grid.batch, a));

    const auto values = random_field(grid.batch * plan.n_points(), 2);
    std::vector<Complex> b(a.size());
    cpu::spherical_analysis(plan, grid.batch, values.data(), b.data(), room.data(), 1);
    const std::vector<Complex> found = analysis(plan, grid.batch, values);
    EXPECT_LE(difference(found, b), 2.0 * bound(grid.degree)) << grid.degree << ", batch " << grid.batch;
    EXPECT_EQ(found, analysis(plan, grid.batch, values));
  }
}

TEST_F(DeviceSphericalHarmonics, AnalysisUndoesSynthesis) {
  std::vector<Grid> grids = kGrids;
  grids.push_back({511, 512, 1024, 1});
  grids.push_back({1023, 1024, 2048, 1});
  for (const Grid& grid : grids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const auto a = random_coefficients(grid.degree, grid.batch, 3);
    EXPECT_LE(difference(analysis(plan, grid.batch, synthesis(plan, grid.batch, a)), a), bound(grid.degree))
        << grid.degree << ", batch " << grid.batch;
  }
}

struct Product {
  long double value = 0.0L, size = 0.0L;
  void add(long double a, long double b) {
    value += a * b;
    size += std::abs(a * b);
  }
};

TEST_F(DeviceSphericalHarmonics, AnalysisIsTheAdjointOfSynthesis) {
  for (const Grid& grid : kGrids) {
    const SphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const auto a = random_coefficients(grid.degree, 1, 4);
    const auto f = random_field(plan.n_points(), 5), g = synthesis(plan, 1, a);
    const auto b = analysis(plan, 1, f);
    Product left, right;
    for (Index i = 0; i < plan.n_theta(); ++i)
      for (Index j = 0; j < plan.n_phi(); ++j)
        left.add(static_cast<long double>(plan.legendre().weights()[at(i)]) * 2.0L * std::numbers::pi_v<long double> /
                     static_cast<long double>(plan.n_phi()) * f[at(i * plan.n_phi() + j)],
                 g[at(i * plan.n_phi() + j)]);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const long double weight = i <= at(grid.degree) ? 1.0L : 2.0L;  // order 0 stands for itself
      right.add(weight * a[i].real(), b[i].real());
      right.add(weight * a[i].imag(), b[i].imag());
    }
    EXPECT_LE(std::abs(left.value - right.value), 1e-15L * (left.size + right.size)) << grid.degree;
  }
}

TEST_F(DeviceSphericalHarmonics, NotANumberStaysInItsField) {
  const SphericalPlan plan(20, 21, 45);
  auto a = random_coefficients(20, 3, 7);
  const auto clean = synthesis(plan, 3, a);
  a[5] = NAN;
  const auto f = synthesis(plan, 3, a);
  EXPECT_TRUE(std::isnan(f[0]));
  for (std::size_t i = at(plan.n_points()); i < f.size(); ++i) EXPECT_EQ(f[i], clean[i]);
  EXPECT_TRUE(std::isnan(analysis(plan, 3, f)[0].real()));
  EXPECT_FALSE(std::isnan(analysis(plan, 3, f)[at(plan.n_coefficients())].real()));
}

TEST_F(DeviceSphericalHarmonics, WhatDoesNotFitIsRefused) {
  const SphericalPlan plan(2, 3, 5);
  EXPECT_THROW(cuda::DeviceSpherical(context_, plan, 0), ShapeError);
  EXPECT_THROW(cuda::DeviceSpherical(context_, plan, 70000), ShapeError);
  EXPECT_THROW(cuda::DeviceVectorHarmonics(context_, VectorSphericalPlan(2, 4, 5), 0), ShapeError);
}

class DeviceVectorHarmonics : public test::DeviceTest {};

TEST_F(DeviceVectorHarmonics, AreThoseOfTheCpu) {
  for (const Grid& grid : {Grid{0, 2, 1, 1},
                           {0, 3, 2, 2},
                           {1, 3, 3, 1},
                           {2, 4, 5, 3},
                           {31, 33, 63, 1},
                           {32, 34, 66, 2},
                           {63, 70, 128, 1},
                           {255, 257, 512, 1}}) {
    const VectorSphericalPlan plan(grid.degree, grid.n_theta, grid.n_phi);
    const Index n = grid.batch * plan.n_points(), n_parts = grid.batch * plan.n_coefficients();
    auto s = random_coefficients(grid.degree, grid.batch, 8), t = random_coefficients(grid.degree, grid.batch, 9);
    for (Index b = 0; b < grid.batch; ++b) s[at(b * plan.n_coefficients())] = t[at(b * plan.n_coefficients())] = 0.0;
    std::vector<double> room(cpu::spherical_workspace(plan, 1)), theta(at(n)), phi(at(n));
    cpu::vector_synthesis(plan, grid.batch, s.data(), t.data(), theta.data(), phi.data(), room.data(), 1);
    std::vector<Complex> s_back(at(n_parts)), t_back(at(n_parts));
    cpu::vector_analysis(plan, grid.batch, theta.data(), phi.data(), s_back.data(), t_back.data(), room.data(), 1);

    const cuda::DeviceVectorHarmonics transform(context_, plan, grid.batch);
    ContextArray<char> workspace(context_, transform.workspace_bytes());
    ContextArray<Complex> given_s(context_, s), given_t(context_, t), found_s(context_, at(n_parts)),
        found_t(context_, at(n_parts));
    ContextArray<double> u_theta(context_, at(n)), u_phi(context_, at(n));
    transform.synthesis(given_s.data(), given_t.data(), u_theta.data(), u_phi.data(), workspace.data());
    const std::vector<double> of_theta = u_theta.values(), of_phi = u_phi.values();
    transform.analysis(u_theta.data(), u_phi.data(), found_s.data(), found_t.data(), workspace.data());
    if (grid.degree > 0) {
      EXPECT_LE(difference(of_theta, theta), 2.0 * bound(grid.degree)) << grid.degree << ", batch " << grid.batch;
      EXPECT_LE(difference(of_phi, phi), 2.0 * bound(grid.degree)) << grid.degree << ", batch " << grid.batch;
    }
    // Relative to the largest part of the field, l s.
    double error = 0.0, largest = 1e-300;
    const std::vector<Complex> s_found = found_s.values(), t_found = found_t.values();
    for (Index b = 0; b < grid.batch; ++b)
      for (Index m = 0; m <= grid.degree; ++m)
        for (Index l = m; l <= grid.degree; ++l) {
          const std::size_t i = at(b * plan.n_coefficients() + plan.coefficient_place(m) + l - m);
          const double scale = std::sqrt(static_cast<double>(l * (l + 1)));
          for (const double here : {scale * std::abs(s_found[i] - s[i]), scale * std::abs(t_found[i] - t[i])})
            error = here <= error ? error : here;
          largest = std::max({largest, scale * std::abs(s[i]), scale * std::abs(t[i])});
        }
    EXPECT_LE(error, bound(grid.degree) * largest) << grid.degree << ", batch " << grid.batch;
    EXPECT_EQ(s_found[0], 0.0);  // the mean has no gradient
  }
}
#endif

}  // namespace
}  // namespace gwrm::spherical_device_test
