// Ranks that have each run of a farm together (--ranks-per-run): the first of a group leads it and takes runs as any
// rank does (task_farm/rank_farm.hpp), the others serve it. A run has the bits of gwrm run on as many ranks, and on any
// other number.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/team.hpp"
#include "problems/problem.hpp"
#include "problems/task_farm/rank_farm.hpp"

namespace gwrm {

class RunGroup {
 public:
  // By all ranks of the team, which outlives it: rank r is of group r / n_ranks, so that the last group may be smaller.
  RunGroup(Team& all, int n_ranks, std::function<bool()> interrupted);

  bool leads() const { return group_->rank() == 0; }

  // By the leader: with the others where the problem has work for them, else alone.
  RunOutcome run(std::size_t task, Problem& problem, const Context& context, const RunControl& control);
  // What `tasks` say of leaders that have no more runs, and of the others, which help with those of their leader: with
  // each by help(task, context, control). Where it cannot the process ends with a message, and the launcher ends all.
  using Help = std::function<void(std::size_t task, const Context& context, const RunControl& control)>;
  void take_part(RankTasks& tasks, Help help);

 private:
  void end();
  void serve(const Help& help);
  RunSharing sharing() const;

  const std::unique_ptr<Team> group_;
  const std::function<bool()> interrupted_;
  const int rank_;  // among all
};

// By all ranks of the team; null where each has runs of its own.
std::unique_ptr<RunGroup> group_of(Team& team, int ranks_per_run, const RunControl& control);

}  // namespace gwrm
