// Points of a non-uniform Fourier transform, sorted, and their way to and from the fine grid on the CPU.
//
// A point belongs to the tile that holds the first grid point of its support; a tile with the w - 1 points behind it is
// summed in a buffer of its own. Along an axis tiles are at least w - 1 long, so that those of one colour - even, odd,
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
  NonuniformPoints(const NonuniformGeometry& geometry, std::span<const std::span<const double>> coordinates,
                   int n_threads);

  Index size() const { return static_cast<Index>(order.size()); }

  struct Tiles {
    Index count = 1, n_fine = 1;
    Index first(Index t) const { return t * n_fine / count; }  // of count + 1
    Index of(Index i) const {
      Index t = i * count / n_fine;  // off by rounding at most
      while (first(t + 1) <= i) ++t;
      while (first(t) > i) --t;
      return t;
    }
    int n_colours() const { return count == 1 ? 1 : count % 2 == 0 ? 2 : 3; }
    int colour(Index t) const { return count % 2 == 1 && count > 1 && t == count - 1 ? 2 : static_cast<int>(t % 2); }
  };
  std::array<Tiles, 3> tiles;
  std::vector<std::int32_t> order;                  // the number of each sorted point
  std::array<std::vector<std::int32_t>, 3> firsts;  // Support of each sorted point, along the axes in use
  std::array<std::vector<double>, 3> positions;
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
