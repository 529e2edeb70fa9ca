#include "problems/convergence/study_runs.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "output/journal_bytes.hpp"
#include "problems/task_farm/rank_farm.hpp"
#include "problems/task_farm/run_group.hpp"

namespace gwrm {
namespace {

using journal::Decoder;
using journal::Encoder;

void encode(Encoder& out, const AxisDescription& axis) {
  out.integer(axis.degree);
  out.word(axis.edges.size());
  out.numbers(axis.edges);
  out.integer(static_cast<int>(axis.map));
  out.text(axis.basis);
}

AxisDescription axis_description(Decoder& in) {
  AxisDescription axis;
  axis.degree = in.integer();
  axis.edges = in.numbers(in.count(1));
  axis.map = static_cast<MapKind>(in.integer());
  axis.basis = in.text();
  return axis;
}

void encode(Encoder& out, const std::vector<int>& numbers) {
  out.word(numbers.size());
  for (const int number : numbers) out.integer(number);
}

std::vector<int> integers(Decoder& in) {
  std::vector<int> numbers(in.count(1));
  for (int& number : numbers) number = in.integer();
  return numbers;
}

void encode(Encoder& out, const Solution& solution) {
  out.word(solution.axes.size());
  for (const Axis& axis : solution.axes) {
    out.text(axis.name);
    out.integer(static_cast<int>(axis.kind));
    out.numbers({axis.lower, axis.upper});
    out.integer(static_cast<int>(axis.map));
  }
  out.word(solution.window_edges.size());
  out.numbers(solution.window_edges);
  out.word(solution.subdomains.size());
  for (const std::vector<AxisDescription>& window : solution.subdomains) {
    out.word(window.size());
    for (const AxisDescription& axis : window) encode(out, axis);
  }
  out.word(solution.fields.size());
  for (const FieldSolution& field : solution.fields) {
    out.text(field.name);
    encode(out, field.axes);
    out.word(field.windows.size());
    for (const Array& window : field.windows) out.array(window);
  }
}

Solution solution_of(Decoder& in) {
  Solution solution;
  solution.axes.resize(in.count(5));
  for (Axis& axis : solution.axes) {
    axis.name = in.text();
    axis.kind = static_cast<AxisKind>(in.integer());
    axis.lower = in.number();
    axis.upper = in.number();
    axis.map = static_cast<MapKind>(in.integer());
  }
  solution.window_edges = in.numbers(in.count(1));
  solution.subdomains.resize(in.count(1));
  for (std::vector<AxisDescription>& window : solution.subdomains) {
    window.resize(in.count(4));
    for (AxisDescription& axis : window) axis = axis_description(in);
  }
  solution.fields.resize(in.count(3));
  for (FieldSolution& field : solution.fields) {
    field.name = in.text();
    field.axes = integers(in);
    field.windows.resize(in.count(1));
    for (Array& window : field.windows) window = in.array();
  }
  return solution;
}

RankTasks tasks_of(const std::vector<PreparedRun>& runs, RunGroup* group) {
  RankTasks tasks;
  tasks.farm.count = runs.size();
  tasks.farm.cost = [&](std::size_t i) { return static_cast<double>(runs[i].summary.n_unknowns); };
  tasks.farm.memory = [&](std::size_t i) { return static_cast<double>(runs[i].summary.memory_bytes); };
  tasks.farm.run = [&, group](std::size_t i, const Context& own, const RunControl& quiet) {
    if (group != nullptr) return group->run(i, *runs[i].problem, own, quiet);
    const bool on_device = own.device_required() || runs[i].summary.device_pays;
    return runs[i].problem->run(on_device ? own : own.without_device(), quiet);
  };
  if (group != nullptr)
    group->take_part(tasks, [&](std::size_t i, const Context& own, const RunControl& together) {
      runs[i].problem->help(own, together);
    });
  return tasks;
}

}  // namespace

PreparedRun prepare_run(const ProblemModules& modules, Case the_case) {
  the_case.verification.estimate = EstimateChoice::off;
  std::unique_ptr<Problem> problem = modules.make(the_case);
  Summary summary = problem->summary();
  return {std::move(problem), std::move(summary)};
}

Team::Bytes bytes_of(std::size_t run, const RunOutcome& outcome, bool answer) {
  const RunReport& report = outcome.report;
  Encoder out;
  out.word(run);
  out.integer(static_cast<int>(outcome.status));
  out.integer(outcome.complete ? 1 : 0);
  out.text(report.status);
  out.text(report.reason);
  out.integer(report.n_newton_iterations);
  out.number(report.wall_seconds);
  out.word(report.verification.checks.size());
  for (const Check& check : report.verification.checks) {
    out.text(check.kind);
    out.text(check.subject);
    out.number(check.value);
  }
  const bool holds_answer = answer && outcome.complete, on_grid = outcome.solution.fields.empty();
  out.integer(holds_answer ? 1 : 0);
  if (!holds_answer) return out.bytes();
  encode(out, outcome.solution);
  out.word(on_grid ? outcome.grid.size() : 0);
  for (std::size_t axis = 0; on_grid && axis < outcome.grid.size(); ++axis) {
    out.word(outcome.grid[axis].size());
    out.numbers(outcome.grid[axis]);
  }
  out.word(on_grid ? outcome.fields.size() : 0);
  if (!on_grid) return out.bytes();
  for (const SampledField& field : outcome.fields) {
    out.text(field.name);
    encode(out, field.axes);
    out.array(field.values);
  }
  return out.bytes();
}

std::optional<std::pair<std::size_t, RunOutcome>> outcome_of(const Team::Bytes& bytes) {
  Decoder in(bytes);
  const std::size_t run = in.word();
  RunOutcome outcome;
  RunReport& report = outcome.report;
  outcome.status = static_cast<ExitStatus>(in.integer());
  outcome.complete = in.integer() != 0;
  report.status = in.text();
  report.reason = in.text();
  report.n_newton_iterations = in.integer();
  report.wall_seconds = in.number();
  report.verification.checks.resize(in.count(3));
  for (Check& check : report.verification.checks) {
    check.kind = in.text();
    check.subject = in.text();
    check.value = in.number();
  }
  if (in.integer() != 0) {
    outcome.solution = solution_of(in);
    outcome.grid.resize(in.count(1));
    for (std::vector<double>& axis : outcome.grid) axis = in.numbers(in.count(1));
    outcome.fields.resize(in.count(3));
    for (SampledField& field : outcome.fields) {
      field.name = in.text();
      field.axes = integers(in);
      field.values = in.array();
    }
  }
  if (!in.complete()) return std::nullopt;
  return std::pair{run, std::move(outcome)};
}

std::vector<RunOutcome> run_levels(Team& team, const std::vector<PreparedRun>& runs, int ranks_per_run,
                                   const FarmPlaces& places, const RunControl& control) {
  std::vector<RunOutcome> outcomes(runs.size());
  const std::unique_ptr<RunGroup> group = group_of(team, ranks_per_run, control);
  RankTasks tasks = tasks_of(runs, group.get());
  tasks.take = [&](std::size_t i, RunOutcome outcome) { outcomes[i] = std::move(outcome); };
  tasks.take_bytes = [&](const Team::Bytes& bytes) {
    auto ended = outcome_of(bytes);
    if (!ended || ended->first >= outcomes.size()) throw OutputError("converge: the ranks are of different programs");
    outcomes[ended->first] = std::move(ended->second);
  };
  run_on_ranks(team, tasks, places, control);
  return outcomes;
}

void tell_study(Team& team, const StudyWork& work) {
  Encoder out;
  out.texts(work.cases);
  out.integer(static_cast<int>(work.wishes.backend));
  out.integer(work.wishes.n_threads);
  out.integer(work.wishes.runs_per_device);
  out.integer(work.wishes.ranks_per_run);
  out.integer(work.answers ? 1 : 0);
  Team::Bytes bytes = out.bytes();
  team.broadcast(bytes);
}

std::optional<StudyWork> hear_study(Team& team) {
  Team::Bytes bytes;
  team.broadcast(bytes);
  if (bytes.empty()) return std::nullopt;
  Decoder in(bytes);
  StudyWork work;
  work.cases = in.texts();
  work.wishes.backend = static_cast<BackendChoice>(in.integer());
  work.wishes.n_threads = in.integer();
  work.wishes.runs_per_device = in.integer();
  work.wishes.ranks_per_run = in.integer();
  work.answers = in.integer() != 0;
  if (!in.complete()) throw ShapeError("converge: the ranks are of different programs");
  return work;
}

void help_study(Team& team, const ProblemModules& modules, const StudyWork& work, const RunControl& control) {
  std::vector<PreparedRun> runs;
  for (const std::string& text : work.cases)
    runs.push_back(prepare_run(modules, read_case_text(modules.format(), text, "case of the study")));
  const std::optional<FarmPlaces> places = places_to_help(team, work.wishes);
  if (!places) return;
  const std::unique_ptr<RunGroup> group = group_of(team, work.wishes.ranks_per_run, control);
  RankTasks tasks = tasks_of(runs, group.get());
  tasks.pack = [&](std::size_t i, RunOutcome outcome) { return bytes_of(i, outcome, work.answers); };
  run_on_ranks(team, tasks, *places, control);
}

}  // namespace gwrm
