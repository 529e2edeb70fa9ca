// Times of the banded solvers, one JSON line for each measurement, on a device beside cuSPARSE's.
//
// Data      diagonally dominant matrices and right-hand sides from a fixed sequence of numbers.
// Check     the backward error of every row, |A x - y| / (|A| |x| + |y|), of systems spread over the batch, in higher
//           precision than the solver's, of the solution that the timed call leaves.
// Traffic   bytes_per_row is what has to move: right-hand side and solution, and a matrix that is not shared.
#pragma once

#include <iosfwd>
#include <string>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operations bidiagonal, tridiagonal, pentadiagonal; shapes are numbers of rows; precisions double, double_double,
// complex (tridiagonal). CaseError for what is none.
void check_banded(const std::string& operation, const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_banded(const Context& context, const std::string& operation, const BenchOptions& options,
                  std::ostream& lines);

}  // namespace gwrm::bench
