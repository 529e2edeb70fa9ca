// Points of a non-uniform Fourier transform, sorted, and their way to and from the fine grid on the CPU.
//
// A point belongs to the tile that holds the first grid point of its support; a tile with the w - 1 points behind it is
// summed in a buffer of its own, of rows of even width (the last value is zero where w is odd). Along an axis tiles are
// at least that long, so that those of one colour - even, odd,
// and the last where their number is odd - do not meet: colours follow one another, the tiles of one in any order.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/transform/nonuniform_geometry.hpp"

namespace gwrm {

class NonuniformPoints {
 public:
  struct Point {
    std::array<double, 3> positions;  // Support along the axes in use
    std::array<std::int32_t, 3> firsts;
    std::int32_t number;
  };

  // memory: of points before, whose pages are there already.
  NonuniformPoints(const NonuniformGeometry& geometry, std::span<const std::span<const double>> coordinates,
                   int n_threads, std::vector<Point> memory = {});

  Index size() const { return static_cast<Index>(sorted.size()); }

  // Tile t along an axis has the grid points first[t] .. first[t + 1] - 1.
  struct Tiles {
    Index count = 1;
    double per_point = 1.0;  // tiles
    std::vector<Index> first{0, 1};

    Tiles() = default;
    Tiles(Index n_tiles, Index n_fine)
        : count(n_tiles), per_point(static_cast<double>(n_tiles) / static_cast<double>(n_fine)), first{} {
      for (Index t = 0; t <= n_tiles; ++t) first.push_back(t * n_fine / n_tiles);
    }
    Index of(Index i) const {
      auto t = static_cast<std::size_t>(static_cast<double>(i) * per_point);  // off by one at most
      if (i >= first[t + 1]) ++t;
      if (i < first[t]) --t;
      return static_cast<Index>(t);
    }
    int n_colours() const { return count == 1 ? 1 : count % 2 == 0 ? 2 : 3; }
    int colour(Index t) const { return count % 2 == 1 && count > 1 && t == count - 1 ? 2 : static_cast<int>(t % 2); }
  };
  std::array<Tiles, 3> tiles;
  std::vector<Point> sorted;
  std::vector<Index> first_of;                     // of each tile, and the end
  std::vector<std::vector<std::int32_t>> colours;  // tiles with points, a list for each colour
  Index buffer_size = 0;                           // of the largest tile with what is behind it
};

namespace cpu {

// grid (fine, overwritten) = sum_j c_j phi(x_j - .). buffers: n_threads x points.buffer_size.
void spread(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* c,
            std::complex<double>* grid, std::complex<double>* buffers, int n_threads);
// c_j = sum phi(x_j - .) grid.
void interpolate(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* grid,
                 std::complex<double>* c, std::complex<double>* buffers, int n_threads);

}  // namespace cpu
}  // namespace gwrm
