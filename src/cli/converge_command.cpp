// gwrm converge: a case at several resolutions -> errors, observed rates, and what they mean.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "api/study_text.hpp"
#include "cli/interrupt.hpp"
#include "cli/launched_team.hpp"
#include "cli/options.hpp"
#include "cli/progress_line.hpp"
#include "cli/ranks_per_run.hpp"
#include "cli/written_names.hpp"
#include "core/last_resort.hpp"
#include "output/atomic_file.hpp"
#include "output/hdf5_file.hpp"
#include "problems/convergence/study.hpp"
#include "problems/convergence/study_runs.hpp"
#include "problems/task_farm/rank_farm.hpp"

namespace gwrm::cli {
namespace {

// --vary x=8,12,16 --vary resolution.domains.t=[1,2,4]: in place of the case's own list.
std::vector<Override> varied_overrides(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  std::string map;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string values = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (equals == 0 || values.empty())
      throw CaseError("--vary " + argument + ": error: expected KEY=VALUE,VALUE,..., as x=8,12,16");
    map += fmt::format("{}\"{}\": {}", map.empty() ? "" : ", ", argument.substr(0, equals),
                       values.front() == '[' ? values : "[" + values + "]");
  }
  return {{"convergence.vary", "{" + map + "}"}};
}

// "burgers.h5" -> "burgers_convergence.h5"; with -o that name.
std::string study_path(const Options& options, const Case& the_case) {
  if (!options.output.empty()) return options.output;
  std::filesystem::path path(the_case.output.file);
  path.replace_filename(path.stem().string() + "_convergence.h5");
  return path.string();
}

// A rank other than 0, which alone reads and writes and says how it ended.
ExitStatus help_converge(Team& team, const Options& options) {
  configure_log(Verbosity::quiet);
  end_without_words();
  if (const std::optional<StudyWork> work = hear_study(team)) {
    RunControl control;
    control.interrupted = interrupt_requested;
    const InterruptsAreAsked asked;
    help_study(team, *options.modules, *work, control);
  }
  return ExitStatus::converged;
}

ExitStatus converge(Team& team, const Options& options) {
  OtherRanks others(team);
  const std::vector<Override> varied = varied_overrides(options.vary);
  const ReadAgain read = [&](const std::vector<Override>& changes) {
    std::vector<Override> all = varied;
    all.insert(all.end(), changes.begin(), changes.end());
    return load_case(options, all);
  };
  const Case base = read({});
  const StudyPlan plan = plan_study(*options.modules, base, read);
  std::vector<const Case*> cases;
  for (const StudyRun& run : plan.runs) cases.push_back(&run.the_case);
  check_ranks_per_run(team, options, cases);
  const std::string path = study_path(options, base);
  const std::string table_path = std::filesystem::path(path).replace_extension(".csv").string();
  check_written_names({path, table_path}, {options.case_path});
  try_output_path(path, options.overwrite);
  check_output_path(table_path, options.overwrite);
  ConvergenceStudy study;
  {
    ProgressLine progress(progress_form(options));
    RunControl control;
    control.progress = [&](double done, const std::string& note) { progress.update(done, note); };
    control.interrupted = interrupt_requested;
    const InterruptsAreAsked asked;
    others.begin();  // run_study tells them
    study = run_study(team, *options.modules, base, plan,
                      {backend_choice(options, base), options.threads, options.runs_per_device, options.ranks_per_run},
                      control);
  }
  study.command = options.command_line;
  const ExitStatus status = status_of(study);

  std::vector<std::string> files;
  const bool in_words = !options.json && options.verbosity != Verbosity::quiet;
  if (in_words) std::cout << study_text(study);
  if (status != ExitStatus::interrupted) {
    write_convergence_study(path, study, options.overwrite);
    const std::string table = csv_text(study);
    const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char*>(table.data()), table.size());
    write_file_atomically(table_path, {bytes}, options.overwrite);
    files = {path, table_path};
    work_is_done();
  }
  if (options.json)
    std::cout << study_json(study, static_cast<int>(status), files) << "\n";
  else if (in_words)
    for (const std::string& file : files) std::cout << "  wrote " << file << "\n";

  for (const StudyLevel& level : study.levels)
    if (level.exit_status != 0 && !level.is_reference && !(level.error >= 0.0))
      logger().error("run {} = {:g}: {}: {}", study.size_name, level.size, level.status, level.reason);
  if (!study.passed) logger().error("{}", study.verdict);
  return status;
}

}  // namespace

ExitStatus converge_command(const Options& options) {
  Team& team = launched_team();
  if (options.ranks_per_run > 0 && team.size() > 1) ranks_wait_for_one_another();
  return team.rank() == 0 ? converge(team, options) : help_converge(team, options);
}

}  // namespace gwrm::cli
