// The device code of associated Legendre transforms, run on the host, against sums in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "kernels/host_warps.cuh"
#include "kernels/random_array.hpp"
#include "kernels/spherical_oracle.hpp"
//
#include "kernels/transform/legendre_sums.cuh"

namespace gwrm {
namespace {

using legendre::LegendreView;
using test::HostBlocks;
using test::Quadruple;
constexpr int kWarps = 2;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

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
const std::vector<Grid> kGrids = {{0, 1}, {0, 3}, {1, 2}, {2, 8}, {17, 33}, {31, 32}, {40, 129}, {20, 300}};

template <int kFields>
void expect_synthesis(const Grid& grid) {
  const AssociatedLegendrePlan plan(grid.degree, grid.n_theta);
  const auto ranges = legendre::ranges_of(plan);
  const LegendreView view = legendre::view_of(plan, ranges);
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
  const LegendreView view = legendre::view_of(plan, ranges);
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

}  // namespace
}  // namespace gwrm
