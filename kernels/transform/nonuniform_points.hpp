// Points of a non-uniform Fourier transform on the CPU, sorted into tiles of the fine grid.
//
// A point belongs to the tile that holds the first grid point of its support; a tile with the w - 1 points behind it is
// summed in a buffer of its own. Along the fastest axis four complex numbers, a register, are taken at a time: rows of
// a buffer have room for the kernel's width rounded up to a multiple of four, the values beyond the kernel are zero.
// Along an axis tiles are at least as long as what lies behind them, so that those of one colour - even, odd, and the
// last where their number is odd - do not meet: colours follow one another, the tiles of one in any order.
//
// Memory    16, 24 or 32 bytes a point in one, two or three dimensions; 4 more while points are sorted.
// Order     within a tile points keep their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "kernels/transform/nonuniform_geometry.hpp"

namespace gwrm {

// Tile t of n along an axis has the grid points floor(t n_fine / n) .. floor((t + 1) n_fine / n) - 1.
struct NonuniformTiles {
  Index count = 1;
  Index n_fine = 1;
  Index extent = 1;  // of a buffer: the longest tile and what lies behind it

  NonuniformTiles() = default;
  NonuniformTiles(Index n_tiles, Index n) : count(n_tiles), n_fine(n) {}
  Index first(Index t) const { return t * n_fine / count; }
  Index longest() const { return (n_fine + count - 1) / count; }
  int n_colours() const { return count == 1 ? 1 : count % 2 == 0 ? 2 : 3; }
  int colour(Index t) const { return count % 2 == 1 && count > 1 && t == count - 1 ? 2 : static_cast<int>(t % 2); }
};

class NonuniformPoints {
 public:
  template <int n_dimensions>
  struct Point {
    std::array<double, n_dimensions> positions;  // r of the kernel's polynomials along the axes in use
    std::int32_t start;                          // of the support in the tile's buffer
    std::int32_t number;
  };
  using Sorted = std::variant<std::vector<Point<1>>, std::vector<Point<2>>, std::vector<Point<3>>>;

  // before: gives its memory, whose pages are there already. ShapeError if a point is not finite; `before` is untouched
  // then.
  NonuniformPoints(const NonuniformGeometry& geometry, std::span<const std::span<const double>> coordinates,
                   int n_threads, NonuniformPoints* before = nullptr);

  Index size() const { return first_of.back(); }
  Index buffer_size() const { return tiles[0].extent * tiles[1].extent * tiles[2].extent; }

  std::array<NonuniformTiles, 3> tiles;
  Sorted sorted;
  std::vector<Index> first_of;                     // of each tile, and the end
  std::vector<std::vector<std::int32_t>> colours;  // tiles with points, a list for each colour
};

}  // namespace gwrm
