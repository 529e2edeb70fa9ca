#include "problems/task_farm/run_group.hpp"

#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/log.hpp"

namespace gwrm {
namespace {

Team::Bytes bytes_of(std::size_t number) {
  Team::Bytes bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<unsigned char>(number >> (8 * i)));
  return bytes;
}

std::size_t number_of(const Team::Bytes& bytes) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) number |= std::size_t{bytes[i]} << (8 * i);
  return number;
}

}  // namespace

RunGroup::RunGroup(Team& all, int n_ranks, std::function<bool()> interrupted)
    : group_(all.split(all.rank() / n_ranks)), interrupted_(std::move(interrupted)), rank_(all.rank()) {}

RunSharing RunGroup::sharing() const {
  return {group_.get(), std::vector<int>(static_cast<std::size_t>(group_->size()), 1), {}};
}

RunOutcome RunGroup::run(std::size_t task, Problem& problem, const Context& context, const RunControl& control) {
  if (!problem.no_sharing().empty()) return problem.run(context, control);
  Team::Bytes told = bytes_of(task);
  group_->broadcast(told);
  struct EndOfRun {
    Team& group;
    ~EndOfRun() {
      Team::Bytes none;
      group.broadcast(none);
    }
  } const end_of_run{*group_};
  RunControl together = control;
  together.sharing = sharing();
  return problem.run(context, together);
}

void RunGroup::end() {
  Team::Bytes none;
  group_->broadcast(none);
}

void RunGroup::take_part(RankTasks& tasks, Help help) {
  if (leads())
    tasks.no_more = [this] { end(); };
  else
    tasks.serve = [this, help = std::move(help)] { serve(help); };
}

void RunGroup::serve(const Help& help) {
  RunControl control;
  control.interrupted = interrupted_;
  control.sharing = sharing();
  const Context context = Context::create(BackendChoice::cpu, 1);
  for (Team::Bytes told;; told.clear()) {
    group_->broadcast(told);
    if (told.empty()) return;
    try {
      help(number_of(told), context, control);
    } catch (const std::exception& error) {
      logger().error("rank {} cannot help: {}", rank_, error.what());
      std::_Exit(static_cast<int>(ExitStatus::resources));
    }
  }
}

std::unique_ptr<RunGroup> group_of(Team& team, int ranks_per_run, const RunControl& control) {
  return ranks_per_run > 0 ? std::make_unique<RunGroup>(team, ranks_per_run, control.interrupted) : nullptr;
}

}  // namespace gwrm
