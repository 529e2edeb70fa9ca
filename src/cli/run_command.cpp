// gwrm run and gwrm rerun: case -> problem -> solution -> file.
#include <fmt/format.h>

#include <climits>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "api/result_text.hpp"
#include "api/run_steps.hpp"
#include "cli/interrupt.hpp"
#include "cli/launched_team.hpp"
#include "cli/options.hpp"
#include "cli/piped_result.hpp"
#include "cli/progress_line.hpp"
#include "cli/run_so_far.hpp"
#include "cli/shared_run.hpp"
#include "cli/written_names.hpp"
#include "core/counted.hpp"
#include "core/files_at_end.hpp"
#include "core/last_resort.hpp"
#include "core/log.hpp"
#include "core/printable.hpp"
#include "output/journal.hpp"
#include "output/linear_system.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/problem.hpp"
#include "problems/task_farm/rank_farm.hpp"

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

// What stands beside the result while the run goes on has a longer name. Nothing that a run reads is written over.
void check_names_beside(const Options& options, const std::string& path) {
  check_written_names({path, partial_path(path), journal_path(path)}, {options.case_path});
  check_written_names({path}, {options.restart, options.solution});
  for (const std::string& name : {partial_path(path), journal_path(path)}) {
    const std::size_t length = std::filesystem::path(name).filename().string().size();
    if (length > NAME_MAX)
      throw OutputError(
          fmt::format("{}: the name is too long: {} beside it would have {} bytes, at most {} are possible", path,
                      name == journal_path(path) ? "the journal" : "a partial result", length, NAME_MAX));
  }
}

// The case of an interrupted run is in its journal.
Case case_to_run(const Options& options) {
  if (!options.case_path.empty()) return load_case(options);
  return read_case_text(options.modules->format(), scan_journal(options.restart).header.case_text, options.restart);
}

// A continued run writes where the interrupted one would have: beside its journal.
std::string output_path(const Options& options, const Case& the_case) {
  if (!options.output.empty()) return options.output;
  if (options.restart.empty()) return the_case.output.file;
  const std::filesystem::path extension = std::filesystem::path(the_case.output.file).extension();
  return std::filesystem::path(options.restart).replace_extension(extension).string();
}

// Its name in the temporary folder; "burgers.1.h5", .. where "burgers.h5" lies there already, an earlier answer.
std::filesystem::path free_temporary_path(const std::string& path) {
  const std::filesystem::path wanted = std::filesystem::temp_directory_path() / std::filesystem::path(path).filename();
  std::filesystem::path candidate = wanted;
  for (int i = 1; std::filesystem::exists(candidate); ++i)
    candidate.replace_filename(fmt::format("{}.{}{}", wanted.stem().string(), i, wanted.extension().string()));
  return candidate;
}

// A computed answer is not lost for want of a place: where the wanted file cannot be written, the system's temporary
// folder gets it. The error stays an error.
void rescue(const std::string& path, RunOutcome& outcome, const OutputError& error) {
  const std::filesystem::path other = free_temporary_path(path);
  try {
    write_hdf5(other.string(), outcome.output_data(), false);
  } catch (const Error&) {
    throw error;
  }
  remove_journal(outcome.journal);
  throw OutputError(fmt::format("{}\nthe result was saved as {} instead", error.what(), other.string()));
}

// What is solved, and how, as far as that is known before the run.
std::string first_words(const Options& options, const Case& the_case, const Summary& summary) {
  const std::string unknowns = counted(summary.n_unknowns, "unknown");
  if (!options.solution.empty()) return unknowns + ", whose values are read from " + options.solution;
  return the_case.resolution.automatic()
             ? unknowns + " to start with; resolution and linear solver follow from the tolerance"
             : unknowns + "; " + summary.linear_solver;
}

// The report of a run, for people: on the standard output, or beside it where that takes the result file.
void tell(const Options& options, const std::string& text) {
  if (options.verbosity == Verbosity::quiet) return;
  if (options.output != "-")
    std::cout << text;
  else
    std::fputs(printable(text).c_str(), stderr);
}

ExitStatus run_case(Team& team, const Options& options, const Case& the_case, const std::string& path) {
  check_names_beside(options, path);
  try_output_path(path, options.overwrite);
  check_output_names(the_case);
  std::optional<FileAtEnd> awaited;  // until everything else is taken down
  std::optional<FileAtEnd> begun;    // the journal that is gone on from, until the run has opened it
  if (!options.restart.empty()) begun.emplace(FileKind::journal, options.restart);
  const auto problem = options.modules->make(the_case);
  if (!options.restart.empty() && !problem->can_restart())
    throw CaseError(
        "--restart continues a run from its journal, and a run of this case keeps no journal: run it without "
        "--restart");
  std::optional<GivenSolution> solution;
  if (!options.solution.empty()) {
    refuse_without_system(the_case, *problem);
    solution = GivenSolution{options.solution, read_vector_file(options.solution)};
  }
  const Summary summary = problem->summary();
  const SharedRun shared = share_run(team, options, the_case, *problem);
  const Context& context = shared.context;
  if (!context.note().empty()) logger().info("{}", context.note());
  logger().info("{}", first_words(options, the_case, summary));
  for (const auto& [name, text] : describe_data_files(the_case)) logger().info("data {}: {}", name, text);
  const std::vector<std::string>& warnings = summary.warnings;
  for (const std::string& warning : warnings) logger().warn("{}", warning);

  const std::string journal = options.restart.empty() ? journal_path(path) : options.restart;
  RunOutcome outcome;
  {
    ProgressLine progress(progress_form(options));
    RunControl control;
    control.progress = [&](double done, const std::string& note) { progress.update(done, note); };
    control.interrupted = interrupt_requested;
    control.journal = journal;
    control.restart = !options.restart.empty();
    control.overwrite = options.overwrite;
    control.solution = std::move(solution);
    control.sharing = shared.sharing;
    control.tries_proposals = true;
    const InterruptsAreAsked asked;
    outcome = problem->run(context, control);
    begun.reset();
  }
  warn_of_values_not_finite(outcome);
  warn_of_missing_errors(the_case, outcome);
  for (std::size_t i = warnings.size(); i < outcome.report.warnings.size(); ++i)
    logger().warn("{}", outcome.report.warnings[i]);
  outcome.report.command = options.command_line;

  // The answer that an interrupted repetition was to improve leaves its place to that of the continued run.
  const bool is_final = outcome.complete && outcome.status != ExitStatus::interrupted;
  std::string file;
  if (is_final) {
    try {
      const LogTime time("writing the file");
      awaited.emplace(FileKind::awaited, path);
      write_hdf5(path, outcome.output_data(), options.overwrite);
      file = path;
      work_is_done();
      // The whole answer takes the place of the interrupted run's part of it.
      std::error_code ignored;
      if (!options.restart.empty()) std::filesystem::remove(partial_path(path), ignored);
    } catch (const OutputError& error) {
      if (!options.json) tell(options, result_text(outcome));
      rescue(path, outcome, error);
    }
  } else if (!outcome.solution.fields.empty() || outcome.module_arrays) {
    file = partial_path(path);
    write_hdf5(file, outcome.output_data(), true);
    work_is_done();
  }
  if (outcome.status != ExitStatus::interrupted) remove_journal(outcome.journal);

  if (options.json) {
    std::cout << result_json(outcome, file) << "\n";
  } else {
    const bool is_sent = options.output == "-" && is_final;
    tell(options, result_text(outcome) + (file.empty() || is_sent ? "" : "  wrote " + file + "\n"));
  }
  if (outcome.status != ExitStatus::converged) {
    logger().error("{}: {}", outcome.report.status, outcome.report.reason);
    if (!is_final && !file.empty())
      logger().error("{} {}", outcome.complete ? "the answer before it is in" : "the finished windows are in", file);
    if (outcome.status == ExitStatus::interrupted && problem->can_restart() && std::filesystem::exists(journal))
      logger().error("continue with: gwrm run --restart {}", journal);
  }
  return outcome.status;
}

// A file of this name; "-": the standard output.
ExitStatus run_to(const std::string& path, Team& team, const Options& options, const Case& the_case) {
  const auto run = [&](const std::string& file) {
    return options.so_far ? write_so_far(options, the_case, file) : run_case(team, options, the_case, file);
  };
  if (path != "-") return run(path);
  const PipedResult result(the_case.output.file);
  const ExitStatus status = run(result.path());
  result.send();
  return status;
}

// By rank 0, with the others waiting for what it gives them.
ExitStatus on_ranks(const Options& options, const std::function<ExitStatus(Team&)>& run) {
  Team& team = launched_team();
  if (team.size() > 1) ranks_wait_for_one_another();
  if (!have_one_command(team, options)) return ExitStatus::usage;
  if (team.rank() != 0) return help_run(team, options);
  const OtherRanks others(team);
  return run(team);
}

}  // namespace

ExitStatus run_command(const Options& options) {
  return on_ranks(options, [&](Team& team) {
    const Case the_case = case_to_run(options);
    return run_to(output_path(options, the_case), team, options, the_case);
  });
}

// The case that a result file holds, with every default as it was then.
ExitStatus rerun_command(const Options& options) {
  return on_ranks(options, [&](Team& team) {
    std::vector<Override> overrides;
    for (const std::string& set : options.sets) overrides.push_back(parse_override(set));
    const Case the_case =
        read_case_text(options.modules->format(), read_hdf5(options.file).report.case_text, options.file, overrides);
    std::filesystem::path path(options.file);
    path.replace_filename(path.stem().string() + "_rerun" + path.extension().string());
    return run_to(options.output.empty() ? path.string() : options.output, team, options, the_case);
  });
}

}  // namespace gwrm::cli
