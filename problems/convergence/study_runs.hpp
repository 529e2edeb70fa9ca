// The runs of a study on the cores and devices of all ranks: what rank 0 tells the others of them, and what comes back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/team.hpp"
#include "problems/module.hpp"
#include "problems/task_farm/farm_places.hpp"

namespace gwrm {

struct PreparedRun {
  std::unique_ptr<Problem> problem;
  Summary summary;
};

// Of a case whose error the study measures, so that the run makes no estimate of it.
PreparedRun prepare_run(const ProblemModules& modules, Case the_case);

// All that the other ranks have to know.
struct StudyWork {
  std::vector<std::string> cases;  // as resolved texts
  FarmWishes wishes;               // `auto` only where a device pays
  bool answers = false;            // what is compared are the answers themselves: they come back, too
};

// On rank 0, after it has told the others. The outcomes of other ranks hold what a study reads of them: status,
// completeness, of the report status, reason, Newton iterations, time and checks; with `answers` the solution, or the
// fields with their grid.
void tell_study(Team& team, const StudyWork& work);
std::vector<RunOutcome> run_levels(Team& team, const std::vector<PreparedRun>& runs, int ranks_per_run,
                                   const FarmPlaces& places, const RunControl& control);

// On the others.
std::optional<StudyWork> hear_study(Team& team);  // nothing: rank 0 has failed before the runs began
void help_study(Team& team, const ProblemModules& modules, const StudyWork& work, const RunControl& control);

// A run that has ended, as bytes.
Team::Bytes bytes_of(std::size_t run, const RunOutcome& outcome, bool answer);
std::optional<std::pair<std::size_t, RunOutcome>> outcome_of(const Team::Bytes& bytes);

}  // namespace gwrm
