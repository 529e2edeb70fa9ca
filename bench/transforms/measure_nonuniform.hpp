// Times of non-uniform Fourier transforms, one JSON line for each measurement.
//
// Data      points without a pattern in a period, random strengths and coefficients from a fixed sequence; tolerances
//           1e-6 and 1e-12. The points are sorted once (variant points), the transforms (type_1, type_2) find them set.
//           type_1_clustered has all points in a box of 8 steps of the fine grid, type_1_paper a warp for each point of
//           that grid (on a device only). On a device all arrays are there.
// Peer      variant cufinufft, on a device: points, type_1 and type_2 by cuFINUFFT on the same arrays, where
//           GWRM_CUFINUFFT names the library (nonuniform_peer.hpp); without it the variant has no lines.
// Check     16 outputs of each type, the first and the last among them, against the direct sum in long double, the
//           error in the 2-norm of these; for variant points the larger of both, since what it makes is right if they
//           are.
// Ceiling   a copy: what has to move at least, 8 bytes a coordinate, 16 a strength and a coefficient; points: 8 bytes
//           in a coordinate, 4 + 12 out for each point and each of its coordinates.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation nonuniform; shapes are the modes of one to three dimensions, batches numbers of points (none: as many as
// modes), variants as above. CaseError for what is none.
void check_nonuniform(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_nonuniform(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
