// Conditions under `boundary` that belong to unknown numbers: u(x=0) = 1 beside the two conditions of a second-order
// equation with an unknown period.
#pragma once

#include "case/case.hpp"

namespace gwrm::casefile {

// Whether as many equations are missing as conditions of unknown numbers may stand for: unknowns that lack a dimension
// of space (`dims`) while there are conditions under `boundary`.
bool may_have_conditions_of_numbers(const Case& result);

// Moves conditions from Case::boundary to the end of Case::equations until there are as many equations as unknowns:
// those that hold at a point in several dimensions, then the last ones, and none that varies along a dimension that no
// such unknown has. Which of the conditions at one end of an axis it is does not matter: all of them hold. A condition
// that cannot be parsed stays, its reader reports it.
void take_conditions_of_numbers(Case& result);

}  // namespace gwrm::casefile
