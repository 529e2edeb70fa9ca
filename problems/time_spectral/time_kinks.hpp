// Times at which data are not smooth, whatever the answer does: a source that is switched on by step(t - 1), a square
// wave sign(sin(t)), a ramp max(t - 2, 0). A window that ends there is as good as one of smooth data; one that runs
// across never is.
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Inside the time of the run, ascending: where the argument of abs, sign or step, or the difference of the arguments of
// min and max, changes its sign, in the equations and conditions. Only where time alone decides. Found by interval
// arithmetic (expression/kinks.hpp); no more than the first 5000 of each.
std::vector<double> times_of_kinks(const Model& model);

// A warning that names those that are no edge of a window; empty if there are none.
std::string describe_kinks_inside_windows(const Model& model);

}  // namespace gwrm
