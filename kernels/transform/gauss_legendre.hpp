// Nodes and weights of Gauss-Legendre quadrature on (-1, 1), kept so that no digit is lost near the ends or the middle.
//
// Formula   P_n(x_i) = 0,  w_i = 2 / ((1 - x_i^2) P_n'(x_i)^2);  exact for polynomials of degree 2n - 1. x_i =
// cos(theta_i). Shapes    the half from x near 1 down to x >= 0, (n+1)/2 nodes; the others are -x_i with the same
// weights. An odd n has
//           x = 0 last, with its whole weight.
// Method    Newton's method for y = 1 - x with the recurrence of differences,
//             P_(k+1) - P_k = (k (P_k - P_(k-1)) - (2k+1) y P_k) / (k+1),
//           which keeps the small y of the nodes near the ends to full precision.
// Cost      about 4 n^2 operations in long double.
// Errors    some units in the last place of long double. ShapeError for n < 1.
// Source    Abramowitz and Stegun 22.16.6 for the start; Reinsch's differences.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct GaussHalf {
  std::vector<long double> cosine;        // x
  std::vector<long double> sine_squared;  // 1 - x^2, not computed from x
  std::vector<long double> weight;
};

GaussHalf gauss_legendre_half(Index n);

}  // namespace gwrm
