#include "kernels/transform/nonuniform_spread.hpp"

#include <omp.h>

#include <algorithm>

#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_butterflies.hpp"

namespace gwrm::cpu {
namespace {

using butterfly::Eight, butterfly::load, butterfly::store;
using Complex = std::complex<double>;

constexpr int kMax = SpreadingKernel::kMaxWidth;
constexpr std::size_t kAhead = 16;  // points: their numbers lie anywhere in memory and are fetched that much earlier

// A tile's place in the grid; its buffer has the extents of NonuniformPoints::tiles.
struct Tile {
  std::array<Index, 3> first, extent;
};

struct TileWork {
  const NonuniformGeometry& geometry;
  const NonuniformPoints& points;

  Tile tile_of(Index number) const {
    Tile tile{};
    for (std::size_t a = 3; a-- > 0;) {
      const NonuniformTiles& along = points.tiles[a];
      tile.first[a] = along.first(number % along.count);
      tile.extent[a] = along.extent;
      number /= along.count;
    }
    return tile;
  }
  // visit(buffer, grid, count) for the rows of a buffer along the fastest axis, in pieces that do not cross the end of
  // the grid, which is periodic.
  template <class Visit>
  void for_each_piece(const Tile& tile, Complex* buffer, Complex* grid, Visit visit) const {
    const auto& axes = geometry.axes;
    const Index n = axes[2].n_fine;
    for (Index z = 0; z < tile.extent[0]; ++z)
      for (Index y = 0; y < tile.extent[1]; ++y) {
        const Index gz = (tile.first[0] + z) % axes[0].n_fine, gy = (tile.first[1] + y) % axes[1].n_fine;
        Complex* const own = buffer + (z * tile.extent[1] + y) * tile.extent[2];
        Complex* const row = grid + (gz * axes[1].n_fine + gy) * n;
        for (Index done = 0; done < tile.extent[2];) {
          const Index at = (tile.first[2] + done) % n, count = std::min(tile.extent[2] - done, n - at);
          visit(own + done, row + at, count);
          done += count;
        }
      }
  }
};

// What the loops over points need, in registers.
struct PointWork {
  const double* coefficients;
  int degree, width;
  Index row, plane;  // of the buffer, in doubles
};

// phi on 8 n points of the support side by side, by Horner's rule.
template <int n>
struct KernelValues {
  Eight v[n];
  GWRM_INLINE KernelValues(const PointWork& work, double r) {
    const double* c = work.coefficients;
    for (int i = 0; i < n; ++i) v[i] = load<Eight>(c + 8 * i);
    for (int p = 1; p <= work.degree; ++p) {
      c += kMax;
      for (int i = 0; i < n; ++i) v[i] = v[i] * r + load<Eight>(c + 8 * i);
    }
  }
  GWRM_INLINE void store_to(double* to) const {
    for (int i = 0; i < n; ++i) store(to + 8 * i, v[i]);
  }
  // Values 4 q .. 4 q + 3, each for a real and an imaginary part.
  template <int q>
  GWRM_INLINE Eight twice() const {
    const Eight x = v[q / 2];
    if constexpr (q % 2 == 0) return __builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3);
    return __builtin_shufflevector(x, x, 4, 4, 5, 5, 6, 6, 7, 7);
  }
};

// The values along the fastest axis, `quads` times four complex numbers, and the products of those along the others.
template <int n_dimensions, int quads>
struct PointSupport {
  static constexpr int kVectors = (quads + 1) / 2;
  Eight x[4];
  alignas(64) double y[8 * kVectors], z[8 * kVectors];

  GWRM_INLINE PointSupport(const PointWork& work, const NonuniformPoints::Point<n_dimensions>& point) {
    const KernelValues<kVectors> along(work, point.positions[n_dimensions - 1]);
    x[0] = along.template twice<0>();
    if constexpr (quads > 1) x[1] = along.template twice<1>();
    if constexpr (quads > 2) x[2] = along.template twice<2>();
    if constexpr (quads > 3) x[3] = along.template twice<3>();
    if constexpr (n_dimensions > 1) KernelValues<kVectors>(work, point.positions[n_dimensions - 2]).store_to(y);
    if constexpr (n_dimensions > 2) KernelValues<kVectors>(work, point.positions[0]).store_to(z);
  }
  // visit(row of the buffer, product of the slower axes' values); base: where the support begins.
  template <class Pointer, class Visit>
  GWRM_INLINE void for_each_row(const PointWork& work, Pointer base, Visit visit) const {
    const int width = std::min(work.width, 4 * quads);  // which it is anyway
    if constexpr (n_dimensions == 1)
      visit(base, 1.0);
    else if constexpr (n_dimensions == 2)
      for (int iy = 0; iy < width; ++iy) visit(base + iy * work.row, y[iy]);
    else
      for (int iz = 0; iz < width; ++iz)
        for (int iy = 0; iy < width; ++iy) visit(base + iz * work.plane + iy * work.row, z[iz] * y[iy]);
  }
};

// count points, of the `after` behind the first that there are in all.
template <int n_dimensions, int quads>
GWRM_INLINE void spread_points(const PointWork& work, const NonuniformPoints::Point<n_dimensions>* points,
                               std::size_t count, std::size_t after, const Complex* c, double* buffer) {
  for (std::size_t p = 0; p < count; ++p) {
    __builtin_prefetch(c + points[std::min(p + kAhead, after - 1)].number);
    const PointSupport<n_dimensions, quads> support(work, points[p]);
    const double re = c[points[p].number].real(), im = c[points[p].number].imag();
    const Eight strength = {re, im, re, im, re, im, re, im};
    Eight row[quads];
    for (int q = 0; q < quads; ++q) row[q] = strength * support.x[q];
    support.for_each_row(work, buffer + 2 * points[p].start, [&](double* to, double factor) GWRM_LAMBDA_INLINE {
      for (int q = 0; q < quads; ++q) store(to + 8 * q, load<Eight>(to + 8 * q) + factor * row[q]);
    });
  }
}

template <int n_dimensions, int quads>
GWRM_INLINE void interpolate_points(const PointWork& work, const NonuniformPoints::Point<n_dimensions>* points,
                                    std::size_t count, std::size_t after, Complex* c, const double* buffer) {
  for (std::size_t p = 0; p < count; ++p) {
    __builtin_prefetch(c + points[std::min(p + kAhead, after - 1)].number, 1);
    const PointSupport<n_dimensions, quads> support(work, points[p]);
    Eight row[quads] = {};  // summed over the slower axes
    support.for_each_row(work, buffer + 2 * points[p].start, [&](const double* from, double factor) GWRM_LAMBDA_INLINE {
      for (int q = 0; q < quads; ++q) row[q] += factor * load<Eight>(from + 8 * q);
    });
    Eight sum = row[0] * support.x[0];
    for (int q = 1; q < quads; ++q) sum += row[q] * support.x[q];
    c[points[p].number] = {(sum[0] + sum[2]) + (sum[4] + sum[6]), (sum[1] + sum[3]) + (sum[5] + sum[7])};
  }
}

// Widths of up to 4, 8, 12 and 16 as constants of the loops above.
#define GWRM_WIDTHS(of_points)                                                  \
  switch ((work.width + 3) / 4) {                                               \
    case 1:                                                                     \
      return of_points<n_dimensions, 1>(work, points, count, after, c, buffer); \
    case 2:                                                                     \
      return of_points<n_dimensions, 2>(work, points, count, after, c, buffer); \
    case 3:                                                                     \
      return of_points<n_dimensions, 3>(work, points, count, after, c, buffer); \
    default:                                                                    \
      return of_points<n_dimensions, 4>(work, points, count, after, c, buffer); \
  }
#define GWRM_DIMENSIONS(n)                                                                                           \
  GWRM_VECTOR_CLONES void spread_tile(const PointWork& work, const NonuniformPoints::Point<n>* points,               \
                                      std::size_t count, std::size_t after, const Complex* c, double* buffer) {      \
    constexpr int n_dimensions = n;                                                                                  \
    GWRM_WIDTHS(spread_points)                                                                                       \
  }                                                                                                                  \
  GWRM_VECTOR_CLONES void interpolate_tile(const PointWork& work, const NonuniformPoints::Point<n>* points,          \
                                           std::size_t count, std::size_t after, Complex* c, const double* buffer) { \
    constexpr int n_dimensions = n;                                                                                  \
    GWRM_WIDTHS(interpolate_points)                                                                                  \
  }
GWRM_DIMENSIONS(1)
GWRM_DIMENSIONS(2)
GWRM_DIMENSIONS(3)

GWRM_VECTOR_CLONES void add(const double* x, Index n, double* y) {
  for (Index i = 0; i < n; ++i) y[i] += x[i];
}

// work(the tile's points, how many, how many there are from there on, buffer).
template <class Work>
void with_points_of(const NonuniformGeometry& geometry, const NonuniformPoints& points, Index tile, Work work) {
  const PointWork point_work{geometry.kernel.coefficients.data(), geometry.kernel.degree, geometry.kernel.width,
                             2 * points.tiles[2].extent, 2 * points.tiles[2].extent * points.tiles[1].extent};
  const auto begin = static_cast<std::size_t>(points.first_of[static_cast<std::size_t>(tile)]),
             end = static_cast<std::size_t>(points.first_of[static_cast<std::size_t>(tile) + 1]);
  std::visit([&](const auto& sorted) { work(point_work, sorted.data() + begin, end - begin, sorted.size() - begin); },
             points.sorted);
}

Complex* buffer_of_thread(const NonuniformPoints& points, Complex* buffers) {
  return buffers + omp_get_thread_num() * points.buffer_size();
}

}  // namespace

void spread(const NonuniformGeometry& geometry, const NonuniformPoints& points, const Complex* c, Complex* grid,
            Complex* buffers, int n_threads) {
  const TileWork work{geometry, points};
  const Index n_fine = geometry.n_fine();
#pragma omp parallel for num_threads(n_threads) schedule(static)
  for (Index i = 0; i < n_fine; ++i) grid[i] = 0.0;

  for (const std::vector<std::int32_t>& tiles : points.colours) {
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      Complex* const buffer = buffer_of_thread(points, buffers);
      std::fill_n(buffer, points.buffer_size(), 0.0);
      with_points_of(geometry, points, tiles[i], [&](const auto&... arguments) {
        spread_tile(arguments..., c, reinterpret_cast<double*>(buffer));
      });
      work.for_each_piece(work.tile_of(tiles[i]), buffer, grid, [](const Complex* own, Complex* row, Index count) {
        add(reinterpret_cast<const double*>(own), 2 * count, reinterpret_cast<double*>(row));
      });
    }
  }
}

void interpolate(const NonuniformGeometry& geometry, const NonuniformPoints& points, const Complex* grid, Complex* c,
                 Complex* buffers, int n_threads) {
  const TileWork work{geometry, points};
  const auto n_tiles = static_cast<Index>(points.first_of.size()) - 1;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 4)
  for (Index tile = 0; tile < n_tiles; ++tile) {
    if (points.first_of[static_cast<std::size_t>(tile)] == points.first_of[static_cast<std::size_t>(tile) + 1])
      continue;
    Complex* const buffer = buffer_of_thread(points, buffers);
    work.for_each_piece(work.tile_of(tile), buffer, const_cast<Complex*>(grid),  // which is only read
                        [](Complex* own, const Complex* row, Index count) { std::copy_n(row, count, own); });
    with_points_of(geometry, points, tile, [&](const auto&... arguments) {
      interpolate_tile(arguments..., c, reinterpret_cast<const double*>(buffer));
    });
  }
}

}  // namespace gwrm::cpu
