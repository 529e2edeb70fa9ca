// What surrounds a sweep, for the command line and the library alike.
#pragma once

#include <filesystem>
#include <string>

#include "output/sweep_file.hpp"
#include "problems/sweep/sweep_plan.hpp"

namespace gwrm {

// Reads the case as it was when the sweep began, whatever has become of its file since.
ReadPoint reader_of(const ProblemModules& modules, const SweepHeader& header);

// "out/burgers_sweep.h5" -> "out/burgers_sweep.journal"
std::string sweep_journal_path(const std::string& path);

// "out/burgers_sweep.h5" -> "out/burgers_sweep_runs": each run's own file.
std::filesystem::path runs_folder(const std::string& path);
// OutputError where it cannot be made, or has files and may have none.
void prepare_runs_folder(const std::filesystem::path& folder, bool may_have_files);

// What the result says of its making; `backend`: what the runs took.
SweepProvenance provenance_of(const Case& base, BackendChoice backend, const std::string& command);

}  // namespace gwrm
