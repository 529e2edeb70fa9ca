// Times of associated Legendre transforms of all orders by rotations on Chebyshev nodes
// (kernels/transform/legendre_rotations.hpp), beside which measure_spherical.cpp times those by quadrature on Gauss
// nodes: variants rotations_synthesis and rotations_analysis of `gwrm-bench --operation legendre`.
//
// Check     values of every order at three nodes against the recurrence along the degree in extended precision; the
//           coefficients that analysis gives back from them.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Of 2 x batch real columns for each order, as complex coefficients have them, on degree + 1 nodes. False if a result
// is wrong.
bool measure_legendre_rotations(const Context& context, const Ceilings& ceilings, Index degree, Index batch,
                                const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
