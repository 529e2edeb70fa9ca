// Tensor series at scattered points: what a series of products of functions is worth at points that share nothing but
// its coefficients.
//
//   y[p] = sum_{k1 .. kd} f1[k1, p] .. fd[kd, p] c[k1 s1 + .. + kd sd],   p = 0 .. kScatteredBlock - 1
//
// The functions of a block of points are tabulated by the caller (basis/fast_rows.hpp), once for all the series and
// derivatives that use them. Against Clenshaw's recurrence, which needs no table, a sum takes one multiply-add a
// coefficient in place of two operations that wait for each other, and serves functions without a recurrence.
//
// Layout   f[k * kScatteredBlock + p]: the points of a block run fastest, so that a coefficient, read once, meets a
//          vector of points. A block that is not full is filled with any finite numbers.
// Cost     2 n1 .. nd operations a point and 2 n1 .. n(d-1) / 4 more. Nothing is allocated; workspace of
//          scattered_sum_workspace(d) doubles.
// CPU      of one thread: the caller's threads take a block each. Deterministic: a point's sum depends neither on its
//          place in the block nor on the other points.
// Device   Chebyshev series only, as scattered_series.hpp describes them: there a function is made by its recurrence
// where
//          it is used, because a table of them would be read more slowly than it is computed.
#pragma once

#include <span>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/transform/scattered_series.hpp"

namespace gwrm::cpu {

inline constexpr Index kScatteredBlock = 64;

struct ScatteredAxis {
  Index n = 0;                        // functions, at least 1
  Index stride = 0;                   // of the coefficients
  const double* functions = nullptr;  // n x kScatteredBlock
};

Index scattered_sum_workspace(std::size_t n_axes);

// Without axes y is c[0] everywhere.
void scattered_sum(const double* c, std::span<const ScatteredAxis> axes, double* workspace, double* y);

}  // namespace gwrm::cpu

namespace gwrm::cuda {

// values[p] for the points of all blocks, everything in the memory of the device:
// kernels/transform/scattered_series.hpp. Neither allocates nor waits; a count of 0 is no work. ShapeError for more
// than kScatteredAxes axes or an extent below 1.
void scattered_sum(const Context& context, const ScatteredSeries& series, const ScatteredPlaces* blocks, Index n_blocks,
                   double* values);

}  // namespace gwrm::cuda
