// gwrm sweep: the runs of a plan that its journal does not hold yet, side by side on the cores and the devices of all
// ranks, each into the journal as soon as it has ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/team.hpp"
#include "output/sweep_journal.hpp"
#include "problems/module.hpp"
#include "problems/sweep/sweep_plan.hpp"

namespace gwrm {

struct SweepExecution {
  BackendChoice backend = BackendChoice::automatic;
  int n_threads = 0;        // of this rank; 0: as many as it has cores to itself
  int runs_per_device = 0;  // at one time; 0: as many as is usual (farm_places.hpp)
  int ranks_per_run = 0;    // ranks that have each run together; 0: each rank has runs of its own
  bool device_pays = false;
  double memory_bytes = 0.0;  // of the largest run
  std::string runs_folder;    // each complete run's own result file, 0000.h5, ..; empty: none
  std::string command;        // for the history of these files
};

// The missing runs in the order in which they are begun: the largest first.
std::vector<std::size_t> order_of_runs(const std::vector<bool>& ended, const SweepCosts& costs);

// Runs the tasks of `order`, with all other ranks if there are any (which call help_sweep), and appends them to the
// journal. `progress` and `interrupted` of the control are used. False if it was interrupted: runs that were under way
// are not in the journal. A run that fails is a record with its status and reason. Every run has the bits that it has
// alone with one thread. OutputError where journal or file cannot be written.
bool run_sweep(Team& team, const ProblemModules& modules, const ReadPoint& read, const std::vector<std::size_t>& order,
               const SweepExecution& execution, SweepJournal& journal, const RunControl& control);

// What rank 0 tells the others of a sweep.
struct SweepWork {
  SweepHeader header;
  std::vector<std::size_t> order;
  SweepExecution execution;
};
void tell_work(Team& team, const SweepWork& work);
std::optional<SweepWork> hear_work(Team& team);  // on the others; nothing where rank 0 has failed before

// On the other ranks: runs what comes, and sends it to rank 0.
void help_sweep(Team& team, const ProblemModules& modules, const ReadPoint& read, const SweepWork& work,
                const RunControl& control);

// What the journal keeps of a run.
SweepRun sweep_run_of(std::size_t run, const RunOutcome& outcome);

// "0001.h5": the runs counted from 0, with as many digits as the last one has, at least four.
std::string run_file_name(std::size_t run, std::size_t n_runs);

}  // namespace gwrm
