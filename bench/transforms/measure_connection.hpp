// Times of the connection of Chebyshev and Legendre coefficients, one JSON line for each measurement, and where the
// method of Toeplitz and Hankel matrices overtakes the direct one.
//
// Check     the first and the last column of the batch against the three-term recurrences of P_n in Chebyshev and T_n
//           in Legendre polynomials, in extended precision.
// Crossover a line for every batch: the first n of those measured from which on toeplitz_hankel took less time than
//           direct, both directions together; null if none. On a GPU, which has direct alone, there is none.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Shapes are numbers of coefficients, batches columns (interleaved), variants direct and toeplitz_hankel. CaseError for
// what is none.
void check_connection(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_connection(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
