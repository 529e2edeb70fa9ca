// The runs of a sweep on all ranks: what rank 0 tells the others, and what they send back.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "output/hdf5_file.hpp"
#include "problems/sweep/sweep.hpp"
#include "problems/task_farm/rank_farm.hpp"
#include "problems/task_farm/run_group.hpp"

namespace gwrm {
namespace {

// What all ranks do alike.
RankTasks tasks_of(const ProblemModules& modules, const ReadPoint& read, const SweepPoints& points,
                   const std::vector<std::size_t>& order, const SweepExecution& execution, RunGroup* group) {
  RankTasks tasks;
  tasks.farm.count = order.size();
  tasks.farm.memory = [&](std::size_t) { return execution.memory_bytes; };
  tasks.farm.run = [&, group](std::size_t task, const Context& own, const RunControl& quiet) {
    const std::unique_ptr<Problem> problem = modules.make(read(overrides_of(points, order[task])));
    if (group != nullptr) return group->run(task, *problem, own, quiet);
    const bool on_device = own.device_required() || problem->summary().device_pays;
    return problem->run(on_device ? own : own.without_device(), quiet);
  };
  if (group != nullptr)
    group->take_part(tasks, [&](std::size_t task, const Context& own, const RunControl& together) {
      modules.make(read(overrides_of(points, order[task])))->help(own, together);
    });
  return tasks;
}

FarmWishes wishes_of(const SweepExecution& execution) {
  return {worthwhile(execution.backend, execution.device_pays), execution.n_threads, execution.runs_per_device,
          execution.ranks_per_run};
}

// What is kept of a run that has ended; nothing of an interrupted one.
std::optional<SweepRun> kept(const SweepPoints& points, std::size_t run, RunOutcome& outcome,
                             const SweepExecution& execution) {
  if (outcome.status == ExitStatus::interrupted) return std::nullopt;
  if (!execution.runs_folder.empty() && outcome.complete) {
    outcome.report.command = execution.command;
    write_hdf5(std::filesystem::path(execution.runs_folder) / run_file_name(run, points.n_runs()),
               outcome.output_data(), true);
  }
  return sweep_run_of(run, outcome);
}

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
  bool interrupted = false;
  const auto append = [&](const std::optional<SweepRun>& run) {
    if (run)
      journal.append(*run);
    else
      interrupted = true;
  };
  const std::unique_ptr<RunGroup> group = group_of(team, execution.ranks_per_run, control);
  RankTasks tasks = tasks_of(modules, read, points, order, execution, group.get());
  tasks.n_before = points.n_runs() - order.size();
  tasks.take = [&](std::size_t task, RunOutcome outcome) { append(kept(points, order[task], outcome, execution)); };
  tasks.take_bytes = [&](const Team::Bytes& bytes) {
    append(bytes.empty() ? std::nullopt : sweep_run_of_bytes(bytes, points.n_runs()));
  };
  run_on_ranks(team, tasks, places_of(team, wishes_of(execution)), control);
  journal.flush();
  return !interrupted;
}

void tell_work(Team& team, const SweepWork& work) {
  if (team.size() == 1) return;
  Team::Bytes header = bytes_of(work.header), order = bytes_of_order(work.order);
  team.broadcast(header);
  team.broadcast(order);
  const SweepExecution& execution = work.execution;
  tell(team, execution.runs_folder);
  tell(team, execution.command);
  tell(team, fmt::format("{} {} {} {} {} {}", static_cast<int>(execution.backend), execution.n_threads,
                         execution.runs_per_device, execution.ranks_per_run, execution.device_pays ? 1 : 0,
                         execution.memory_bytes));
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
  if (std::sscanf(numbers.c_str(), "%d %d %d %d %d %lf", &backend, &work.execution.n_threads,
                  &work.execution.runs_per_device, &work.execution.ranks_per_run, &pays,
                  &work.execution.memory_bytes) != 6)
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
  const SweepPoints& points = work.header.points;
  const std::unique_ptr<RunGroup> group = group_of(team, work.execution.ranks_per_run, control);
  RankTasks tasks = tasks_of(modules, read, points, work.order, work.execution, group.get());
  tasks.pack = [&](std::size_t task, RunOutcome outcome) {
    const std::optional<SweepRun> run = kept(points, work.order[task], outcome, work.execution);
    return run ? bytes_of(*run) : Team::Bytes{};
  };
  if (const std::optional<FarmPlaces> places = places_to_help(team, wishes_of(work.execution)))
    run_on_ranks(team, tasks, *places, control);
}

}  // namespace gwrm
