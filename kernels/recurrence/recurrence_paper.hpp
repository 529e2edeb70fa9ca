// The algorithms of Stpiczynski and Potiopa, "Solving a Kind of BVP for ODEs on heterogeneous CPU + CUDA-enabled GPU
// Systems": the system L R u = d with L, R bidiagonal of 1 and -1, by two running sums.
//
// Formula   y_0 = d_0, y_i = d_i + y_{i-1}; u_{n-1} = y_{n-1}, u_i = y_i + u_{i+1} (their eqs. 7, 8).
// A1        one sum after the other, sequentially: a1s in single, a1d in double precision.
// A2        divide and conquer on n = r s values, column j = values j s .. (j+1) s - 1 (their Fig. 1): running sums
//           within the columns (1A), over the columns' last values (1B), added to the columns (1C); then backwards
//           (2A, 2B, 2C). a2s in single, a2d in double, a2sd in single with 1B and 2B in double on the CPU.
// Layout    on the CPU natural order, in place. On the device value k of column m is at m + k r, as in their Fig. 2.
// Errors    of a sequential sum: they grow with n (docs/recurrence-bvp.md has the tables). ShapeError unless n = r s.
// Digits    reproduce those of the paper's tables only where products and sums are not contracted.
#pragma once

#include <span>

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

enum class PaperAlgorithm { a1s, a1d, a2s, a2d, a2sd };

// d becomes u. `columns` = r, used by A2 alone. The overload must have the algorithm's precision (a1d, a2d: double).
// A2 runs where the context says, there and back by way of the device's memory (twice n values); A1 on the CPU.
void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<double> d);
void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<float> d);

inline bool is_sequential(PaperAlgorithm algorithm) {
  return algorithm == PaperAlgorithm::a1s || algorithm == PaperAlgorithm::a1d;
}

// Only in a build with CUDA; A2 alone, n = r s.
namespace cuda {
void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<double> d);
void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<float> d);
}  // namespace cuda

// The divisor of n nearest to sqrt(n), for r.
Index square_columns(Index n);

}  // namespace gwrm
