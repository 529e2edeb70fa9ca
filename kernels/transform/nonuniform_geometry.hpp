// The grids of a non-uniform Fourier transform: modes, the finer grid, its tiles. Three axes always, the slowest first;
// those that a transform does not have count one mode, one point and a kernel of width 1.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/spreading_kernel.hpp"

#ifndef GWRM_BOTH_SIDES  // device code says __host__ __device__ before it includes this
#define GWRM_BOTH_SIDES
#endif

namespace gwrm {

struct NonuniformAxis {
  Index n_modes = 1;
  Index n_fine = 1;  // at least 2 n_modes and 2 w, of the factors 2, 3 and 5
  int width = 1;
  bool is_used = false;
  std::vector<double> factors{1.0};  // 1 / hat(n), n ascending from -n_modes / 2
};

struct NonuniformGeometry {
  int n_dimensions = 0;
  SpreadingKernel kernel;
  std::array<NonuniformAxis, 3> axes;  // the last n_dimensions are used

  NonuniformGeometry(std::span<const Index> modes, double tolerance);
  Index n_modes() const { return axes[0].n_modes * axes[1].n_modes * axes[2].n_modes; }
  Index n_fine() const { return axes[0].n_fine * axes[1].n_fine * axes[2].n_fine; }
};

// Where a point lies: the first point of the fine grid that its kernel meets, from 0 to n_fine - 1, and r of the
// kernel's polynomials. In two parts of a double each: with one the highest modes would lose log2(n_fine) bits.
struct Support {
  int first;
  double r;
};
GWRM_BOTH_SIDES GWRM_INLINE Support support_of(double x, int n_fine, int width) {
  constexpr double kPerPeriod = 0.15915494309189535;     // 1 / (2 pi) ..
  constexpr double kRemainder = -9.839338337591243e-18;  // .. and what is missing
  const double periods = x * kPerPeriod;
  const double low = fma(x, kPerPeriod, -periods) + x * kRemainder;
  const double fraction = periods - floor(periods);
  const double u = fraction * n_fine;
  const double rest = fma(fraction, static_cast<double>(n_fine), -u) + low * n_fine;
  const double left = u - 0.5 * width;
  const double first = ceil(left);
  const double r = 2.0 * ((first - left) - rest) - 1.0;
  const int i = static_cast<int>(first);
  return {i < 0 ? i + n_fine : i, r};
}

}  // namespace gwrm
