// Sums of second differences against polynomials, whose derivatives are known exactly, and against the definition in
// quadruple precision; the device's code runs on the host, block by block.
#include "kernels/stencil/second_differences.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/errors.hpp"
#include "kernels/device_test.hpp"
#include "kernels/host_warps.cuh"
//
#include "kernels/stencil/second_differences_walk.cuh"

namespace gwrm::second_differences_test {
namespace {

struct Fields {
  std::vector<double> f, g, e;
};

// value(x, y, z) of each field at the points x = i hx, ..
template <class F, class G, class E>
Fields sampled(const StencilGrid& grid, F f, G g, E e) {
  Fields fields;
  for (Index z = 0; z < grid.nz; ++z)
    for (Index y = 0; y < grid.ny; ++y)
      for (Index x = 0; x < grid.nx; ++x) {
        const double px = static_cast<double>(x) * grid.hx, py = static_cast<double>(y) * grid.hy,
                     pz = static_cast<double>(z) * grid.hz;
        fields.f.push_back(f(px, py, pz));
        fields.g.push_back(g(px, py, pz));
        fields.e.push_back(e(px, py, pz));
      }
  return fields;
}

std::vector<double> on_cpu(const StencilGrid& grid, int order, const Fields& fields, int n_threads = 2) {
  std::vector<double> out(static_cast<std::size_t>(grid.size()), NAN);
  check_second_differences(grid, order);
  cpu::second_differences(grid, order, fields.f.data(), fields.g.data(), fields.e.data(), out.data(), n_threads);
  return out;
}

// The device's blocks one after the other.
std::vector<double> by_device_code(const StencilGrid& grid, int order, const Fields& fields, int block_x, int block_y,
                                   int planes) {
  const auto blocks = [](Index n, int each) { return static_cast<int>((n + each - 1) / each); };
  const cuda::StencilWalk walk{static_cast<int>(grid.nx),
                               static_cast<int>(grid.ny),
                               static_cast<int>(grid.nz),
                               1.0 / (grid.hx * grid.hx),
                               1.0 / (grid.hy * grid.hy),
                               1.0 / (grid.hz * grid.hz),
                               block_x,
                               block_y,
                               planes,
                               blocks(grid.nx, block_x),
                               blocks(grid.ny, block_y)};
  std::vector<double> out(static_cast<std::size_t>(grid.size()), NAN);
  const bool periodic = grid.boundary == StencilBoundary::periodic;
  const auto n_blocks = static_cast<unsigned>(walk.blocks_x * walk.blocks_y * blocks(grid.nz, planes));
  test::HostBlocks::run(n_blocks, static_cast<unsigned>(block_x * block_y), [&] {
    const double *f = fields.f.data(), *g = fields.g.data(), *e = fields.e.data();
    if (order == 2)
      periodic ? cuda::walk_planes<2, true>(walk, f, g, e, out.data())
               : cuda::walk_planes<2, false>(walk, f, g, e, out.data());
    else
      periodic ? cuda::walk_planes<4, true>(walk, f, g, e, out.data())
               : cuda::walk_planes<4, false>(walk, f, g, e, out.data());
  });
  return out;
}

// The formulas of the header for a periodic grid, in quadruple precision.
std::vector<double> defined(const StencilGrid& grid, int order, const Fields& fields) {
  const auto at = [&](const std::vector<double>& v, Index x, Index y, Index z) {
    const auto wrap = [](Index i, Index n) { return ((i % n) + n) % n; };
    return static_cast<__float128>(
        v[static_cast<std::size_t>((wrap(z, grid.nz) * grid.ny + wrap(y, grid.ny)) * grid.nx + wrap(x, grid.nx))]);
  };
  const auto difference = [&](auto value) {
    return order == 2 ? value(-1) - 2 * value(0) + value(1)
                      : (-value(-2) + 16 * value(-1) - 30 * value(0) + 16 * value(1) - value(2)) / 12;
  };
  std::vector<double> out;
  for (Index z = 0; z < grid.nz; ++z)
    for (Index y = 0; y < grid.ny; ++y)
      for (Index x = 0; x < grid.nx; ++x) {
        const __float128 hx = grid.hx, hy = grid.hy, hz = grid.hz;
        out.push_back(static_cast<double>(difference([&](Index k) { return at(fields.f, x + k, y, z); }) / (hx * hx) +
                                          difference([&](Index k) { return at(fields.g, x, y + k, z); }) / (hy * hy) +
                                          difference([&](Index k) { return at(fields.e, x, y, z + k); }) / (hz * hz)));
      }
  return out;
}

Fields random_fields(const StencilGrid& grid, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto next = [&](double, double, double) { return uniform(random); };
  return sampled(grid, next, next, next);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // a NaN stays
  }
  return largest;
}

// Sizes that no block divides, and the smallest ones.
std::vector<StencilGrid> grids(StencilBoundary boundary, Index least) {
  std::vector<StencilGrid> all;
  for (const auto& [nx, ny, nz] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {2, 3, 1}, {4, 5, 6}, {7, 6, 9}, {31, 6, 7}, {32, 8, 17}, {33, 9, 16}, {65, 7, 6}, {6, 6, 33}})
    if (std::min({nx, ny, nz}) >= least) all.push_back({nx, ny, nz, 0.5, 0.25, 0.125, boundary});
  return all;
}

// Values up to 1 and weights up to 77/6, 1/h^2 up to 64: a dozen terms each rounded at 800 eps.
constexpr double kRounding = 64 * 13 * 10 * 2.2e-16;

TEST(SecondDifferences, PeriodicOnesAreTheDefinition) {
  for (const StencilGrid& grid : grids(StencilBoundary::periodic, 1))
    for (const int order : {2, 4}) {
      const Fields fields = random_fields(grid, 3);
      EXPECT_LE(largest_difference(on_cpu(grid, order, fields), defined(grid, order, fields)), kRounding)
          << grid.nx << " x " << grid.ny << " x " << grid.nz << ", order " << order;
    }
}

// Order p is exact for degree p + 1 to the very ends: what the rows of the ends are made for.
TEST(SecondDifferences, PolynomialsAreDifferentiatedExactly) {
  for (const int order : {2, 4})
    for (const StencilGrid& grid : grids(StencilBoundary::one_sided, order == 2 ? 4 : 6)) {
      const int degree = order + 1;
      const auto power = [&](double z, int n) { return std::pow(z - 1.0, n); };
      const auto second = [&](double z) { return degree * (degree - 1) * power(z, degree - 2); };
      const Fields fields = sampled(
          grid, [&](double x, double y, double) { return power(x, degree) * (1 + y); },
          [&](double x, double y, double z) { return power(y, degree) * (2 - x) + z; },
          [&](double, double y, double z) { return power(z, degree) - y; });
      const auto expected = sampled(
          grid, [&](double x, double y, double z) { return second(x) * (1 + y) + second(y) * (2 - x) + second(z); },
          [](double, double, double) { return 0.0; }, [](double, double, double) { return 0.0; });
      double size = 0.0;
      for (double v : fields.f) size = std::max(size, std::abs(v));
      for (double v : fields.g) size = std::max(size, std::abs(v));
      for (double v : fields.e) size = std::max(size, std::abs(v));
      EXPECT_LE(largest_difference(on_cpu(grid, order, fields), expected.f), kRounding * size)
          << grid.nx << " x " << grid.ny << " x " << grid.nz << ", order " << order;
    }
}

TEST(SecondDifferences, ObservedOrdersAreTwoAndFour) {
  const double pi = std::numbers::pi;
  for (const auto boundary : {StencilBoundary::periodic, StencilBoundary::one_sided})
    for (const int order : {2, 4}) {
      const auto error = [&](Index n) {
        const double h =
            boundary == StencilBoundary::periodic ? 1.0 / static_cast<double>(n) : 1.0 / static_cast<double>(n - 1);
        const StencilGrid grid{n, n, n, h, h, h, boundary};
        const auto f = [&](double x, double y, double) { return std::sin(2 * pi * x + 0.5) + y; };
        const auto g = [&](double x, double y, double) { return std::cos(2 * pi * y + 0.3) * x; };
        const auto e = [&](double, double, double z) { return std::sin(2 * pi * z); };
        const auto exact = sampled(
            grid,
            [&](double x, double y, double z) { return -4 * pi * pi * (f(x, y, z) - y + g(x, y, z) + e(x, y, z)); }, f,
            g);
        return largest_difference(on_cpu(grid, order, sampled(grid, f, g, e)), exact.f);
      };
      // The asymptotic range begins later where rows are one-sided: their error constants are some ten times as large.
      const Index n = boundary == StencilBoundary::periodic ? 32 : 64;
      const double rate = std::log(error(n) / error(2 * n)) /
                          std::log(boundary == StencilBoundary::periodic ? 2.0 : (2.0 * n - 1) / (n - 1.0));
      EXPECT_NEAR(rate, order, 0.05) << (boundary == StencilBoundary::periodic ? "periodic" : "one-sided");
    }
}

TEST(SecondDifferences, ThreadsChangeNoBit) {
  for (const StencilGrid& grid : grids(StencilBoundary::one_sided, 6)) {
    const Fields fields = random_fields(grid, 5);
    EXPECT_EQ(on_cpu(grid, 4, fields, 1), on_cpu(grid, 4, fields, 3));
  }
}

TEST(SecondDifferences, DeviceCodeOnTheHost) {
  for (const auto boundary : {StencilBoundary::periodic, StencilBoundary::one_sided})
    for (const int order : {2, 4})
      for (const StencilGrid& grid : grids(boundary, boundary == StencilBoundary::periodic ? 1 : order == 2 ? 4 : 6)) {
        const Fields fields = random_fields(grid, 7);
        const std::vector<double> expected = on_cpu(grid, order, fields);
        const std::vector<double> first = by_device_code(grid, order, fields, 32, 2, 4);
        EXPECT_LE(largest_difference(first, expected), kRounding) << grid.nx << " x " << grid.ny << " x " << grid.nz;
        EXPECT_EQ(first, by_device_code(grid, order, fields, 64, 1, 5)) << "the shape of the blocks changes bits";
      }
}

TEST(SecondDifferences, WhatDoesNotFitIsRefused) {
  StencilGrid grid{8, 8, 5};
  EXPECT_NO_THROW(check_second_differences(grid, 4));
  EXPECT_THROW(check_second_differences(grid, 3), ShapeError);
  grid.boundary = StencilBoundary::one_sided;
  EXPECT_NO_THROW(check_second_differences(grid, 2));
  EXPECT_THROW(check_second_differences(grid, 4), ShapeError);
  EXPECT_THROW(check_second_differences({8, 0, 8}, 2), ShapeError);
  EXPECT_THROW(check_second_differences({8, 8, 8, 0.0}, 2), ShapeError);
  EXPECT_THROW(check_second_differences({8, 8, 8, 1.0, std::nan("")}, 2), ShapeError);
}

class DeviceSecondDifferences : public test::DeviceTest {};

TEST_F(DeviceSecondDifferences, AgreeWithTheCpu) {
  for (const auto boundary : {StencilBoundary::periodic, StencilBoundary::one_sided})
    for (const int order : {2, 4})
      for (const Index n : {1, 2, 31, 32, 33, 255, 256, 257, 1000})
        for (const auto& [nx, ny, nz] : std::vector<std::array<Index, 3>>{{n, 7, 6}, {6, n, 7}, {7, 6, n}}) {
          if (boundary == StencilBoundary::one_sided && n < 6) continue;
          const StencilGrid grid{nx, ny, nz, 0.5, 0.25, 0.125, boundary};
          const Fields fields = random_fields(grid, 11);
          std::vector<double> out(static_cast<std::size_t>(grid.size()), NAN), again = out;
          second_differences(context_, grid, order, fields.f.data(), fields.g.data(), fields.e.data(), out.data());
          second_differences(context_, grid, order, fields.f.data(), fields.g.data(), fields.e.data(), again.data());
          EXPECT_LE(largest_difference(out, on_cpu(grid, order, fields)), kRounding) << nx << " " << ny << " " << nz;
          EXPECT_EQ(out, again);
        }
}

}  // namespace
}  // namespace gwrm::second_differences_test
