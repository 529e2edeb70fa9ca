// gwrm run on the ranks that a launcher has started, and on several devices: rank 0 reads, writes and says how it
// ended; the others help it where the case can be shared out (Problem::no_sharing()), else several are refused.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "core/team.hpp"
#include "problems/problem.hpp"

namespace gwrm::cli {

// By all ranks together. CaseError, of rank 0, where they were not all given the same command in the same folder: each
// has a case of its own then. False on the others in that case.
bool have_one_command(Team& team, const Options& options);

// Where a run is computed, and with whom.
struct SharedRun {
  Context context;
  std::optional<RunSharing> sharing;
};

// On rank 0, which has an OtherRanks waiting: its end is the end of their work. DeviceError; CaseError where several
// ranks have no use.
SharedRun share_run(Team& team, const Options& options, const Case& the_case, const Problem& problem);

// On the others.
ExitStatus help_run(Team& team, const Options& options);

}  // namespace gwrm::cli
