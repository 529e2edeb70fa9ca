// Lines of a tensor taken eight at a time into interleaved order and back.
//
// Layout    a line is the numbers of x (outer x n x inner, row-major) at one index before and one behind the treated
//           dimension; line number t = o inner + i begins at o n inner + i, its numbers are `inner` apart. Interleaved:
//           [position][lane].
// Group     lines t, t + 1, .. of count <= kLanes; lanes beyond count hold copies of the first.
// Panel     several groups whose lines stand next to each other in every row of the tensor: a row is read and written
// in
//           longer pieces, which is what memory wants where rows lie far apart.
#pragma once

#include <array>

#include "core/array.hpp"
#include "kernels/transform/fourier_lines.hpp"

namespace gwrm::cpu {

// What happens to the order on the way: the numbers backwards in a sequence of `length`, every other sign changed.
struct LineOrder {
  Index length;
  bool reversed = false, alternating = false;
};

// to[order][lane] = x, n numbers of each line; the other length - n rows become zero.
void gather_lines(const double* x, Index n, Index inner, Index line, int count, int n_lanes, LineOrder order,
                  double* to);

// y = factor from[order][lane], n numbers of each line.
void scatter_lines(const double* from, double factor, int n_lanes, LineOrder order, Index n, Index inner, Index line,
                   int count, double* y);

// The same for n_groups full groups whose lines have one index before the dimension, group g at `distance` g.
void gather_panel(const double* x, Index n, Index inner, Index line, Index n_groups, LineOrder order, double* to,
                  Index distance);
void scatter_panel(const double* from, Index distance, double factor, LineOrder order, Index n, Index inner, Index line,
                   Index n_groups, double* y);

}  // namespace gwrm::cpu
