// The exponential-of-semicircle kernel of non-uniform Fourier transforms, and its Fourier transform.
//
//   phi(z) = exp(beta (sqrt(1 - z^2) - 1)) for |z| <= 1, else 0;   z = 2 (distance in grid steps) / w
//   w = ceil(log10(1 / tolerance)) + 1 points wide, beta = 2.30 w (2.20, 2.26, 2.38 for w = 2, 3, 4), on a grid twice
//   as fine as the modes hat(n) = (w / 2) int_-1^1 phi(z) cos(pi w n z / n_fine) dz, by Gauss-Legendre quadrature
//
// A point at u (in grid steps) meets the points i0 .. i0 + w - 1, i0 = ceil(u - w/2). On each of them phi is a
// polynomial in r = 2 (i0 - u + w/2) - 1, |r| <= 1, to a tenth of the tolerance: what exp and sqrt would cost for every
// value are a few multiply-adds, side by side.
// Error     of a transform: w = 4, 6, 8, 10, 12, 14, 16 give 1.4e-3, 7.2e-6, 1.1e-7, 1.4e-9, 1.5e-11, 2.3e-13, 3.1e-14
//           (method/spectral-transforms, section 4).
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct SpreadingKernel {
  static constexpr int kMaxWidth = 16;

  int width = 0;
  double beta = 0.0;
  int degree = 0;
  // [degree .. 0][kMaxWidth]: of the polynomial on each of the points, the highest power first; 0 beyond the width.
  std::vector<double> coefficients;

  explicit SpreadingKernel(double tolerance);
  // hat(n), n = first .. first + count - 1.
  std::vector<double> transform(Index first, Index count, Index n_fine) const;
};

}  // namespace gwrm
