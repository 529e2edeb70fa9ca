// The Jones-Worland functions at the points of their transforms, each correct to the last bit or nearly so.
//
// Formula   W_n^l(r_k) of jones_worland.hpp by the recurrence of orthonormal Jacobi polynomials in x = 2r^2 - 1,
//             B_n p_n = (x - A_{n-1}) p_{n-1} - B_{n-1} p_{n-2},  a = -1/2, b = l - 1/2,
//             A_n = (b^2 - a^2) / ((2n+a+b) (2n+a+b+2)),  A_0 = (b-a) / (a+b+2),
//             B_n^2 = 4n(n+a)(n+b)(n+a+b) / ((2n+a+b)^2 ((2n+a+b)^2 - 1)),  B_1^2 = 4(1+a)(1+b) / ((a+b+2)^2 (a+b+3)),
//           p_0^-2 = pi/2 prod_{k=1..l} (k - 1/2)/k, times r^l.
// Precision double-double, x and r included: the rounding of x = cos theta is amplified by n^2, too much for
//           double. Powers of two are kept apart: p_n overflows and r^l underflows from l of a few hundred on, where
//           their product is an ordinary number.
// Cost      about 60 operations an entry.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

// N x N_r, row-major: row n, point k.
std::vector<double> jones_worland_functions(Index l, Index n, Index n_points);

}  // namespace gwrm
