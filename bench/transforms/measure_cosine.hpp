// Times of cosine and sine transforms on the CPU or a GPU, one JSON line for each measurement.
//
// Data      random numbers from a fixed sequence; as many out as in. Layouts: contiguous (a line's numbers are
// neighbours)
//           and interleaved (columns).
// Check     the first and the last line at some outputs against the plain sum in long double, its phases reduced as
// whole
//           numbers; the largest error over the largest value of these outputs' lines.
// Peers     on a GPU beside cosine_2: cosine_2_cufft, the same with cuFFT in the middle and its steps in kernels of
// their
//           own, and cufft_real, cuFFT from real lines to half of their spectra.
// Ceiling   a copy: 8 bytes in, 8 bytes out a number.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Operation dct; shapes are lengths N, batches lines, variants the kinds cosine_1 .. sine_4. CaseError for what is
// none.
void check_cosine(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_cosine(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
