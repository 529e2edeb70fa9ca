// The runs of a sweep on all ranks: what rank 0 tells the others, and what they send back.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/log.hpp"
#include "output/hdf5_file.hpp"
#include "problems/sweep/sweep.hpp"
#include "problems/task_farm/task_farm.hpp"

namespace gwrm {
namespace {

enum Kind { ended_run, interrupted_run, failure, rank_is_done };
constexpr std::chrono::milliseconds kPause{1};  // between looks for messages

// The runs of this rank. `ended`: as soon as one has, in any of its threads, one at a time; nothing of an interrupted
// one.
void work_on(Team& team, const ProblemModules& modules, const ReadPoint& read, const SweepPoints& points,
             const std::vector<std::size_t>& order, const SweepExecution& execution, const RunControl& control,
             const std::function<void(const std::optional<SweepRun>&)>& ended) {
  const Context context = Context::create(worthwhile(execution.backend, execution.device_pays),
                                          execution.n_threads > 0 ? execution.n_threads : team.usual_threads());
  FarmTasks tasks;
  tasks.count = order.size();
  tasks.next = [&] { return team.next_task(); };
  tasks.memory = [&](std::size_t) { return execution.memory_bytes; };
  tasks.run = [&](std::size_t task, const Context& own, const RunControl& quiet) {
    const std::unique_ptr<Problem> problem = modules.make(read(overrides_of(points, order[task])));
    const bool on_device = own.device_required() || problem->summary().device_pays;
    return problem->run(on_device ? own : own.without_device(), quiet);
  };
  tasks.consume = [&](std::size_t task, RunOutcome outcome) {
    const std::size_t run = order[task];
    if (outcome.status == ExitStatus::interrupted) return ended(std::nullopt);
    if (!execution.runs_folder.empty() && outcome.complete) {
      outcome.report.command = execution.command;
      write_hdf5(std::filesystem::path(execution.runs_folder) / run_file_name(run, points.n_runs()),
                 outcome.output_data(), true);
    }
    ended(sweep_run_of(run, outcome));
  };
  RunControl own;
  own.interrupted = control.interrupted;
  run_tasks(tasks, context, own);
}

// Rank 0's side: what the others send goes where its own runs go.
class Collector {
 public:
  Collector(Team& team, SweepJournal& journal, std::size_t n_missing, const RunControl& control)
      : team_(team),
        journal_(journal),
        n_missing_(n_missing),
        n_runs_(journal.header().points.n_runs()),
        control_(control) {}

  void take(const std::optional<SweepRun>& run) {
    const std::scoped_lock lock(mutex_);
    if (!run) {
      interrupted_ = true;
      return;
    }
    journal_.append(*run);
    ++n_done_;
    if (control_.progress)
      control_.progress(static_cast<double>(n_done_) / static_cast<double>(n_missing_),
                        fmt::format("{} of {} runs", n_runs_ - n_missing_ + n_done_, n_runs_));
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
      if (message->kind == interrupted_run) take(std::nullopt);
      if (message->kind == failure) fail(OutputError(std::string(message->bytes.begin(), message->bytes.end())));
      if (message->kind != ended_run || failed_) continue;
      try {
        if (const std::optional<SweepRun> run = sweep_run_of_bytes(message->bytes, n_runs_)) take(run);
      } catch (const OutputError& error) {
        fail(error);
      }
    }
  }

  void rethrow() const {
    if (failed_) throw *failed_;
  }
  bool interrupted() const { return interrupted_; }

 private:
  void fail(const OutputError& error) {
    if (!failed_) failed_ = error;
    team_.stop();
  }

  Team& team_;
  SweepJournal& journal_;
  std::size_t n_missing_, n_runs_, n_done_ = 0;
  const RunControl& control_;
  std::mutex mutex_;
  std::atomic<bool> interrupted_{false};
  std::optional<OutputError> failed_;
};

// One list of numbers and texts in the form of the journal's blocks would be a format more: words of eight bytes.
Team::Bytes bytes_of_order(const std::vector<std::size_t>& order) {
  Team::Bytes bytes;
  for (const std::size_t run : order)
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<unsigned char>(run >> (8 * i)));
  return bytes;
}

std::vector<std::size_t> order_of_bytes(const Team::Bytes& bytes) {
  std::vector<std::size_t> order(bytes.size() / 8, 0);
  for (std::size_t k = 0; k < bytes.size(); ++k) order[k / 8] |= std::size_t{bytes[k]} << (8 * (k % 8));
  return order;
}

void tell(Team& team, const std::string& text) {
  Team::Bytes bytes(text.begin(), text.end());
  team.broadcast(bytes);
}

std::string hear(Team& team) {
  Team::Bytes bytes;
  team.broadcast(bytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

bool run_sweep(Team& team, const ProblemModules& modules, const ReadPoint& read, const std::vector<std::size_t>& order,
               const SweepExecution& execution, SweepJournal& journal, const RunControl& control) {
  const SweepPoints points = journal.header().points;
  Collector collector(team, journal, order.size(), control);
  {
    // Whatever ends the runs of this rank, the others are told to stop and waited for.
    std::jthread receiver([&] { collector.receive(); });
    struct StopAll {
      Team& team;
      ~StopAll() { team.stop(); }
    };
    const StopAll stop{team};
    work_on(team, modules, read, points, order, execution, control,
            [&](const std::optional<SweepRun>& run) { collector.take(run); });
  }
  collector.rethrow();
  journal.flush();
  return !collector.interrupted();
}

void tell_work(Team& team, const SweepWork& work) {
  if (team.size() == 1) return;
  Team::Bytes header = bytes_of(work.header), order = bytes_of_order(work.order);
  team.broadcast(header);
  team.broadcast(order);
  const SweepExecution& execution = work.execution;
  tell(team, execution.runs_folder);
  tell(team, execution.command);
  tell(team, fmt::format("{} {} {} {}", static_cast<int>(execution.backend), execution.n_threads,
                         execution.device_pays ? 1 : 0, execution.memory_bytes));
}

void tell_no_work(Team& team) {
  Team::Bytes none;
  team.broadcast(none);
}

std::optional<SweepWork> hear_work(Team& team) {
  Team::Bytes header, order;
  team.broadcast(header);
  if (header.empty()) return std::nullopt;
  team.broadcast(order);
  SweepWork work;
  work.execution.runs_folder = hear(team);
  work.execution.command = hear(team);
  const std::string numbers = hear(team);
  int backend = 0, pays = 0;
  if (std::sscanf(numbers.c_str(), "%d %d %d %lf", &backend, &work.execution.n_threads, &pays,
                  &work.execution.memory_bytes) != 4)
    throw ShapeError("sweep: the ranks are of different programs");
  work.execution.backend = static_cast<BackendChoice>(backend);
  work.execution.device_pays = pays != 0;
  work.order = order_of_bytes(order);
  std::optional<SweepHeader> read = sweep_header_of(header);
  if (!read) throw ShapeError("sweep: the ranks are of different programs");
  work.header = std::move(*read);
  return work;
}

void help_sweep(Team& team, const ProblemModules& modules, const ReadPoint& read, const SweepWork& work,
                const RunControl& control) {
  try {
    work_on(team, modules, read, work.header.points, work.order, work.execution, control,
            [&](const std::optional<SweepRun>& run) {
              if (run)
                team.send({ended_run, bytes_of(*run)});
              else
                team.send({interrupted_run, {}});
            });
  } catch (const std::exception& error) {
    const std::string what = fmt::format("rank {}: {}", team.rank(), error.what());
    team.send({failure, Team::Bytes(what.begin(), what.end())});
  }
  team.send({rank_is_done, {}});
}

}  // namespace gwrm
