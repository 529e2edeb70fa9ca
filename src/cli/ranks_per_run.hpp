// --ranks-per-run: ranks that have each run of a sweep or of a study together (problems/task_farm/run_group.hpp).
#pragma once

#include <vector>

#include "case/case.hpp"
#include "cli/options.hpp"
#include "core/team.hpp"

namespace gwrm::cli {

// CaseError where the option is given and no ranks were started, they are to have GPUs, or none of the cases, the runs
// or what they are made from, has work for several.
void check_ranks_per_run(const Team& team, const Options& options, const std::vector<const Case*>& cases);

}  // namespace gwrm::cli
