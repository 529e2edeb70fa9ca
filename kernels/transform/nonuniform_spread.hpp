// The way between points of a non-uniform Fourier transform and its fine grid on the CPU, tile by tile
// (nonuniform_points.hpp): a tile's points meet a buffer of their own, which is added to the grid or read from it.
#pragma once

#include <complex>

#include "kernels/transform/nonuniform_points.hpp"

namespace gwrm::cpu {

// grid (fine, overwritten) = sum_j c_j phi(x_j - .). buffers: n_threads x points.buffer_size().
void spread(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* c,
            std::complex<double>* grid, std::complex<double>* buffers, int n_threads);
// c_j = sum phi(x_j - .) grid.
void interpolate(const NonuniformGeometry& geometry, const NonuniformPoints& points, const std::complex<double>* grid,
                 std::complex<double>* c, std::complex<double>* buffers, int n_threads);

}  // namespace gwrm::cpu
