// gwrm sweep: the runs of a plan that its journal does not hold yet, side by side on the cores or one after another on
// a device, each into the journal as soon as it has ended.
#pragma once

#include <string>
#include <vector>

#include "core/context.hpp"
#include "output/sweep_journal.hpp"
#include "problems/module.hpp"
#include "problems/sweep/sweep_plan.hpp"

namespace gwrm {

struct SweepExecution {
  BackendChoice backend = BackendChoice::automatic;
  int n_threads = 0;        // 0: all cores
  std::string runs_folder;  // each complete run's own result file, 0001.h5, ..; empty: none
  std::string command;      // for the history of these files
};

// Runs all that are not in `ended` (by number) and appends them to the journal. `progress` and `interrupted` of the
// control are used. False if it was interrupted: runs that were under way are not in the journal. A run that fails is a
// record with its status and reason. Every run has the bits that it has alone with one thread. OutputError where
// journal or file cannot be written.
bool run_sweep(const ProblemModules& modules, const ReadPoint& read, const SweepCosts& costs,
               const std::vector<bool>& ended, const SweepExecution& execution, SweepJournal& journal,
               const RunControl& control);

// What the journal keeps of a run.
SweepRun sweep_run_of(std::size_t run, const RunOutcome& outcome);

// "0001.h5": the runs counted from 0, with as many digits as the last one has, at least four.
std::string run_file_name(std::size_t run, std::size_t n_runs);

}  // namespace gwrm
