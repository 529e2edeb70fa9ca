// The error of a solution on a grid, by the same equation on a finer one (problems/finer_grid.hpp): 1.5 times the
// intervals, more where that is little work.
//
// Compared at the points of the grid: at all of up to 2^17, else over windows of neighbours spread from end to end. A
// source of stored values is taken between them as the polynomials through neighbours; a narrower one is not seen.
#pragma once

#include "core/context.hpp"
#include "output/report.hpp"
#include "problems/recurrence_bvp/grid_source.hpp"
#include "problems/recurrence_bvp/grid_values.hpp"

namespace gwrm {

struct BvpEstimate {
  ErrorEstimate error;
  Index intervals = 0;  // of the finer grid; 0: none
};

// `source`: that of the grid. `memory`: bytes that the finer solution may take. `rounding`: the relative spacing of the
// numbers that u is stored in. The status is missing where memory does not suffice; where the finer problem has no
// solution the error is infinite, and the reason says why.
BvpEstimate estimate_bvp_error(const Context& context, const Case& the_case, const BvpModel& model,
                               const GridSource& source, const GridValues& values, std::size_t memory, double rounding);

}  // namespace gwrm
