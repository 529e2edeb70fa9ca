// The group `ball` of a result file (docs/output-format.md), back.
#pragma once

#include "output/named_arrays.hpp"
#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Those of the coefficients, whatever the case asks for. OutputError where the group has none.
Degrees stored_degrees(const ArrayGroup& group);

// The windows as they were written, to the bit; `space` has the degrees of the group. OutputError where they do not
// fit.
BallSolution stored_solution(const ArrayGroup& group, const BallModel& model, const BallSpace& space);

}  // namespace gwrm::ball
