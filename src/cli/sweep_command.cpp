// gwrm sweep: a case at many values of its keys -> journal -> one result over all of them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "api/run_steps.hpp"
#include "api/sweep_steps.hpp"
#include "api/sweep_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/launched_team.hpp"
#include "cli/options.hpp"
#include "cli/progress_line.hpp"
#include "cli/ranks_per_run.hpp"
#include "cli/standard_input.hpp"
#include "cli/written_names.hpp"
#include "core/files_at_end.hpp"
#include "core/last_resort.hpp"
#include "core/log.hpp"
#include "core/team.hpp"
#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/stored_sweep.hpp"
#include "output/sweep_file.hpp"
#include "problems/sweep/sweep.hpp"
#include "problems/task_farm/rank_farm.hpp"

namespace gwrm::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFailuresTold = 5;

// "burgers.h5" -> "burgers_sweep.h5"; with -o that name.
std::string result_path(const Options& options, const Case& base) {
  if (!options.output.empty()) return options.output;
  fs::path path(base.output.file);
  path.replace_filename(path.stem().string() + "_sweep.h5");
  return path.string();
}

SweepRequest request_of(const Options& options) {
  return {options.vary, options.points_file, options.samples, options.seed, options.sobol};
}

SweepHeader header_of(const Options& options) {
  SweepHeader header;
  header.case_name = case_name(options);
  header.case_text = case_text(options);
  header.sets = options.sets;
  header.manufactured = options.manufactured;
  header.keep_runs = !options.keep.empty();
  header.backend = options.backend;
  header.version = version();
  header.git_revision = git_revision();
  return header;
}

// A sweep that is continued takes all of it from its journal; what is given besides has to be the same.
void require_the_same(const Options& options, const SweepHeader& found) {
  const auto refuse = [&](const char* what) {
    throw CaseError(
        fmt::format("{}: error: this journal belongs to another sweep: {}; continue it with gwrm sweep "
                    "--restart {} alone, or begin afresh without --restart",
                    options.restart, what, options.restart));
  };
  if (!options.case_path.empty() && case_text(options) != found.case_text) refuse("the case file is another one");
  if (!options.sets.empty() && options.sets != found.sets) refuse("--set is not the same");
  const bool has_points = !options.vary.empty() || !options.points_file.empty();
  if (!has_points) return;
  const Case base = reader_of(*options.modules, found)({});
  if (sweep_points(*options.modules, base, request_of(options)) != found.points) refuse("its points are not the same");
}

bool all_of(const std::vector<bool>& ended) {
  return std::find(ended.begin(), ended.end(), false) == ended.end();
}

// A sweep may have been ended when its result was there and its journal not yet deleted.
bool is_result_of(const Case& base, const std::string& path) {
  return fs::exists(path) && is_sweep(path) && read_sweep(path).case_text == base.resolved_text;
}

void tell_failures(const SweepPoints& points, const SweepTotals& totals) {
  for (std::size_t i = 0; i < totals.failures.size(); ++i) {
    if (i == kMostFailuresTold) {
      logger().error("and {} more; `status` and `reason` of the result have all of them", totals.failures.size() - i);
      break;
    }
    const SweepRun& run = totals.failures[i];
    logger().error("run {} ({}): {}: {}", run.run, points.text_of(run.run), run.status, run.reason);
  }
}

void print(const Options& options, const Case& base, const SweepPoints& points, const SweepTotals& totals,
           ExitStatus status, const std::string& file) {
  if (options.json) {
    std::cout << sweep_json(base.title, points, totals, static_cast<int>(status), file) << "\n";
  } else if (options.verbosity != Verbosity::quiet) {
    std::cout << sweep_text(base.title, points, totals);
    if (!file.empty()) std::cout << "  wrote " << file << "\n";
  }
  tell_failures(points, totals);
}

// --so-far: what the journal of a sweep that is going on holds by now.
ExitStatus write_so_far(const Options& options, const SweepHeader& header) {
  const Case base = reader_of(*options.modules, header)({});
  check_written_names({options.output}, {options.restart});
  const SweepTotals totals = write_sweep(options.output, options.restart,
                                         provenance_of(base, base.backend, options.command_line), options.overwrite);
  print(options, base, header.points, totals, ExitStatus::converged, options.output);
  return ExitStatus::converged;
}

// A rank other than 0, which alone reads and writes and says how it ended.
ExitStatus help_sweep_runs(Team& team, const Options& options) {
  configure_log(Verbosity::quiet);
  end_without_words();
  if (const std::optional<SweepWork> work = hear_work(team)) {
    RunControl control;
    control.interrupted = interrupt_requested;
    const InterruptsAreAsked asked;
    help_sweep(team, *options.modules, reader_of(*options.modules, work->header), *work, control);
  }
  return ExitStatus::converged;
}

ExitStatus sweep(Team& team, const Options& options) {
  OtherRanks others(team);
  const bool continued = !options.restart.empty();
  SweepHeader header = continued ? scan_sweep_journal(options.restart).header : header_of(options);
  if (continued) require_the_same(options, header);
  if (options.so_far) return write_so_far(options, header);
  // Until the journal is open again: the cases of many runs are read first, which takes its time.
  std::optional<FileAtEnd> begun;
  if (continued) begun.emplace(FileKind::sweep, options.restart);

  const ReadPoint read = reader_of(*options.modules, header);
  const Case base = read({});
  check_output_names(base);
  check_ranks_per_run(team, options, {&base});
  if (!continued) header.points = sweep_points(*options.modules, base, request_of(options));
  const SweepPoints points = header.points;
  if (!continued) header.output = result_path(options, base);
  // A continued sweep writes where the interrupted one would have: beside its journal.
  const std::string path = !options.output.empty() ? options.output
                           : continued
                               ? (fs::path(options.restart).parent_path() / fs::path(header.output).filename()).string()
                               : header.output;
  const std::string journal_name = continued ? options.restart : sweep_journal_path(path);
  check_written_names({path, journal_name}, {options.case_path, options.points_file});
  check_written_names({path}, {options.restart});
  std::vector<bool> ended(points.n_runs(), false);
  if (continued) scan_sweep_journal(options.restart, [&](const SweepRun& run) { ended[run.run] = true; });
  const bool overwrite = options.overwrite || (all_of(ended) && is_result_of(base, path));
  try_output_path(path, overwrite);

  const int n_threads = options.threads > 0 ? options.threads : team.usual_threads();
  SweepCosts costs;
  {
    const LogTime time("reading the cases of all runs");
    costs = check_points(*options.modules, base, points, read, n_threads);
  }
  std::optional<SweepJournal> journal;
  if (continued)
    journal.emplace(journal_name);
  else
    journal.emplace(journal_name, header, options.overwrite);
  begun.reset();
  if (continued && (header.version != version() || header.git_revision != git_revision()))
    logger().warn("{}: begun by gwrm {} ({}), continued by another version", journal_name, header.version,
                  header.git_revision);

  SweepExecution execution;
  Options as_begun = options;
  if (continued && options.backend.empty()) as_begun.backend = header.backend;
  execution.backend = backend_choice(as_begun, base);
  execution.n_threads = options.threads;
  execution.runs_per_device = options.runs_per_device;
  execution.ranks_per_run = options.ranks_per_run;
  execution.device_pays = costs.device_pays;
  execution.memory_bytes = static_cast<double>(costs.memory_bytes);
  execution.command = options.command_line;
  if (header.keep_runs) {
    const fs::path folder = runs_folder(path);
    prepare_runs_folder(folder, continued || options.overwrite);
    execution.runs_folder = folder.string();
  }
  bool complete = false;
  {
    ProgressLine progress(progress_form(options));
    RunControl control;
    control.progress = [&](double done, const std::string& note) { progress.update(done, note); };
    control.interrupted = interrupt_requested;
    const InterruptsAreAsked asked;
    const std::vector<std::size_t> order = order_of_runs(ended, costs);
    if (team.size() > 1) logger().info("{} ranks", team.size());
    others.begin();
    tell_work(team, {header, order, execution});
    complete = run_sweep(team, *options.modules, read, order, execution, *journal, control);
  }
  if (!complete) {
    logger().error("interrupted; the runs that have ended are in {}", journal_name);
    logger().error("continue with: gwrm sweep --restart {}", journal_name);
    if (options.json) print_json_failure(ExitStatus::interrupted, "interrupted");
    return ExitStatus::interrupted;
  }
  const FileAtEnd awaited(FileKind::awaited, path);
  const SweepTotals totals = write_sweep(
      path, journal_name, provenance_of(base, worthwhile(execution.backend, costs.device_pays), options.command_line),
      overwrite);
  journal->remove();
  work_is_done();
  const auto status = static_cast<ExitStatus>(totals.first_failure);
  print(options, base, points, totals, status, path);
  return status;
}

}  // namespace

ExitStatus sweep_command(const Options& options) {
  Team& team = launched_team();
  if (options.ranks_per_run > 0 && team.size() > 1) ranks_wait_for_one_another();
  return team.rank() == 0 ? sweep(team, options) : help_sweep_runs(team, options);
}

}  // namespace gwrm::cli
