// Ranks that have each run of a sweep together (gwrm sweep --ranks-per-run): the first of a group leads it and takes
// runs as any rank does (task_farm/rank_farm.hpp), the others serve it. A run has the bits of gwrm run on as many
// ranks, and on any other number.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/team.hpp"
#include "problems/problem.hpp"

namespace gwrm {

class RunGroup {
 public:
  // By all ranks of the team, which outlives it: rank r is of group r / n_ranks, so that the last group may be smaller.
  RunGroup(Team& all, int n_ranks, std::function<bool()> interrupted);

  bool leads() const { return group_->rank() == 0; }

  // By the leader: with the others where the problem has work for them, else alone.
  RunOutcome run(std::size_t number, Problem& problem, const Context& context, const RunControl& control);
  void end();
  // By the others, until then. make: the problem of a run. Where one cannot be had the process ends with a message, and
  // the launcher ends all.
  void serve(const std::function<std::unique_ptr<Problem>(std::size_t number)>& make);

 private:
  RunSharing sharing() const;

  const std::unique_ptr<Team> group_;
  const std::function<bool()> interrupted_;
  const int rank_;  // among all
};

}  // namespace gwrm
