// gwrm run and gwrm rerun: case -> problem -> solution -> file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/options.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_text.hpp"
#include "core/counted.hpp"
#include "core/interrupt.hpp"
#include "core/log.hpp"
#include "output/journal.hpp"
#include "problems/problem.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm::cli {
namespace {

// "out/burgers.h5" -> "out/burgers.partial.h5": what an interrupted or failed run has finished, under a name that says
// so.
std::string partial_path(const std::string& path) {
  std::filesystem::path partial(path);
  partial.replace_extension(".partial" + partial.extension().string());
  return partial.string();
}

// "out/burgers.h5" -> "out/burgers.journal": the finished windows while the run goes on.
std::string journal_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".journal").string();
}

// The case of an interrupted run is in its journal.
Case case_to_run(const Options& options) {
  if (!options.case_path.empty()) return load_case(options);
  return read_case_text(scan_journal(options.restart).header.case_text, options.restart);
}

// A continued run writes where the interrupted one would have: beside its journal.
std::string output_path(const Options& options, const Case& problem) {
  if (!options.output.empty()) return options.output;
  if (options.restart.empty()) return problem.output.file;
  const std::filesystem::path extension = std::filesystem::path(problem.output.file).extension();
  return std::filesystem::path(options.restart).replace_extension(extension).string();
}

// Before anything is computed: can the file hold these names side by side?
void check_output_names(const Case& problem) {
  std::vector<std::string> axes, unknowns, fields;
  for (const AxisCase& axis : problem.domain) axes.push_back(axis.axis.name);
  for (const UnknownCase& unknown : problem.unknowns) unknowns.push_back(unknown.name);
  for (const NamedExpression& field : problem.output.fields) fields.push_back(field.name);
  gwrm::check_output_names(axes, unknowns, fields);
}

// Its name in the temporary folder; "burgers.1.h5", .. where "burgers.h5" lies there already, an earlier answer.
std::filesystem::path free_temporary_path(const std::string& path) {
  const std::filesystem::path wanted = std::filesystem::temp_directory_path() / std::filesystem::path(path).filename();
  std::filesystem::path candidate = wanted;
  for (int i = 1; std::filesystem::exists(candidate); ++i)
    candidate.replace_filename(fmt::format("{}.{}{}", wanted.stem().string(), i, wanted.extension().string()));
  return candidate;
}

// "output.fields.a is inf at x = 0 (1 of 101 values)"; empty where all values are finite.
std::string not_finite_text(const SampledField& field, const RunOutcome& outcome) {
  const std::vector<double>& values = field.values.data;
  const auto is_bad = [](double value) { return !std::isfinite(value); };
  const auto bad = std::find_if(values.begin(), values.end(), is_bad);
  if (bad == values.end()) return {};
  const std::vector<Index> index = unravel(field.values.shape, bad - values.begin());
  std::string point;
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const auto axis = static_cast<std::size_t>(field.axes[d]);
    point += fmt::format("{}{} = {:.6g}", point.empty() ? " at " : ", ", outcome.solution.axes[axis].name,
                         outcome.grid[axis][static_cast<std::size_t>(index[d])]);
  }
  return fmt::format("output.fields.{} is {}{} ({} of {} values are not finite)", field.name, *bad, point,
                     std::count_if(values.begin(), values.end(), is_bad), values.size());
}

Context open_backend(BackendChoice backend, int threads) {
  const LogTime time("opening the backend");
  return Context::create(backend, threads);
}

// A computed answer is not lost for want of a place: where the wanted file cannot be written, the system's temporary
// folder gets it. The error stays an error.
void rescue(const std::string& path, const RunOutcome& outcome, const OutputError& error) {
  const std::filesystem::path other = free_temporary_path(path);
  try {
    write_hdf5(other.string(), outcome.output_data(), false);
  } catch (const Error&) {
    throw error;
  }
  throw OutputError(fmt::format("{}\nthe result was saved as {} instead", error.what(), other.string()));
}

ExitStatus run_case(const Options& options, const Case& problem_case, const std::string& path) {
  check_output_path(path, options.overwrite);
  check_output_names(problem_case);
  const auto problem = make_problem(problem_case);
  if (!options.restart.empty() && !problem->can_restart())
    throw CaseError(
        "--restart continues the windows of problem: time_spectral; a run of this case keeps no journal: run it "
        "without --restart");
  const Summary summary = problem->summary();
  const int threads = options.threads > 0 ? options.threads : summary.one_thread ? 1 : 0;
  const BackendChoice backend = backend_choice(options, problem_case);
  const Context context = open_backend(worthwhile(backend, summary.device_pays), threads);
  if (!context.note().empty()) spdlog::info("{}", context.note());
  spdlog::info("{}; {}", counted(summary.n_unknowns, "unknown"), summary.linear_solver);
  const std::vector<std::string>& warnings = summary.warnings;
  for (const std::string& warning : warnings) spdlog::warn("{}", warning);

  const std::string journal = options.restart.empty() ? journal_path(path) : options.restart;
  RunOutcome outcome;
  {
    ProgressLine progress(options.verbosity != Verbosity::quiet);
    RunControl control;
    control.progress = [&](double done, const std::string& note) { progress.update(done, note); };
    control.interrupted = interrupt_requested;
    control.journal = journal;
    control.restart = !options.restart.empty();
    control.overwrite = options.overwrite;
    outcome = problem->run(context, control);
  }
  if (outcome.complete)
    for (const SampledField& field : outcome.fields)
      if (const std::string text = not_finite_text(field, outcome); !text.empty())
        outcome.report.warnings.push_back(text);
  for (std::size_t i = warnings.size(); i < outcome.report.warnings.size(); ++i)
    spdlog::warn("{}", outcome.report.warnings[i]);
  outcome.report.command = options.command_line;

  std::string file;
  if (outcome.complete) {
    try {
      const LogTime time("writing the file");
      write_hdf5(path, outcome.output_data(), options.overwrite);
      file = path;
    } catch (const OutputError& error) {
      if (!options.json) std::cout << result_text(outcome);
      rescue(path, outcome, error);
    }
  } else if (!outcome.solution.fields.empty()) {
    file = partial_path(path);
    write_hdf5(file, outcome.output_data(), true);
  }

  if (options.json) {
    std::cout << result_json(outcome, file) << "\n";
  } else {
    std::cout << result_text(outcome);
    if (!file.empty()) std::cout << "  wrote " << file << "\n";
  }
  if (outcome.status != ExitStatus::converged) {
    spdlog::error("{}: {}", outcome.report.status, outcome.report.reason);
    if (!outcome.complete && !file.empty()) spdlog::error("the finished windows are in {}", file);
    if (outcome.status == ExitStatus::interrupted && problem->can_restart() && std::filesystem::exists(journal))
      spdlog::error("continue with: gwrm run --restart {}", journal);
  }
  return outcome.status;
}

}  // namespace

ExitStatus run_command(const Options& options) {
  const Case problem_case = case_to_run(options);
  return run_case(options, problem_case, output_path(options, problem_case));
}

// The case that a result file holds, with every default as it was then.
ExitStatus rerun_command(const Options& options) {
  std::vector<Override> overrides;
  for (const std::string& set : options.sets) overrides.push_back(parse_override(set));
  const Case problem_case = read_case_text(read_hdf5(options.file).report.case_text, options.file, overrides);
  std::filesystem::path path(options.file);
  path.replace_filename(path.stem().string() + "_rerun" + path.extension().string());
  return run_case(options, problem_case, options.output.empty() ? path.string() : options.output);
}

}  // namespace gwrm::cli
