#include "kernels/transform/nonuniform_spread.hpp"

#include <omp.h>

#include <algorithm>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

// Points of a tile along the slowest .. fastest axis in use: a buffer of one stays in the second level of the cache.
constexpr Index kTileLength[3][3] = {{1, 1, 512}, {1, 32, 32}, {8, 8, 16}};

constexpr std::size_t kTogether = 512;  // points

GWRM_VECTOR_CLONES void find_supports(const double* x, std::size_t n, int n_fine, int width, std::int32_t* firsts,
                                      double* positions) {
  for (std::size_t i = 0; i < n; ++i) {
    const Support support = support_of(x[i], n_fine, width);
    firsts[i] = support.first;
    positions[i] = support.r;
  }
}

// Of kTogether points along an axis.
struct PointSupports {
  std::array<std::int32_t, kTogether> firsts;
  std::array<double, kTogether> positions;
  void find(const double* x, std::size_t n, const NonuniformAxis& axis) {
    find_supports(x, n, static_cast<int>(axis.n_fine), axis.width, firsts.data(), positions.data());
  }
};

Index to_even(Index n) {
  return n + n % 2;
}

// Grid points of a tile of n along an axis with what lies behind them. Along the fastest axis an even number of the
// kernel's values is computed; an even number of points in a row keeps the rows' alignment.
Index extent_of(const NonuniformAxis& axis, Index n, bool is_fastest) {
  return is_fastest ? to_even(n + to_even(axis.width) - 1) : n + axis.width - 1;
}

}  // namespace

NonuniformPoints::NonuniformPoints(const NonuniformGeometry& geometry,
                                   std::span<const std::span<const double>> coordinates, int n_threads,
                                   std::vector<Point> memory)
    : sorted(std::move(memory)) {
  const auto n = static_cast<Index>(coordinates.front().size());
  const auto first_axis = static_cast<std::size_t>(3 - geometry.n_dimensions);
  buffer_size = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const NonuniformAxis& axis = geometry.axes[a];
    const Index least = std::max<Index>(kTileLength[geometry.n_dimensions - 1][a], extent_of(axis, 0, a == 2));
    tiles[a] = Tiles(std::max<Index>(1, axis.n_fine / std::max<Index>(1, least)), axis.n_fine);
    Index longest = 0;
    for (std::size_t t = 0; t + 1 < tiles[a].first.size(); ++t)
      longest = std::max(longest, tiles[a].first[t + 1] - tiles[a].first[t]);
    buffer_size *= extent_of(axis, longest, a == 2);
  }
  const Index n_tiles = tiles[0].count * tiles[1].count * tiles[2].count;

  // Counting sort. Threads take consecutive points, and of each tile the places behind those of the threads before:
  // within a tile points keep their order.
  const auto count = static_cast<std::size_t>(n), parts = static_cast<std::size_t>(n_threads);
  // visit(number, tile, supports of some points, which of them) for the points of a thread in turn.
  const auto for_each_point = [&](std::size_t part, auto visit) {
    std::array<PointSupports, 3> supports;
    const std::size_t end = count * (part + 1) / parts;
    for (std::size_t first = count * part / parts; first < end; first += kTogether) {
      const std::size_t here = std::min(kTogether, end - first);
      for (std::size_t a = first_axis; a < 3; ++a)
        supports[a].find(coordinates[a - first_axis].data() + first, here, geometry.axes[a]);
      for (std::size_t i = 0; i < here; ++i) {
        Index tile = 0;
        for (std::size_t a = first_axis; a < 3; ++a) tile = tile * tiles[a].count + tiles[a].of(supports[a].firsts[i]);
        visit(first + i, static_cast<std::size_t>(tile), supports, i);
      }
    }
  };
  const auto size = static_cast<std::size_t>(n_tiles);
  std::vector<std::vector<Index>> next(parts, std::vector<Index>(size, 0));  // first how many there are, then the place
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part)
    for_each_point(part, [&](std::size_t, std::size_t tile, const auto&, std::size_t) { ++next[part][tile]; });
  first_of.assign(size + 1, 0);
  Index sum = 0;
  for (std::size_t tile = 0; tile < size; ++tile) {
    first_of[tile] = sum;
    for (std::vector<Index>& of_part : next) {
      const Index here = of_part[tile];
      of_part[tile] = sum;
      sum += here;
    }
  }
  first_of[size] = sum;
  sorted.resize(count);  // one record a point: with a list for each number the places would be in too many pages
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part)
    for_each_point(part, [&](std::size_t j, std::size_t tile, const auto& supports, std::size_t i) {
      Point& point = sorted[static_cast<std::size_t>(next[part][tile]++)];
      point.number = static_cast<std::int32_t>(j);
      for (std::size_t a = first_axis; a < 3; ++a) {
        point.firsts[a] = supports[a].firsts[i];
        point.positions[a] = supports[a].positions[i];
      }
    });

  for (int cz = 0; cz < tiles[0].n_colours(); ++cz)
    for (int cy = 0; cy < tiles[1].n_colours(); ++cy)
      for (int cx = 0; cx < tiles[2].n_colours(); ++cx) {
        colours.emplace_back();
        for (Index tile = 0; tile < n_tiles; ++tile) {
          const auto t = static_cast<std::size_t>(tile);
          if (first_of[t + 1] > first_of[t] && tiles[2].colour(tile % tiles[2].count) == cx &&
              tiles[1].colour(tile / tiles[2].count % tiles[1].count) == cy &&
              tiles[0].colour(tile / tiles[2].count / tiles[1].count) == cz)
            colours.back().push_back(static_cast<std::int32_t>(tile));
        }
      }
}

namespace cpu {
namespace {

constexpr int kMax = SpreadingKernel::kMaxWidth;

// values[k] = phi on the k-th point of the support, by Horner's rule on all of them side by side. Width: of the values
// that are computed, the kernel's or more.
template <int Width>
GWRM_INLINE void kernel_values(const SpreadingKernel& kernel, double r, double* values) {
  const double* c = kernel.coefficients.data();
  for (int k = 0; k < Width; ++k) values[k] = c[k];
  for (int p = 1; p <= kernel.degree; ++p) {
    c += kMax;
    for (int k = 0; k < Width; ++k) values[k] = values[k] * r + c[k];
  }
}

// A tile with what lies behind it.
struct Buffer {
  std::array<Index, 3> first, extent;
  std::complex<double>* values;
};

struct TileWork {
  const NonuniformGeometry& geometry;
  const NonuniformPoints& points;

  Buffer buffer_of(Index tile, std::complex<double>* values) const {
    Buffer buffer{{}, {}, values};
    for (std::size_t a = 3; a-- > 0;) {
      const auto& along = points.tiles[a];
      const auto t = static_cast<std::size_t>(tile % along.count);
      tile /= along.count;
      buffer.first[a] = along.first[t];
      buffer.extent[a] = extent_of(geometry.axes[a], along.first[t + 1] - along.first[t], a == 2);
    }
    return buffer;
  }
  Index first_point(Index tile) const { return points.first_of[static_cast<std::size_t>(tile)]; }

  // visit(buffer row, grid row) for the rows of a buffer along the fastest axis; the grid is periodic.
  template <class Visit>
  void for_each_row(const Buffer& buffer, std::complex<double>* grid, Visit visit) const {
    const auto& axes = geometry.axes;
    for (Index z = 0; z < buffer.extent[0]; ++z)
      for (Index y = 0; y < buffer.extent[1]; ++y) {
        const Index gz = (buffer.first[0] + z) % axes[0].n_fine, gy = (buffer.first[1] + y) % axes[1].n_fine;
        visit(buffer.values + (z * buffer.extent[1] + y) * buffer.extent[2],
              grid + (gz * axes[1].n_fine + gy) * axes[2].n_fine);
      }
  }
  // The same for the pieces of a row that do not cross the end of the grid: visit(buffer, grid, count).
  template <class Visit>
  void for_each_piece(const Buffer& buffer, std::complex<double>* grid, Visit visit) const {
    const Index n = geometry.axes[2].n_fine;
    for_each_row(buffer, grid, [&](std::complex<double>* own, std::complex<double>* row) {
      for (Index done = 0; done < buffer.extent[2];) {
        const Index at = (buffer.first[2] + done) % n, count = std::min(buffer.extent[2] - done, n - at);
        visit(own + done, row + at, count);
        done += count;
      }
    });
  }
};

// The support of one sorted point: values along each axis, and where it begins in the buffer.
template <int Width>
struct PointSupport {
  std::array<double, kMax> z{1.0}, y{1.0};
  std::array<double, Width> x;
  Index start = 0;

  GWRM_INLINE PointSupport(const TileWork& work, const Buffer& buffer, const NonuniformPoints::Point& point) {
    const int n_dimensions = work.geometry.n_dimensions;
    if (n_dimensions > 2) kernel_values<Width>(work.geometry.kernel, point.positions[0], z.data());
    if (n_dimensions > 1) kernel_values<Width>(work.geometry.kernel, point.positions[1], y.data());
    kernel_values<Width>(work.geometry.kernel, point.positions[2], x.data());
    const Index iz = n_dimensions > 2 ? point.firsts[0] - buffer.first[0] : 0;
    const Index iy = n_dimensions > 1 ? point.firsts[1] - buffer.first[1] : 0;
    start = (iz * buffer.extent[1] + iy) * buffer.extent[2] + point.firsts[2] - buffer.first[2];
  }
};

template <int Width>
GWRM_INLINE void spread_tile(const TileWork& work, const Buffer& buffer, Index tile, const std::complex<double>* c) {
  const auto& axes = work.geometry.axes;
  for (Index p = work.first_point(tile); p < work.first_point(tile + 1); ++p) {
    const NonuniformPoints::Point& point = work.points.sorted[static_cast<std::size_t>(p)];
    const PointSupport<Width> support(work, buffer, point);
    const std::complex<double> strength = c[point.number];
    double row[2 * Width];  // c phi along the fastest axis
    for (int k = 0; k < Width; ++k) {
      row[2 * k] = strength.real() * support.x[static_cast<std::size_t>(k)];
      row[2 * k + 1] = strength.imag() * support.x[static_cast<std::size_t>(k)];
    }
    for (int iz = 0; iz < axes[0].width; ++iz)
      for (int iy = 0; iy < axes[1].width; ++iy) {
        const double factor = support.z[static_cast<std::size_t>(iz)] * support.y[static_cast<std::size_t>(iy)];
        double* const to =
            reinterpret_cast<double*>(buffer.values + support.start + (iz * buffer.extent[1] + iy) * buffer.extent[2]);
        for (int k = 0; k < 2 * Width; ++k) to[k] += factor * row[k];
      }
  }
}

template <int Width>
GWRM_INLINE void interpolate_tile(const TileWork& work, const Buffer& buffer, Index tile, std::complex<double>* c) {
  const auto& axes = work.geometry.axes;
  for (Index p = work.first_point(tile); p < work.first_point(tile + 1); ++p) {
    const NonuniformPoints::Point& point = work.points.sorted[static_cast<std::size_t>(p)];
    const PointSupport<Width> support(work, buffer, point);
    double row[2 * Width] = {};  // summed over the slower axes
    for (int iz = 0; iz < axes[0].width; ++iz)
      for (int iy = 0; iy < axes[1].width; ++iy) {
        const double factor = support.z[static_cast<std::size_t>(iz)] * support.y[static_cast<std::size_t>(iy)];
        const double* const from = reinterpret_cast<const double*>(buffer.values + support.start +
                                                                   (iz * buffer.extent[1] + iy) * buffer.extent[2]);
        for (int k = 0; k < 2 * Width; ++k) row[k] += factor * from[k];
      }
    double re = 0.0, im = 0.0;
    for (int k = 0; k < Width; ++k) {
      re += row[2 * k] * support.x[static_cast<std::size_t>(k)];
      im += row[2 * k + 1] * support.x[static_cast<std::size_t>(k)];
    }
    c[point.number] = {re, im};
  }
}

// The even widths as constants of the loops above.
#define GWRM_WIDTHS(work_of_tile)                     \
  switch (to_even(work.geometry.kernel.width)) {      \
    case 2:                                           \
      return work_of_tile<2>(work, buffer, tile, c);  \
    case 4:                                           \
      return work_of_tile<4>(work, buffer, tile, c);  \
    case 6:                                           \
      return work_of_tile<6>(work, buffer, tile, c);  \
    case 8:                                           \
      return work_of_tile<8>(work, buffer, tile, c);  \
    case 10:                                          \
      return work_of_tile<10>(work, buffer, tile, c); \
    case 12:                                          \
      return work_of_tile<12>(work, buffer, tile, c); \
    case 14:                                          \
      return work_of_tile<14>(work, buffer, tile, c); \
    default:                                          \
      return work_of_tile<16>(work, buffer, tile, c); \
  }

GWRM_VECTOR_CLONES void spread_one(const TileWork& work, const Buffer& buffer, Index tile,
                                   const std::complex<double>* c){GWRM_WIDTHS(spread_tile)}

GWRM_VECTOR_CLONES void interpolate_one(const TileWork& work, const Buffer& buffer, Index tile,
                                        std::complex<double>* c){GWRM_WIDTHS(interpolate_tile)}

std::complex<double>* buffer_of_thread(const NonuniformPoints& points, std::complex<double>* buffers) {
  return buffers + omp_get_thread_num() * points.buffer_size;
}

}  // namespace

void spread(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* c,
            std::complex<double>* grid, std::complex<double>* buffers, int n_threads) {
  const TileWork work{geometry, points};
  const Index n_fine = geometry.n_fine();
#pragma omp parallel for num_threads(n_threads) schedule(static)
  for (Index i = 0; i < n_fine; ++i) grid[i] = 0.0;

  for (const std::vector<std::int32_t>& tiles : points.colours) {
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const Buffer buffer = work.buffer_of(tiles[i], buffer_of_thread(points, buffers));
      std::fill_n(buffer.values, buffer.extent[0] * buffer.extent[1] * buffer.extent[2], 0.0);
      spread_one(work, buffer, tiles[i], c);
      work.for_each_piece(buffer, grid, [](const std::complex<double>* own, std::complex<double>* row, Index count) {
        for (Index k = 0; k < count; ++k) row[k] += own[k];
      });
    }
  }
}

void interpolate(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* grid,
                 std::complex<double>* c, std::complex<double>* buffers, int n_threads) {
  const TileWork work{geometry, points};
  const auto n_tiles = static_cast<Index>(points.first_of.size()) - 1;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 4)
  for (Index tile = 0; tile < n_tiles; ++tile) {
    if (work.first_point(tile + 1) == work.first_point(tile)) continue;
    const Buffer buffer = work.buffer_of(tile, buffer_of_thread(points, buffers));
    work.for_each_piece(
        buffer, const_cast<std::complex<double>*>(grid),  // which is only read
        [](std::complex<double>* own, const std::complex<double>* row, Index count) { std::copy_n(row, count, own); });
    interpolate_one(work, buffer, tile, c);
  }
}

}  // namespace cpu
}  // namespace gwrm
