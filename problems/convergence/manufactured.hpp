// The method of manufactured solutions: any equation with any solution.
//
// For an operator L(u) = 0 and a chosen u_e the equation L(u) = L(u_e) has the solution u_e. The terms L(u_e) are made
// from the expression trees: `exact` in place of the unknowns in every equation and condition, at t0 in the initial
// values. They enter the case as text, so that its resolved form says what was solved.
#pragma once

#include "problems/module.hpp"

namespace gwrm {

// Sources, initial and boundary data such that `exact` solves the case; known values (verification.values) are dropped.
// CaseError unless every unknown has an exact solution, or where the module makes no such data.
Case manufactured(const ProblemModules& modules, const Case& the_case);

}  // namespace gwrm
