// A task farm over all ranks of a team: every rank computes what its cores and devices take from the counter that all
// share, and rank 0 hears of each run as soon as it has ended. All ranks give the same tasks in the same order of
// costs.
//
// A run that ends in another rank travels as bytes. A rank that fails stops all. When rank 0 is killed, or any other,
// the launcher ends them all.
#pragma once

#include <cstddef>
#include <functional>

#include "core/team.hpp"
#include "problems/task_farm/task_farm.hpp"

namespace gwrm {

struct RankTasks {
  FarmTasks farm;            // what to run; `next` and `consume` are set here
  std::size_t n_before = 0;  // runs that had ended before, for the progress

  // On rank 0, one at a time: its own run, and one of another rank.
  std::function<void(std::size_t task, RunOutcome outcome)> take;
  std::function<void(const Team::Bytes& bytes)> take_bytes;
  // On the others, one at a time: what goes to take_bytes.
  std::function<Team::Bytes(std::size_t task, RunOutcome outcome)> pack;

  // Of a rank that helps another one with its runs in place of taking some: until that one has no more. And on the
  // rank that is helped: that there are no more. Both may be empty.
  std::function<void()> serve, no_more;
};

// On rank 0: where it fails before the runs begin, the others are told so by empty bytes in place of their work; else
// they would wait.
class OtherRanks {
 public:
  explicit OtherRanks(Team& team) : team_(team) {}
  ~OtherRanks();
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;
  void begin() { waiting_ = false; }  // the work is told now

 private:
  Team& team_;
  bool waiting_ = true;
};

// By all ranks together; alone it is run_tasks. On rank 0: OutputError with the message of the first rank that failed,
// and whatever `take` throws, after all ranks have stopped. `progress` of the control is that of rank 0.
void run_on_ranks(Team& team, const RankTasks& tasks, const FarmPlaces& places, const RunControl& control);

}  // namespace gwrm
