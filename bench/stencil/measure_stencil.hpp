// Times of out = f_xx + g_yy + e_zz on an equidistant grid, CPU or device, one JSON line for each measurement.
//
// Data      three fields of random numbers from a fixed sequence, h = 1 / points along each axis; periodic and
// one-sided
//           ends.
// Check     at points near the ends and in the middle of every axis (up to 125) against the second derivatives, in long
//           double, of the polynomials through the rows' points: the largest error over the sum of the moduli of the
//           terms of the point's own sum, so that it is a multiple of the rounding error whatever cancels.
// Ceiling   a copy: 24 bytes in, 8 bytes out a point.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation stencil; shapes are grids nz x ny x nx, x fastest, variants order_2 and order_4; no batches. CaseError for
// what is none.
void check_stencil(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_stencil(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
