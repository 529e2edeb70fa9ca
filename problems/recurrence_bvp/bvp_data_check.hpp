// The source (and the exact solution) between the points of the grid (problems/unseen_data.hpp). Coefficients and
// conditions are numbers; a source from a dataset is known at its points alone.
#pragma once

#include <string>
#include <vector>

#include "problems/recurrence_bvp/bvp_model.hpp"
#include "problems/unseen_data.hpp"

namespace gwrm {

// `finer`: intervals of the grid that the error was estimated on, 0: it was not. What that one shows is in the
// estimate, and what neither shows is not.
void check_bvp_data(const BvpModel& model, Index finer, std::vector<Check>& checks, std::vector<std::string>& warnings);

}  // namespace gwrm
