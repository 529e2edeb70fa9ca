// The orthonormal functions E_n of one degree l and what fields need of them, at given radii: those of the full sphere
// (radial_basis.hpp); of a shell: shell_functions.hpp.
//
// Formula   value E_n;  over_r E_n / r;  spread (r E_n)'/r;  slope E_n';  laplacian E_n'' + 2 E_n'/r - l(l+1) E_n/r^2;
//           bilaplacian, that of the Laplacian,
//           from E_n = r^l g_n(x), x = 2r^2 - 1:  spread = (l+1) r^(l-1) g + 4 r^(l+1) g',
//           laplacian = r^l D g, bilaplacian = r^l D D g with D = 8 (1+x) d^2 + 4 (2l+3) d: nothing is divided by r.
//           over_r and spread are for l >= 1.
// Method    the recurrence of orthonormal Jacobi polynomials (0, l + 1/2) and its derivatives, in long double: rounding
//           of x is amplified by n^2.
// Shapes    (highest + 1) x radii, row-major.
#pragma once

#include <span>

#include "core/matrix.hpp"

namespace gwrm::ball {

struct RadialTable {
  Matrix value, over_r, spread, slope, laplacian, bilaplacian;

  RadialTable() = default;
  RadialTable(Index l, Index highest, std::span<const double> radii);  // of the full sphere
};

// Nodes and weights for integrals int_0^1 f r^2 dr: exact for even polynomials f of degree up to 4 n - 4.
struct RadialNodes {
  std::vector<double> radius, weight;  // the weight holds r^2

  RadialNodes() = default;
  explicit RadialNodes(Index n);  // of the full sphere
};

}  // namespace gwrm::ball
