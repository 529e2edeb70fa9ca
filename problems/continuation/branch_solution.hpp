// A branch as a Solution: one more dimension, the arc length s, in which every step is a window with a cubic.
#pragma once

#include <vector>

#include "case/case.hpp"
#include "problems/problem.hpp"
#include "solver/branch_metric.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// The steady solution in one point x; without the parameter's field.
Solution steady_solution(const WindowSystem& system, std::span<const double> x);

// At least two points. Coordinates (s, ...), fields of the system over them; cubics with the points' values and
// tangents, so that the solution is exact in the points and of fourth order between.
Solution branch_solution(const WindowSystem& system, const std::vector<BranchPoint>& points);

// Grid and sampled fields of outcome.solution in the branch's points: `output.fields`, the parameter, the L2 norm of
// every unknown ("norm_u", unless the name is taken), and where the folds are ("fold": 1, else 0).
void sample_branch(const Case& the_case, const std::vector<BranchPoint>& points, RunOutcome& outcome);

}  // namespace gwrm
