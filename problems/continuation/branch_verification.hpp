// The verified branch: every point is judged as the steady solution it is, by expressions in which the parameter is a
// constant (problems/time_spectral/verification.hpp). Of each check the largest value over the branch is kept, with the
// parameter's value there; known values (`verification.values`) are those of the last point.
//
// Between the points, in the middle of each step, the residual of the interpolated solution is reported, not judged.
#pragma once

#include <vector>

#include "case/case.hpp"
#include "output/report.hpp"
#include "solver/branch_metric.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// system: with the parameter as its last unknown.
Verification verify_branch(const Case& the_case, const WindowSystem& system, const std::vector<BranchPoint>& points);

}  // namespace gwrm
