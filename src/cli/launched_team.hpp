// The ranks that a launcher has started for this command, from when they have found one another to the end of the
// process: rank 0 reads, writes and says how it ended, and all leave with its status.
//
// A launcher ends all ranks as soon as one has left with another status than 0, so none leaves before rank 0 has said
// and written everything.
#pragma once

#include "core/team.hpp"

namespace gwrm::cli {

// Opened by the first call (Team::of_launcher()).
Team& launched_team();

// At the end of the process, with everything written: the status of rank 0 on all ranks. Nothing else is done with the
// team behind it.
int leave_together(int status);

}  // namespace gwrm::cli
