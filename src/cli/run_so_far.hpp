// gwrm run --restart NAME.journal --so-far -o FILE: what the journal of a run that is going on holds by now.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace gwrm::cli {

// Writes the finished windows, as an interrupted run does; run and journal go on undisturbed. CaseError for a case
// whose runs keep no journal, OutputError where there is no series in it.
ExitStatus write_so_far(const Options& options, const Case& the_case, const std::string& path);

}  // namespace gwrm::cli
