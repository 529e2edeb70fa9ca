// Times of real Fourier series between coefficients and points (kernels/transform/fourier_series.hpp) along one
// dimension of a tensor: by fast transforms, and by products with their matrices.
//
// Shapes    OUTERxPOINTSxINNER, the last index fastest: 12x200x200 and 2400x200x1 are the first and the last axis of a
//           plane of 200 x 200 points at 12 times. The degree is the highest whose products of two are exact there,
//           3 M + 1 <= points.
// Variants  synthesis, analysis: fast; synthesis_matrix, analysis_matrix: on the CPU split by parity
//           (parity_split.hpp), on a GPU by cuBLAS. A GPU has no fast transform of lengths with prime factors above 5:
//           such a line is left out.
// Data      random numbers from a fixed sequence.
// Check     some outputs of the first and the last line against the plain sum in long double, over the largest value of
//           these lines.
// Ceiling   a copy: 8 bytes a number, in or out.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation fourier. CaseError for what is none.
void check_fourier(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_fourier(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
