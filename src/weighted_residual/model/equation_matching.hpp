// Which equation stands for which unknown, and which condition takes the place of which equation's highest modes.
#pragma once

#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Fills EquationModel::field. An equation may stand for an unknown if it varies along no dimension the unknown lacks;
// preferred is the unknown whose highest time derivative it holds, then one that has the equation's highest derivative
// in space, then the one at the same place in the list.
void match_equations(Model& model);

// Fills ConditionModel::equation. Along each axis an equation gives up as many modes as EquationModel::n_conditions
// says; the number of conditions along the axis must be their sum. A condition prefers the equations of the unknowns it
// holds, and of these one that no other condition has taken.
void match_conditions(Model& model);

// The same of conditions that fix means over periodic axes (ConditionModel::mean_axes). Each takes the place of the
// mean of the equation that stands for an unknown in it, one whose mean nothing else determines: CaseError where all of
// them have a time derivative, or there is another condition for it.
void match_means(Model& model);

}  // namespace gwrm
