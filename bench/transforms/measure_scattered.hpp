// Times of Fourier series at scattered points (src/output/evaluate_points.hpp), one JSON line for each measurement.
//
// Data      one field, periodic along one to three axes of space, random coefficients; points without a pattern. Made
//           anew in each call: sorted points, tables, plans, as `gwrm eval --points` does.
// Variants  sums (over all coefficients, block by block), transforms (non-uniform, of type 2), automatic (what is taken
//           where nothing is said).
// Check     16 points, the first and the last among them, against the sum over all coefficients in long double, the
//           error relative to the largest value.
// Ceiling   none that all have in common: the lines say nanoseconds a point.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation scattered; shapes are coefficients of one to three axes, 2 M + 1 each, batches numbers of points (none:
// 100000). CaseError for what is none. On a CPU alone.
void check_scattered(const BenchOptions& options);

// False if a result is wrong.
bool bench_scattered(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
