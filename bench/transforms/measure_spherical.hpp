// Times of associated Legendre and spherical-harmonic transforms, one JSON line for each measurement.
//
// Data      random coefficients from a fixed sequence, L + 1 Gauss nodes (vectors: L + 2); along phi the least product
//           of 2, 3 and 5 from 2 L + 1 on.
// Check     of what the timed calls leave: values at nodes of some rows against sums by the ordinary recurrence in long
//           double, and analysis of them against the coefficients; the larger of both errors, over the largest value.
// Flops     5 operations on real numbers for a function at a pair of nodes, real and imaginary part together (none is
//           subtracted for what is negligible); beside the speed of a matrix product, which on a GPU has units of its
//           own, twice as fast as what a kernel without matrices can reach.
#pragma once

#include <iosfwd>
#include <string>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operations legendre, spherical; shapes are degrees L, variants synthesis, analysis and, spherical, vector_synthesis,
// vector_analysis. CaseError for what is none.
void check_spherical(const std::string& operation, const BenchOptions& options);

// False if a result is wrong.
bool bench_spherical(const Context& context, const std::string& operation, const BenchOptions& options,
                     std::ostream& lines);

}  // namespace gwrm::bench
