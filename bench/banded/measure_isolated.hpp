// Errors of isolated bidiagonal solves with the connection matrices of Jones-Worland polynomials, one JSON line for
// each size and way to solve: figure 4.7 of the report on polynomial transforms.
//
// Matrix    V of the step from order l to l + 1 of Jacobi polynomials (alpha, beta) = (-1/2, l - 1/2), its rows divided
//           by their diagonal:  x_n + (z_{n+1} / g_n) x_{n+1} = y_n, method/spectral-transforms section 1;
//             g_n^2 = 2 (n+beta+1) (n+alpha+beta+1) / ((2n+alpha+beta+1) (2n+alpha+beta+2)),
//             z_n^2 = 2 n (n+alpha) / ((2n+alpha+beta) (2n+alpha+beta+1)),     g_0^2 = 2 (beta+1) / (alpha+beta+2).
// Data      y in (-1, 1), 4 systems.
// Check     back substitution in quadruple precision with the same rounded coefficients; the error is the largest
//           difference, not relative. `right`: below 3e-13 max(1, n / 1000), eight times what back
//           substitution has at l = 0.
// Variants  sequential (CPU), hybrid, cyclic_reduction (device).
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation isolated; shapes are rows x order l. CaseError for what is none.
void check_isolated(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_isolated(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
