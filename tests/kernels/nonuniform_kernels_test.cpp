// The device code of non-uniform Fourier transforms, run on the host: spreading and interpolation against plain loops
// over every point and every grid point with the kernel as exp and sqrt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/host_warps.cuh"

namespace gwrm::cuda {

// Lane 4 g + t brings A[g, t], A[g + 8, t], B[t, g]; gets C[g, 2t], C[g, 2t + 1], C[g + 8, 2t], C[g + 8, 2t + 1].
inline void multiply_add(double (&c)[4], const double (&a)[2], double b) {
  const int lane = static_cast<int>(test::HostBlocks::lane()), g = lane / 4, t = lane % 4;
  for (int k = 0; k < 4; ++k) {
    const double upper = __shfl_sync(0xffffffffU, a[0], 4 * g + k), lower = __shfl_sync(0xffffffffU, a[1], 4 * g + k);
    for (int column = 0; column < 2; ++column) {
      const double right = __shfl_sync(0xffffffffU, b, 4 * (2 * t + column) + k);
      c[column] = std::fma(upper, right, c[column]);
      c[2 + column] = std::fma(lower, right, c[2 + column]);
    }
  }
}
// Two steps, one after the other.
inline void multiply_add(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
  multiply_add(c, {a[0], a[1]}, b[0]);
  multiply_add(c, {a[2], a[3]}, b[1]);
}

}  // namespace gwrm::cuda

#include "kernels/transform/nonuniform_interpolate.cuh"
#include "kernels/transform/nonuniform_spread.cuh"

namespace gwrm::nonuniform_kernels_test {
namespace {

using nonuniform::FineGrid;
using nonuniform::SortedPoints;
using test::HostBlocks;

struct Problem {
  NonuniformGeometry geometry;
  FineGrid grid;
  std::vector<std::vector<double>> x;  // of each dimension
  std::vector<double2> c;
  std::vector<int> order, firsts[3], first_of;
  std::vector<double> positions[3];
  SortedPoints points;

  // Half of the points in a small box across the end of the period.
  Problem(const std::vector<Index>& modes, double tolerance, int n_points)
      : geometry(modes, tolerance), grid(nonuniform::fine_grid(geometry)) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    x.resize(modes.size());
    for (int j = 0; j < n_points; ++j) {
      for (auto& list : x) list.push_back((j % 2 == 0 ? std::numbers::pi : 0.1) * uniform(random));
      c.push_back({uniform(random), uniform(random)});
    }
    std::vector<long long> bins;
    for (int j = 0; j < n_points; ++j) {
      long long bin = 0;
      for (std::size_t a = 0; a < 3; ++a) bin = bin * grid.axes[a].n_bins + support(a, j).first / grid.axes[a].bin;
      bins.push_back(bin);
    }
    order.resize(bins.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return bins[at(i)] < bins[at(j)]; });
    for (long long bin = 0; bin <= grid.n_bins(); ++bin)
      first_of.push_back(static_cast<int>(std::count_if(bins.begin(), bins.end(), [&](auto b) { return b < bin; })));
    points = {n_points, order.data(), {}, {}, first_of.data()};
    for (std::size_t a = 3 - modes.size(); a < 3; ++a) {
      for (const int j : order) {
        firsts[a].push_back(support(a, j).first);
        positions[a].push_back(support(a, j).r);
      }
      points.firsts[a] = firsts[a].data();
      points.positions[a] = positions[a].data();
    }
  }

  Support support(std::size_t a, int j) const {
    const std::size_t skipped = 3 - x.size();
    return a < skipped ? Support{0, 0.0} : support_of(x[a - skipped][at(j)], grid.axes[a].n, grid.axes[a].width);
  }
  Index n_grid() const { return geometry.n_fine(); }
  const double* table() const { return geometry.kernel.coefficients.data(); }

  // phi of point j at a grid point: the nearest of its images.
  long double weight(int j, Index place) const {
    long double product = 1.0L;
    for (std::size_t a = 3; a-- > 3 - x.size();) {
      const int n = grid.axes[a].n;
      const long double step = 2.0L * std::numbers::pi_v<long double> / n;
      const long double u = x[a - (3 - x.size())][at(j)] / step - static_cast<long double>(place % n);
      const long double z = 2.0L * (u - n * std::round(u / n)) / geometry.kernel.width;
      product *=
          std::abs(z) > 1.0L
              ? 0.0L
              : std::exp(static_cast<long double>(geometry.kernel.beta) * (std::sqrt((1.0L - z) * (1.0L + z)) - 1.0L));
      place /= n;
    }
    return product;
  }
  std::vector<std::complex<long double>> spread_definition() const {
    std::vector<std::complex<long double>> sums(at(n_grid()));
    for (Index place = 0; place < n_grid(); ++place)
      for (int j = 0; j < points.n_points; ++j)
        sums[at(place)] += weight(j, place) * std::complex<long double>(c[at(j)].x, c[at(j)].y);
    return sums;
  }
};

double largest_difference(const std::vector<double2>& a, const std::vector<std::complex<long double>>& b) {
  long double error = 0.0L, largest = 0.0L;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const long double here = std::abs(std::complex<long double>(a[i].x, a[i].y) - b[i]);
    error = here <= error ? error : here;
    largest = std::max(largest, std::abs(b[i]));
  }
  return static_cast<double>(error / largest);
}

// In pieces of `visits` visits, added one after the other.
template <int kDimensions, int kHalves>
std::vector<double2> spread_in_blocks(const Problem& p, int visits) {
  constexpr int kPoints = nonuniform::points_of_block(kDimensions);
  std::vector<double2> grid(at(p.n_grid()), double2{NAN, NAN}), piece(kPoints);
  nonuniform::WarpMemory<kDimensions> memory;
  for (int block = 0; block < p.grid.n_blocks(); ++block) {
    int n_visits = 0, n_runs = 0;
    const nonuniform::Box box = nonuniform::box_of_block(p.grid, block);
    HostBlocks::run(1, 32, [&] {
      int runs = 0;
      const int found = nonuniform::list_runs(p.grid, p.points, box, memory, runs);
      n_visits = found, n_runs = runs;
    });
    EXPECT_LE(n_runs, nonuniform::most_runs(kDimensions));
    for (int from = 0; from == 0 || from < n_visits; from += visits) {
      HostBlocks::run(1, 32, [&] {
        nonuniform::spread_block<kDimensions, kHalves>(p.grid, p.points, p.table(), p.c.data(), block, from, visits,
                                                       memory, from == 0 ? grid.data() : piece.data(), from == 0);
      });
      if (from == 0) continue;
      const auto& axes = p.grid.axes;
      for (int i = 0; i < kPoints; ++i) {
        const Index gx = box.first[2] + i % axes[2].side, gy = box.first[1] + i / axes[2].side % axes[1].side,
                    gz = box.first[0] + i / axes[2].side / axes[1].side;
        if (gx > box.last[2] || gy > box.last[1] || gz > box.last[0]) continue;
        double2& sum = grid[at((gz * axes[1].n + gy) * axes[2].n + gx)];
        sum.x += piece[at(i)].x;
        sum.y += piece[at(i)].y;
      }
    }
  }
  return grid;
}

template <int kDimensions>
std::vector<double2> spread_by_points(const Problem& p) {
  std::vector<double2> grid(at(p.n_grid()), double2{NAN, NAN});
  nonuniform::WarpMemory<kDimensions> memory;
  HostBlocks::run(static_cast<unsigned>(p.n_grid()), 32, [&] {
    nonuniform::spread_point<kDimensions>(p.grid, p.points, p.table(), p.c.data(), blockIdx.x, memory, grid.data());
  });
  return grid;
}

template <int kDimensions, int kWidth>
std::vector<double2> interpolated(const Problem& p, const std::vector<double2>& values) {
  std::vector<double2> c(p.c.size());
  std::vector<double> column(3 * kWidth);
  for (int j = 0; j < p.points.n_points; ++j)
    nonuniform::interpolate_point<kDimensions, kWidth>(p.grid, p.points, p.table(), values.data(), j, column.data(), 1,
                                                       c.data());
  return c;
}

template <int kDimensions, int kHalves>
void expect_definition(const std::vector<Index>& modes, double tolerance, int n_points) {
  const Problem p(modes, tolerance, n_points);
  const auto exact = p.spread_definition();
  // The polynomials are phi to a tenth of the tolerance, in each dimension; sums are rounded.
  const double allowed = 0.1 * kDimensions * tolerance + 1e-14;
  EXPECT_LE(largest_difference(spread_in_blocks<kDimensions, kHalves>(p, 1 << 20), exact), allowed) << modes[0];
  EXPECT_LE(largest_difference(spread_in_blocks<kDimensions, kHalves>(p, 57), exact), allowed) << modes[0];
  if (exact.size() < 2000) {
    EXPECT_LE(largest_difference(spread_by_points<kDimensions>(p), exact), allowed) << modes[0];
  }

  std::vector<double2> values(exact.size());
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (double2& value : values) value = {uniform(random), uniform(random)};
  std::vector<std::complex<long double>> sums(p.c.size());
  for (std::size_t j = 0; j < sums.size(); ++j)
    for (std::size_t place = 0; place < values.size(); ++place)
      sums[j] += p.weight(static_cast<int>(j), static_cast<Index>(place)) *
                 std::complex<long double>(values[place].x, values[place].y);
  EXPECT_LE(largest_difference(interpolated<kDimensions, 8 * kHalves>(p, values), sums), allowed * 5) << modes[0];
}

TEST(NonuniformKernels, SpreadAndInterpolateInOneDimension) {
  for (const Index n : {1, 7, 31, 50}) {
    expect_definition<1, 1>({n}, 1e-2, 60);
    expect_definition<1, 1>({n}, 1e-6, 200);
    expect_definition<1, 2>({n}, 1e-9, 60);
    expect_definition<1, 2>({n}, 1e-14, 200);
  }
}

TEST(NonuniformKernels, SpreadAndInterpolateInTwoDimensions) {
  expect_definition<2, 1>({1, 1}, 1e-6, 9);
  expect_definition<2, 1>({7, 20}, 1e-2, 150);
  expect_definition<2, 1>({20, 9}, 1e-6, 150);
  expect_definition<2, 2>({9, 14}, 1e-10, 100);
  expect_definition<2, 2>({2, 17}, 1e-14, 100);
}

TEST(NonuniformKernels, SpreadAndInterpolateInThreeDimensions) {
  expect_definition<3, 1>({1, 7, 2}, 1e-6, 40);
  expect_definition<3, 1>({5, 4, 6}, 1e-3, 40);
  expect_definition<3, 2>({1, 2, 3}, 1e-8, 10);
}

TEST(NonuniformKernels, NoPointsGiveZeros) {
  const Problem p({20, 9}, 1e-6, 0);
  for (const double2& value : spread_in_blocks<2, 1>(p, 1024)) EXPECT_EQ(value.x * value.x + value.y * value.y, 0.0);
}

TEST(NonuniformKernels, PolynomialsFitTheirLanes) {
  for (double digits = 1.0; digits <= 14.0; digits += 0.05) {
    const SpreadingKernel kernel(std::pow(10.0, -digits));
    const int most =
        kernel.width <= 8 ? nonuniform::LanePolynomials<1>::kDegree : nonuniform::LanePolynomials<2>::kDegree;
    EXPECT_LE(kernel.degree, most) << digits;
  }
}

// A block is divided into pieces of at least 1024 visits, of which 8192 at most are further ones.
TEST(NonuniformKernels, PiecesAreBounded) {
  for (const auto& modes : {std::vector<Index>{5000}, {1024, 1024}, {512, 512, 512}, {3, 5}})
    for (const double tolerance : {1e-2, 1e-6, 1e-14})
      for (const long long n_points : {0LL, 1000LL, 10'000'000LL, 2'000'000'000LL}) {
        const FineGrid grid = nonuniform::fine_grid(NonuniformGeometry(modes, tolerance));
        const long long visits = nonuniform::visits_of_piece(grid, n_points);
        EXPECT_GE(visits, 1024);
        EXPECT_LE(n_points * nonuniform::most_blocks_of_point(grid) / visits, nonuniform::kMostPieces);
        EXPECT_LE(grid.n_bins(), 1LL << 24);
      }
}

}  // namespace
}  // namespace gwrm::nonuniform_kernels_test
