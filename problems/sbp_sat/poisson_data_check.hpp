// Source, coefficients, what conditions hold, the derivatives of a mapping and the exact solution between the points of
// the blocks (problems/unseen_data.hpp). On a mapped grid x and y are what they are of its own coordinates.
#pragma once

#include <string>
#include <vector>

#include "problems/sbp_sat/poisson_model.hpp"
#include "problems/unseen_data.hpp"

namespace gwrm::sbp {

// `intervals`: as SbpSatCase::intervals, of the grid that the error was estimated on, or else of the run. What the
// former shows is in the estimate, and what neither shows is not.
void check_poisson_data(const Case& the_case, const PoissonModel& model, const std::vector<std::vector<int>>& intervals,
                        std::vector<Check>& checks, std::vector<std::string>& warnings);

// "{x: [48, 32], y: 24}"
std::string intervals_text(const Case& the_case, const std::vector<std::vector<int>>& intervals);

}  // namespace gwrm::sbp
