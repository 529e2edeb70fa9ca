#include "cli/run_so_far.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "api/result_text.hpp"
#include "api/run_steps.hpp"
#include "cli/written_names.hpp"
#include "output/atomic_file.hpp"
#include "problems/problem.hpp"

namespace gwrm::cli {
namespace {

void copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error))
    throw OutputError(from + ": cannot be copied to " + to + ": " + error.message());
}

}  // namespace

ExitStatus write_so_far(const Options& options, const Case& the_case, const std::string& path) {
  check_written_names({path}, {options.restart});
  try_output_path(path, options.overwrite);
  check_output_names(the_case);
  const auto problem = options.modules->make(the_case);
  if (!problem->can_restart()) throw CaseError("--so-far: a run of this case keeps no journal of finished windows");
  // The run holds its journal: a copy is continued, and interrupted before the next window. It goes with this object.
  const AtomicFile copy(path, options.overwrite);
  copy_file(options.restart, copy.temporary_name());
  RunControl control;
  control.interrupted = [] { return true; };
  control.journal = copy.temporary_name();
  control.restart = true;
  RunOutcome outcome =
      problem->run(context_for(problem->summary(), backend_choice(options, the_case), options.threads), control);
  outcome.report.command = options.command_line;
  outcome.journal.reset();
  if (outcome.solution.fields.empty() && !outcome.module_arrays)
    throw OutputError(options.restart + ": no finished windows are to be had of it");
  write_hdf5(path, outcome.output_data(), options.overwrite);
  if (options.json)
    std::cout << result_json(outcome, path) << "\n";
  else if (options.verbosity != Verbosity::quiet)
    std::cout << "  wrote " << path << ", the windows of " << options.restart << "\n";
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
