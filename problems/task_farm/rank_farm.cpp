#include "problems/task_farm/rank_farm.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "core/errors.hpp"
#include "core/log.hpp"

namespace gwrm {
namespace {

enum Kind { ended_run, failure, rank_is_done };
constexpr std::chrono::milliseconds kPause{1};  // between looks for messages

// Rank 0's side: what the others send goes where its own runs go.
class Collector {
 public:
  Collector(Team& team, const RankTasks& tasks, const RunControl& control)
      : team_(team), tasks_(tasks), control_(control) {}

  void take(std::size_t task, RunOutcome outcome) {
    const std::scoped_lock lock(mutex_);
    tasks_.take(task, std::move(outcome));
    count();
  }

  // Until all other ranks have ended. Nothing is thrown: the first failure stops all, and is told by rethrow().
  void receive() {
    for (int n_left = team_.size() - 1; n_left > 0;) {
      const std::optional<Team::Message> message = team_.receive();
      if (!message) {
        std::this_thread::sleep_for(kPause);
        continue;
      }
      if (message->kind == rank_is_done) --n_left;
      if (message->kind == failure) fail(OutputError(std::string(message->bytes.begin(), message->bytes.end())));
      if (message->kind != ended_run || failed_) continue;
      try {
        const std::scoped_lock lock(mutex_);
        tasks_.take_bytes(message->bytes);
        count();
      } catch (const OutputError& error) {
        fail(error);
      }
    }
  }

  void rethrow() const {
    if (failed_) throw *failed_;
  }

 private:
  void count() {
    ++n_done_;
    if (control_.progress)
      control_.progress(static_cast<double>(n_done_) / static_cast<double>(tasks_.farm.count),
                        fmt::format("{} of {} runs", tasks_.n_before + n_done_, tasks_.n_before + tasks_.farm.count));
  }

  void fail(const OutputError& error) {
    if (!failed_) failed_ = error;
    team_.stop();
  }

  Team& team_;
  const RankTasks& tasks_;
  const RunControl& control_;
  std::mutex mutex_;
  std::size_t n_done_ = 0;
  std::optional<OutputError> failed_;
};

// The runs that this rank takes from the counter.
void work(Team& team, const RankTasks& all, const FarmPlaces& places, const RunControl& control,
          const std::function<void(std::size_t, RunOutcome)>& ended) {
  if (all.serve) return all.serve();
  struct TellEnd {
    const std::function<void()>& no_more;
    ~TellEnd() {
      if (no_more) no_more();
    }
  } const tell_end{all.no_more};
  if (places.without_device) return;
  FarmTasks tasks = all.farm;
  tasks.next = [&] { return team.next_task(); };
  tasks.consume = ended;
  RunControl own;
  own.interrupted = control.interrupted;
  run_tasks(tasks, places, own);
}

void lead(Team& team, const RankTasks& tasks, const FarmPlaces& places, const RunControl& control) {
  if (!places.note.empty()) logger().warn("{}", places.note);
  Collector collector(team, tasks, control);
  {
    // Whatever ends the runs of this rank, the others are told to stop and waited for; without a device of its own it
    // waits for them alone.
    std::jthread receiver([&] { collector.receive(); });
    struct StopAll {
      Team& team;
      bool stopping = true;
      ~StopAll() {
        if (stopping) team.stop();
      }
    } stop{team};
    work(team, tasks, places, control,
         [&](std::size_t task, RunOutcome outcome) { collector.take(task, std::move(outcome)); });
    stop.stopping = !places.without_device;
  }
  collector.rethrow();
}

void help(Team& team, const RankTasks& tasks, const FarmPlaces& places, const RunControl& control) {
  try {
    work(team, tasks, places, control, [&](std::size_t task, RunOutcome outcome) {
      team.send({ended_run, tasks.pack(task, std::move(outcome))});
    });
  } catch (const std::exception& error) {
    const std::string what = fmt::format("rank {}: {}", team.rank(), error.what());
    team.send({failure, Team::Bytes(what.begin(), what.end())});
  }
  team.send({rank_is_done, {}});
}

}  // namespace

OtherRanks::~OtherRanks() {
  if (!waiting_) return;
  Team::Bytes none;
  team_.broadcast(none);
}

void run_on_ranks(Team& team, const RankTasks& tasks, const FarmPlaces& places, const RunControl& control) {
  if (team.rank() == 0)
    lead(team, tasks, places, control);
  else
    help(team, tasks, places, control);
}

}  // namespace gwrm
