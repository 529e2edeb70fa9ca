// Times of the Jones-Worland transforms on the CPU or a GPU (rotations, quadrature by cuBLAS), one JSON line for each
// measurement, and where the chain of rotations overtakes the matrix product of the quadrature.
//
// Check     the first and the last column of the batch against the definition in quadruple precision, see
//           jones_worland_definition.hpp.
// Crossover a line for every batch, N and direction: the highest l of those measured up to which rotations took less
//           time than quadrature (one product with the matrix by the BLAS; making the matrix is not counted); null if
//           none. A chain's work grows with l, a product's hardly.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Shapes NxL are N coefficients of degree l = L, on the least number of points that they take whose prime factors are
// 2, 3 and 5; batches are columns (interleaved);
// variants rotations, pairs, quadrature. CaseError for what is none.
void check_jones_worland(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_jones_worland(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
