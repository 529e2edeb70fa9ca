// The fields of `output`, evaluated on its grid.
#pragma once

#include "output/hdf5_file.hpp"
#include "problems/problem.hpp"
#include "system/model.hpp"

namespace gwrm {

// Fills grid and fields of the outcome from its solution, which may end before the time of the case does.
void sample_fields(const Case& problem, const Model& model, RunOutcome& outcome);

}  // namespace gwrm
