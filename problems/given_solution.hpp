// Why a run with a solution found elsewhere (RunControl::solution) failed, where that solves the system badly: more
// intervals or degrees are no cure then.
#pragma once

#include <string>
#include <vector>

#include "problems/problem.hpp"

namespace gwrm {

// By the check "system", |A x - b|/|b|; empty where the system is solved.
std::string unsolved_reason(const GivenSolution& solution, const std::vector<Check>& checks);

}  // namespace gwrm
