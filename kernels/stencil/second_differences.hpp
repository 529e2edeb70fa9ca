// Second derivatives of three fields on an equidistant grid in space, each along one axis, and their sum.
//
//   out = f_xx + g_yy + e_zz
//
// Layout    nz x ny x nx, row-major: x runs fastest. Four different arrays, out overlaps none of the others.
// Order     2: (f_-1 - 2 f_0 + f_1) / h^2;  4: (-f_-2 + 16 f_-1 - 30 f_0 + 16 f_1 - f_2) / (12 h^2).
// Boundary  periodic: the neighbour of the last point is the first, along every axis with at least one point.
//           one_sided: at the ends rows of the same order from the points inside (second_difference_weights.hpp); the
//           solution's boundary values are points like the others, there are no ghost points. Needs 4 points along
//           every axis with order 2, 6 with order 4.
// Cost      32 bytes a point from memory, 8 (order 2) or 14 (order 4) operations.
// Determinism  a point's sum has one order of its terms: the same bits with any number of threads and any shape of
//           blocks. CPU and device differ by rounding.
// Errors    ShapeError for another order, too few points, an axis of 2^31 points and more, h that is not positive.
// Device    host pointers here; what lies there already: kernels/stencil/second_differences_device.cuh.
// Source    paper on polynomial transforms, section 4.3, figure 4.9.
#pragma once

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

enum class StencilBoundary { periodic, one_sided };

struct StencilGrid {
  Index nx = 0, ny = 0, nz = 0;
  double hx = 1.0, hy = 1.0, hz = 1.0;
  StencilBoundary boundary = StencilBoundary::periodic;

  Index size() const { return nx * ny * nz; }
};

void check_second_differences(const StencilGrid& grid, int order);

void second_differences(const Context& context, const StencilGrid& grid, int order, const double* f, const double* g,
                        const double* e, double* out);

// The implementations take grid and order as checked.
namespace cpu {
void second_differences(const StencilGrid& grid, int order, const double* f, const double* g, const double* e,
                        double* out, int n_threads);
}
namespace cuda {
void second_differences(const Context& context, const StencilGrid& grid, int order, const double* f, const double* g,
                        const double* e, double* out);
}

}  // namespace gwrm
