#include "kernels/transform/nonuniform_points.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

// Points of a tile along the slowest .. fastest axis in use: a buffer of one stays in the cache.
constexpr Index kTileLength[3][3] = {{1, 1, 1024}, {1, 32, 128}, {8, 8, 16}};

constexpr std::size_t kTogether = 512;  // points

// Of kTogether points: tiles and starts in their buffers, axis after axis, and positions along each axis.
struct CellPlaces {
  std::array<std::int32_t, kTogether> tiles, starts;
  std::array<std::array<double, kTogether>, 3> positions;
};

// The next faster axis: tile = tile n + t, start = start extent + i - first(t), i the first grid point of a support.
// With n tiles of n_fine points t = floor(((i + 1) n - 1/2) / n_fine), first(t) = floor((t n_fine + 1/2) / n): half a
// unit away from whole numbers these quotients keep farther than their rounding, tiles being 8 points and more
// (n_fine <= 2^29). Returns how many points are not finite; they are put to the grid's first or last point.
GWRM_VECTOR_CLONES int add_axis(const double* x, std::size_t n, const NonuniformTiles& along, int width,
                                std::int32_t* tiles, std::int32_t* starts, double* positions) {
  const auto count = static_cast<double>(along.count), n_fine = static_cast<double>(along.n_fine);
  const double per_point = 1.0 / n_fine, per_tile = 1.0 / count;
  const auto n_tiles = static_cast<std::int32_t>(along.count), extent = static_cast<std::int32_t>(along.extent);
  const auto end = static_cast<int>(along.n_fine);
  constexpr std::int64_t kExponent = std::int64_t{0x7ff} << 52;  // all set in what is not finite
  int n_bad = 0;
  for (std::size_t i = 0; i < n; ++i) {
    n_bad += (std::bit_cast<std::int64_t>(x[i]) & kExponent) == kExponent ? 1 : 0;
    const Support support = support_of(x[i], end, width);
    const int first = std::clamp(support.first, 0, end - 1);
    const auto tile = static_cast<std::int32_t>(((first + 1.0) * count - 0.5) * per_point);
    const auto begin = static_cast<std::int32_t>((tile * n_fine + 0.5) * per_tile);
    tiles[i] = tiles[i] * n_tiles + tile;
    starts[i] = starts[i] * extent + first - begin;
    positions[i] = support.r;
  }
  return n_bad;
}

void refuse(std::span<const std::span<const double>> coordinates) {
  for (const auto& list : coordinates)
    for (std::size_t j = 0; j < list.size(); ++j)
      if (!std::isfinite(list[j]))
        throw ShapeError("non-uniform Fourier transform: point " + std::to_string(j) + " is not finite");
}

}  // namespace

NonuniformPoints::NonuniformPoints(const NonuniformGeometry& geometry,
                                   std::span<const std::span<const double>> coordinates, int n_threads,
                                   NonuniformPoints* before) {
  const auto first_axis = static_cast<std::size_t>(3 - geometry.n_dimensions);
  for (std::size_t a = first_axis; a < 3; ++a) {
    const NonuniformAxis& axis = geometry.axes[a];
    const Index behind = (a == 2 ? (axis.width + 3) / 4 * 4 : axis.width) - 1;
    const Index least = std::max<Index>(kTileLength[geometry.n_dimensions - 1][a], behind + 1);
    tiles[a] = NonuniformTiles(std::max<Index>(1, axis.n_fine / least), axis.n_fine);
    tiles[a].extent = tiles[a].longest() + behind;
    if (a == 2) tiles[a].extent = (tiles[a].extent + 3) / 4 * 4;
  }
  const auto n_tiles = static_cast<std::size_t>(tiles[0].count * tiles[1].count * tiles[2].count);

  // Counting sort. Threads take consecutive points, and of each tile the places behind those of the threads before:
  // within a tile points keep their order.
  const std::size_t count = coordinates.front().size(), parts = static_cast<std::size_t>(n_threads);
  std::atomic<int> n_bad = 0;
  // visit(first of some points, how many, where they are) for the points of a thread in turn.
  const auto for_each_block = [&](std::size_t part, auto visit) {
    CellPlaces places;
    const std::size_t end = count * (part + 1) / parts;
    for (std::size_t first = count * part / parts; first < end; first += kTogether) {
      const std::size_t here = std::min(kTogether, end - first);
      places.tiles.fill(0);
      places.starts.fill(0);
      int bad = 0;
      for (std::size_t a = first_axis; a < 3; ++a)
        bad += add_axis(coordinates[a - first_axis].data() + first, here, tiles[a], geometry.axes[a].width,
                        places.tiles.data(), places.starts.data(), places.positions[a].data());
      if (bad > 0) n_bad += bad;
      visit(first, here, places);
    }
  };
  std::vector<std::vector<Index>> next(parts, std::vector<Index>(n_tiles, 0));  // how many there are, then the place
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part)
    for_each_block(part, [&](std::size_t, std::size_t here, const CellPlaces& places) {
      for (std::size_t i = 0; i < here; ++i) ++next[part][static_cast<std::size_t>(places.tiles[i])];
    });
  if (n_bad > 0) refuse(coordinates);
  if (before != nullptr) sorted = std::move(before->sorted);
  first_of.assign(n_tiles + 1, 0);
  Index sum = 0;
  for (std::size_t tile = 0; tile < n_tiles; ++tile) {
    first_of[tile] = sum;
    for (std::vector<Index>& of_part : next) {
      const Index here = of_part[tile];
      of_part[tile] = sum;
      sum += here;
    }
  }
  first_of[n_tiles] = sum;

  const auto scatter = [&]<int n_dimensions>(std::vector<Point<n_dimensions>>& points) {
    points.resize(count);  // one record a point: with a list for each number the places would be in too many pages
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (std::size_t part = 0; part < parts; ++part)
      for_each_block(part, [&](std::size_t first, std::size_t here, const CellPlaces& places) {
        for (std::size_t i = 0; i < here; ++i) {
          Point<n_dimensions> point;
          for (std::size_t d = 0; d < n_dimensions; ++d) point.positions[d] = places.positions[first_axis + d][i];
          point.start = places.starts[i];
          point.number = static_cast<std::int32_t>(first + i);
          points[static_cast<std::size_t>(next[part][static_cast<std::size_t>(places.tiles[i])]++)] = point;
        }
      });
  };
  if (static_cast<int>(sorted.index()) != geometry.n_dimensions - 1) {
    if (geometry.n_dimensions == 1) sorted.emplace<0>();
    if (geometry.n_dimensions == 2) sorted.emplace<1>();
    if (geometry.n_dimensions == 3) sorted.emplace<2>();
  }
  std::visit(scatter, sorted);

  for (int cz = 0; cz < tiles[0].n_colours(); ++cz)
    for (int cy = 0; cy < tiles[1].n_colours(); ++cy)
      for (int cx = 0; cx < tiles[2].n_colours(); ++cx) {
        colours.emplace_back();
        for (Index tile = 0; tile < static_cast<Index>(n_tiles); ++tile) {
          const auto t = static_cast<std::size_t>(tile);
          if (first_of[t + 1] > first_of[t] && tiles[2].colour(tile % tiles[2].count) == cx &&
              tiles[1].colour(tile / tiles[2].count % tiles[1].count) == cy &&
              tiles[0].colour(tile / tiles[2].count / tiles[1].count) == cz)
            colours.back().push_back(static_cast<std::int32_t>(tile));
        }
      }
}

}  // namespace gwrm
