// The steady problem whose parameter is an unknown, as a system: what the points of a branch are solved with.
#pragma once

#include "problems/time_spectral/window.hpp"
#include "solver/branch_metric.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// The steady problem in one window: no time, no parameters.
Window steady_window(const Context& context, const Model& model, const SystemPlan& plan,
                     const std::vector<AxisDescription>& subdomains);

// The row of the last equation, `parameter = from`, which says where on the branch a point is: BorderedSystem takes
// another in its place.
Index free_row(const WindowSystem& system);

// The unknowns of the system with the parameter last, as the branch's norm sees them: their shares in the mean square
// are those of the bases (AxisBasis::mean_square).
BranchUnknowns branch_unknowns(const WindowSystem& system);

}  // namespace gwrm
