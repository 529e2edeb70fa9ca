// How far two solutions of one problem are apart: what a study without exact solution calls the error.
#pragma once

#include <string>
#include <vector>

#include "problems/problem.hpp"

namespace gwrm {

struct FieldDifference {
  std::string field;
  double maximum = 0.0;  // relative to the largest magnitude of the finer one
  double l2 = 0.0;       // relative to its L2 norm
};

// Polynomials are compared at Gauss points in every window and subdomain of the finer one, within a budget of points
// per dimension; values on grids at the points that both have. CaseError if the grids share too few.
std::vector<FieldDifference> self_differences(const Case& problem, const RunOutcome& run, const RunOutcome& finest);

}  // namespace gwrm
