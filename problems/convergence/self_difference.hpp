// How far two solutions of one problem are apart: what a study without exact solution calls the error.
#pragma once

#include <vector>

#include "output/solution_difference.hpp"
#include "problems/problem.hpp"

namespace gwrm {

// Polynomials are compared at Gauss points in every window and subdomain of the finer one, within a budget of points
// per dimension, outside what either leaves out of its verdict; unknowns on grids at the points that both have.
// CaseError if the grids share too few.
std::vector<FieldDifference> self_differences(const Case& the_case, const RunOutcome& run, const RunOutcome& finest);

}  // namespace gwrm
