// What jumps, or rises and falls again, between neighbouring points of a block: coefficients and source at the middles
// of the cells beside the means of their corners.
//
// A scheme puts a jump somewhere into its cell, wrong by half a cell at most, and a finer grid may be as wrong by
// chance. Where the middle is not what the corners say, a corner takes its value: the lower one or the upper one. One
// of the two moves the jump by a whole cell.
#pragma once

#include <vector>

#include "problems/sbp_sat/poisson_model.hpp"

namespace gwrm::sbp {

// The model with values of the middles at the lower corners, and at the upper ones; empty where the middles are within
// a tenth of the means.
std::vector<PoissonModel> with_jumps_moved(const Case& the_case, const PoissonModel& model);

}  // namespace gwrm::sbp
