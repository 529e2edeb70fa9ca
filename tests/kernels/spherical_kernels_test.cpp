// The device code of spherical-harmonic transforms, run on the host: associated Legendre transforms against sums in
// quadruple precision, modes of rows against sums over waves.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "kernels/host_warps.cuh"
#include "kernels/random_array.hpp"
#include "kernels/spherical_oracle.hpp"
//
#include "kernels/transform/legendre_sums.cuh"
#include "kernels/transform/spherical_modes.cuh"

namespace gwrm::spherical_kernels_test {
namespace {

using legendre::LegendreView;
using test::HostBlocks;
using test::Quadruple;
constexpr int kWarps = 2;

struct Functions {  // Pbar_l^m at the northern nodes, l = m..degree
  std::vector<std::vector<Quadruple>> at_node;
  std::vector<Quadruple> weight;
  Functions(const AssociatedLegendrePlan& plan, Index m) {
    for (Index i = 0; i < plan.n_pairs(); ++i) {
      const bool is_middle = 2 * i + 1 == plan.n_theta();
      const test::GaussNode node =
          test::gauss_node(plan.n_theta(), is_middle ? 0.0L : std::cos(static_cast<long double>(plan.theta()[at(i)])));
      at_node.push_back(test::legendre_functions(plan.degree(), m, node.x));
      weight.push_back(is_middle ? node.weight / 2 : node.weight);
    }
  }
};

// Place of the number of a pair of nodes: real or imaginary part, even or odd.
std::size_t place(const AssociatedLegendrePlan& plan, Index m, Index pair, bool odd, bool imaginary) {
  return at((m * plan.n_groups() + pair / 8) * 32 + (odd ? 16 : 0) + (imaginary ? 8 : 0) + pair % 8);
}

// Roundings of the functions and of sums, which add up as a random walk.
double tolerance(Index degree) {
  return 2e-15 * (1.0 + std::sqrt(static_cast<double>(degree) / 100.0));
}

struct Error {
  double error = 0.0, largest = 0.0;
  void add(double value, Quadruple exact) {
    const double here = std::abs(static_cast<double>(value - exact));
    error = here <= error ? error : here;
    if (std::isnan(value)) error = INFINITY;
    largest = std::max(largest, std::abs(static_cast<double>(exact)));
  }
};

struct Grid {
  Index degree, n_theta;
};
// Fewer groups of nodes than a warp has, as many, and more than a block takes at once; odd and even.
const std::vector<Grid> kGrids = {{0, 1}, {0, 3}, {1, 2}, {2, 8}, {17, 33}, {31, 32}, {24, 129}, {12, 300}};

template <int kFields>
void expect_synthesis(const Grid& grid) {
  const AssociatedLegendrePlan plan(grid.degree, grid.n_theta);
  const auto ranges = legendre::ranges_of(plan);
  const auto rows = legendre::rows_of(plan);
  const LegendreView view = legendre::view_of(plan, rows, ranges);
  const std::vector<double> a = test::Random(1).array({kFields * 2 * plan.n_coefficients()}).data;
  std::vector<double> values(at(kFields * plan.n_values()), NAN);
  std::vector<legendre::Room<kFields>> rooms(kWarps);
  HostBlocks::run(static_cast<unsigned>(2 * (grid.degree + 1)), kWarps * 32, [&] {
    for (long long w = threadIdx.x / 32; w < view.n_warps(); w += kWarps)
      legendre::sum_functions(view, blockIdx.x / 2, blockIdx.x % 2 == 1, w, a.data(), 2 * view.n_coefficients(),
                              values.data(), view.n_values(), rooms[threadIdx.x / 32]);
  });
  for (Index m = 0; m <= grid.degree; ++m) {
    const Functions functions(plan, m);
    for (int f = 0; f < kFields; ++f) {
      Error error;
      for (Index i = 0; i < plan.n_pairs(); ++i)
        for (const bool odd : {false, true})
          for (const bool imaginary : {false, true}) {
            Quadruple sum = 0;
            for (Index l = m + odd; l <= grid.degree; l += 2)
              sum += functions.at_node[at(i)][at(l - m)] *
                     a[at(2 * (f * plan.n_coefficients() + plan.coefficient_place(m) + l - m) + imaginary)];
            error.add(values[at(f * plan.n_values()) + place(plan, m, i, odd, imaginary)], sum);
          }
      EXPECT_LE(error.error, tolerance(grid.degree) * error.largest)
          << grid.degree << ", " << grid.n_theta << " nodes, m " << m << ", field " << f;
    }
  }
}

template <int kFields>
void expect_analysis(const Grid& grid) {
  const AssociatedLegendrePlan plan(grid.degree, grid.n_theta);
  const auto ranges = legendre::ranges_of(plan);
  const auto rows = legendre::rows_of(plan);
  const LegendreView view = legendre::view_of(plan, rows, ranges);
  const std::vector<double> values = test::Random(2).array({kFields * plan.n_values()}).data;
  std::vector<double> a(at(kFields * 2 * plan.n_coefficients()), NAN);
  std::vector<legendre::Room<kFields>> rooms(kWarps);
  legendre::Sums<kFields, kWarps> sums{};
  HostBlocks::run(static_cast<unsigned>(2 * (grid.degree + 1)), kWarps * 32, [&] {
    legendre::project(view, blockIdx.x / 2, blockIdx.x % 2 == 1, kWarps, values.data(), view.n_values(), a.data(),
                      2 * view.n_coefficients(), rooms.data(), sums);
  });
  for (int f = 0; f < kFields; ++f) {
    Error error;
    for (Index m = 0; m <= grid.degree; ++m) {
      const Functions functions(plan, m);
      for (Index l = m; l <= grid.degree; ++l)
        for (const bool imaginary : {false, true}) {
          Quadruple sum = 0;
          for (Index i = 0; i < plan.n_pairs(); ++i)
            sum += functions.weight[at(i)] * functions.at_node[at(i)][at(l - m)] *
                   values[at(f * plan.n_values()) + place(plan, m, i, (l - m) % 2 == 1, imaginary)];
          error.add(a[at(2 * (f * plan.n_coefficients() + plan.coefficient_place(m) + l - m) + imaginary)], sum);
        }
    }
    EXPECT_LE(error.error, tolerance(grid.degree) * error.largest)
        << grid.degree << ", " << grid.n_theta << " nodes, field " << f;
  }
}

TEST(SphericalKernels, SynthesisIsTheSum) {
  for (const Grid& grid : kGrids) expect_synthesis<1>(grid);
  for (const Grid& grid : {Grid{2, 5}, Grid{33, 40}}) expect_synthesis<2>(grid);
}

TEST(SphericalKernels, AnalysisIsTheQuadrature) {
  for (const Grid& grid : kGrids) expect_analysis<1>(grid);
  for (const Grid& grid : {Grid{2, 5}, Grid{33, 40}}) expect_analysis<2>(grid);
}

using Wave = std::complex<long double>;
Wave wave(Index k, Index n) {
  return std::polar(
      1.0L, 2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k % n) / static_cast<long double>(n));
}
Wave part(const std::vector<double>& values, const AssociatedLegendrePlan& plan, Index m, Index pair, bool odd) {
  return {values[place(plan, m, pair, odd, false)], m == 0 ? 0.0 : values[place(plan, m, pair, odd, true)]};
}

// Degrees one above what the points along phi resolve, as components of vectors have, too.
struct Sphere {
  Index degree, n_theta, n_phi;
};
const std::vector<Sphere> kSpheres = {{0, 1, 1},    {1, 2, 1},    {1, 3, 2},    {1, 2, 3},    {2, 3, 3},    {2, 3, 4},
                                      {17, 33, 33}, {17, 34, 34}, {40, 41, 81}, {40, 41, 96}, {33, 50, 130}};

void run_modes(const AssociatedLegendrePlan& plan, const spherical::SphereShape& shape, Index n_modes, bool forward,
               double factor, std::vector<double>& values, std::vector<double>& spectrum) {
  const Index blocks = (n_modes + spherical::kModes - 1) / spherical::kModes;
  spherical::Tile tile{};
  HostBlocks::run(static_cast<unsigned>(blocks * plan.n_groups()), 64, [&] {
    const long long group = blockIdx.x / blocks, first = blockIdx.x % blocks * spherical::kModes;
    if (forward)
      spherical::set_modes(shape, group, first, 64, factor, values.data(), spectrum.data(), tile);
    else
      spherical::take_modes(shape, group, first, 64, factor, spectrum.data(), values.data(), tile);
  });
}

TEST(SphericalKernels, HalfSpectraAreTheWavesOfRows) {
  for (const Sphere& sphere : kSpheres) {
    const AssociatedLegendrePlan plan(sphere.degree, sphere.n_theta);
    const Index n = sphere.n_phi, half = n / 2 + 1;
    const spherical::SphereShape shape{sphere.degree, plan.n_groups(), plan.n_pairs(), sphere.n_theta, n};
    std::vector<double> values = test::Random(3).array({plan.n_values()}).data,
                        spectrum(at(2 * sphere.n_theta * half), NAN);
    run_modes(plan, shape, half, true, 0.5, values, spectrum);
    for (Index row = 0; row < sphere.n_theta; ++row)
      for (Index j = 0; j < n; ++j) {
        const Index pair = std::min(row, sphere.n_theta - 1 - row);
        const long double sign = pair == row ? 1.0L : -1.0L;
        long double expected = 0.0L, found = 0.0L, size = 0.0L;
        for (Index m = 0; m <= sphere.degree; ++m) {
          const Wave f = part(values, plan, m, pair, false) + sign * part(values, plan, m, pair, true);
          expected += (m == 0 ? 1.0L : 2.0L) * (f * wave(m * j, n)).real();
          size += 2.0L * std::abs(f);
        }
        for (Index k = 0; k < half; ++k) {
          const double* mode = spectrum.data() + 2 * (row * half + k);
          ASSERT_TRUE(k != 0 || mode[1] == 0.0);
          found += (k == 0 || 2 * k == n ? 1.0L : 2.0L) * (Wave(mode[0], mode[1]) * wave(k * j, n)).real();
        }
        // a rounding or two of each mode
        EXPECT_LE(std::abs(static_cast<double>(found - 0.5L * expected)), 2e-16 * static_cast<double>(size))
            << sphere.degree << ", " << n << " points, row " << row << ", column " << j;
      }
  }
}

TEST(SphericalKernels, PartsAreTheModesOfPairs) {
  for (const Sphere& sphere : kSpheres) {
    const AssociatedLegendrePlan plan(sphere.degree, sphere.n_theta);
    const Index n = sphere.n_phi, half = n / 2 + 1;
    const spherical::SphereShape shape{sphere.degree, plan.n_groups(), plan.n_pairs(), sphere.n_theta, n};
    const std::vector<double> f = test::Random(4).array({sphere.n_theta * n}).data;
    const auto mode = [&](Index row, Index m) {
      Wave sum = 0.0L;
      for (Index j = 0; j < n; ++j) sum += static_cast<long double>(f[at(row * n + j)]) * std::conj(wave(m * j, n));
      return sum;
    };
    std::vector<double> values(at(plan.n_values()), NAN), spectrum;
    for (Index row = 0; row < sphere.n_theta; ++row)
      for (Index k = 0; k < half; ++k) {
        spectrum.push_back(static_cast<double>(mode(row, k).real()));
        spectrum.push_back(static_cast<double>(mode(row, k).imag()));
      }
    run_modes(plan, shape, sphere.degree + 1, false, 0.5, values, spectrum);
    for (Index m = 0; m <= sphere.degree; ++m)
      for (Index pair = 0; pair < plan.n_groups() * 8; ++pair) {
        const bool exists = pair < plan.n_pairs();
        const Wave north = exists ? mode(pair, m) : 0.0L, south = exists ? mode(sphere.n_theta - 1 - pair, m) : 0.0L;
        for (const bool odd : {false, true}) {
          const Wave expected = 0.5L * (odd ? north - south : north + south);
          const Wave found = part(values, plan, m, pair, odd);
          EXPECT_LE(static_cast<double>(std::abs(found - expected)), 1e-15 * static_cast<double>(n))
              << sphere.degree << ", " << n << " points, m " << m << ", pair " << pair;
        }
      }
  }
}

}  // namespace
}  // namespace gwrm::spherical_kernels_test
