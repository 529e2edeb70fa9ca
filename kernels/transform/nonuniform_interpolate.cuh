// Interpolation on the device: a thread sums one point from the fine grid,
//
//   c_j = sum phi_z(z - z_j) phi_y(y - y_j) phi_x(x - x_j) grid(z, y, x),
//
// along x first, then y, then z. Points come sorted, so that neighbours read the same grid points, from the cache.
// kWidth    of the values that are kept along x: the kernel's width or more.
// Contract: kernels/transform/nonuniform_fourier.hpp
#pragma once

#include "kernels/transform/nonuniform_blocks.cuh"

namespace gwrm::nonuniform {

// table: SpreadingKernel::coefficients. column: kWidth numbers for each axis but the last, `stride` apart, for this
// thread alone.
template <int kDimensions, int kWidth>
__device__ void interpolate_point(const FineGrid& grid, const SortedPoints& points, const double* table,
                                  const double2* values, int p, double* column, int stride, double2* c) {
  double x[kWidth];
  {
    const double r = points.positions[2][p];
#pragma unroll
    for (int k = 0; k < kWidth; ++k) x[k] = table[k];
    for (int i = 1; i <= grid.degree; ++i)
#pragma unroll
      for (int k = 0; k < kWidth; ++k) x[k] = fma(x[k], r, table[i * kMaxWidth + k]);
  }
  for (int a = 3 - kDimensions; a < 2; ++a) {
    const double r = points.positions[a][p];
    for (int k = 0; k < grid.axes[a].width; ++k) {
      double value = table[k];
      for (int i = 1; i <= grid.degree; ++i) value = fma(value, r, table[i * kMaxWidth + k]);
      column[((a - 3 + kDimensions) * kWidth + k) * stride] = value;
    }
  }
  const FineAxis &axis_z = grid.axes[0], &axis_y = grid.axes[1], &axis_x = grid.axes[2];
  const int first_z = kDimensions > 2 ? points.firsts[0][p] : 0, first_y = kDimensions > 1 ? points.firsts[1][p] : 0;
  const int first_x = points.firsts[2][p];
  double2 sum{0.0, 0.0};
  for (int iz = 0; iz < axis_z.width; ++iz) {
    const int z = first_z + iz < axis_z.n ? first_z + iz : first_z + iz - axis_z.n;
    double2 plane{0.0, 0.0};
    for (int iy = 0; iy < axis_y.width; ++iy) {
      const int y = first_y + iy < axis_y.n ? first_y + iy : first_y + iy - axis_y.n;
      const double2* const row = values + (static_cast<long long>(z) * axis_y.n + y) * axis_x.n;
      double2 line{0.0, 0.0};
#pragma unroll
      for (int k = 0; k < kWidth; ++k)
        if (k < axis_x.width) {
          const double2 value = row[first_x + k < axis_x.n ? first_x + k : first_x + k - axis_x.n];
          line.x = fma(x[k], value.x, line.x);
          line.y = fma(x[k], value.y, line.y);
        }
      const double factor = kDimensions > 1 ? column[((kDimensions - 2) * kWidth + iy) * stride] : 1.0;
      plane.x = fma(factor, line.x, plane.x);
      plane.y = fma(factor, line.y, plane.y);
    }
    const double factor = kDimensions > 2 ? column[iz * stride] : 1.0;
    sum.x = fma(factor, plane.x, sum.x);
    sum.y = fma(factor, plane.y, sum.y);
  }
  c[points.order[p]] = sum;
}

}  // namespace gwrm::nonuniform
