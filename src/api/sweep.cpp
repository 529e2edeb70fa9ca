#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "api/callbacks.hpp"
#include "api/data.hpp"
#include "api/run_steps.hpp"
#include "api/sweep_steps.hpp"
#include "api/sweep_text.hpp"
#include "core/team.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "problems/registry.hpp"
#include "problems/sweep/sweep.hpp"

namespace gwrm::api {
namespace {

namespace fs = std::filesystem;

const char* backend_word(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return "auto";
    case Backend::cpu:
      return "cpu";
    case Backend::cuda:
      return "cuda";
    case Backend::of_case:
      break;
  }
  return "";
}

BackendChoice choice_of(const std::string& word, const gwrm::Case& base) {
  if (word == "auto") return BackendChoice::automatic;
  if (word == "cpu") return BackendChoice::cpu;
  return word == "cuda" ? BackendChoice::cuda : base.backend;
}

std::string default_output(const gwrm::Case& base) {
  fs::path path(base.output.file);
  path.replace_filename(path.stem().string() + "_sweep.h5");
  return path.string();
}

// A sweep, begun or continued, as far as it has to be known for its runs.
struct Sweep {
  SweepHeader header;
  std::string path, journal;
  bool continued = false, overwrite = false;
};

SweepEnd end_of(const gwrm::Case& base, const SweepHeader& header, const SweepTotals& totals, const std::string& path) {
  SweepEnd end;
  end.complete = totals.n_ended == totals.n_runs;
  end.exit_status = end.complete ? totals.first_failure : static_cast<int>(ExitStatus::interrupted);
  end.n_runs = totals.n_runs;
  end.n_ended = totals.n_ended;
  end.report = sweep_text(base.title, header.points, totals);
  end.file = path;
  return end;
}

SweepEnd interrupted_end(const SweepHeader& header, const std::string& journal) {
  SweepEnd end;
  end.exit_status = static_cast<int>(ExitStatus::interrupted);
  end.n_runs = header.points.n_runs();
  end.n_ended = scan_sweep_journal(journal).n_records;
  end.journal = journal;
  return end;
}

SweepEnd carry_out(const Sweep& sweep, const gwrm::Case& base, const RunOptions& options) {
  const SweepHeader& header = sweep.header;
  const ReadPoint read = reader_of(problem_modules(), header);
  std::vector<bool> ended(header.points.n_runs(), false);
  if (sweep.continued) scan_sweep_journal(sweep.journal, [&](const SweepRun& run) { ended[run.run] = true; });
  try_output_path(sweep.path, sweep.overwrite);
  const int n_threads = std::min(options.threads, available_cores());
  Team alone;
  const SweepCosts costs =
      check_points(problem_modules(), base, header.points, read, n_threads > 0 ? n_threads : alone.usual_threads());
  std::optional<SweepJournal> journal;
  if (sweep.continued)
    journal.emplace(sweep.journal);
  else
    journal.emplace(sweep.journal, header, sweep.overwrite);

  SweepExecution execution;
  execution.backend = choice_of(header.backend, base);
  execution.n_threads = n_threads;
  execution.device_pays = costs.device_pays;
  execution.memory_bytes = static_cast<double>(costs.memory_bytes);
  if (header.keep_runs) {
    const fs::path folder = runs_folder(sweep.path);
    prepare_runs_folder(folder, sweep.continued || sweep.overwrite);
    execution.runs_folder = folder.string();
  }
  Callbacks callbacks(options);
  const bool complete =
      run_sweep(alone, problem_modules(), read, order_of_runs(ended, costs), execution, *journal, callbacks.control());
  callbacks.rethrow();
  if (!complete) {
    journal->flush();
    return interrupted_end(header, sweep.journal);
  }
  const SweepTotals totals =
      write_sweep(sweep.path, sweep.journal, provenance_of(base, worthwhile(execution.backend, costs.device_pays), ""),
                  sweep.overwrite);
  journal->remove();
  return end_of(base, header, totals, sweep.path);
}

}  // namespace

SweepEnd Case::sweep(const SweepOptions& sweep, const RunOptions& options) const {
  return with_public_errors([&] {
    const Turn turn;
    const gwrm::Case& base = data_->the_case;
    check_output_names(base);
    Sweep begun;
    begun.path = sweep.output.empty() ? default_output(base) : sweep.output;
    begun.journal = sweep_journal_path(begun.path);
    begun.overwrite = sweep.overwrite;
    SweepHeader& header = begun.header;
    header.case_name = data_->source.name;
    header.case_text = data_->source.text;
    for (const Override& change : data_->source.overrides) header.sets.push_back(change.key + "=" + change.value);
    header.manufactured = data_->source.manufactured;
    header.keep_runs = sweep.keep_runs;
    header.backend = backend_word(options.backend);
    header.output = begun.path;
    header.version = gwrm::version();
    header.git_revision = git_revision();
    header.points =
        sweep_points(problem_modules(), base, {sweep.vary, sweep.points_file, sweep.samples, sweep.seed, sweep.sobol});
    return carry_out(begun, base, options);
  });
}

SweepEnd continue_sweep(const std::string& journal, bool overwrite, const RunOptions& options) {
  return with_public_errors([&] {
    const Turn turn;
    Sweep begun;
    begun.header = scan_sweep_journal(journal).header;
    begun.journal = journal;
    begun.path = (fs::path(journal).parent_path() / fs::path(begun.header.output).filename()).string();
    begun.continued = true;
    begun.overwrite = overwrite;
    return carry_out(begun, reader_of(problem_modules(), begun.header)({}), options);
  });
}

SweepEnd sweep_so_far(const std::string& journal, const std::string& output, bool overwrite) {
  return with_public_errors([&] {
    const Turn turn;
    const SweepHeader header = scan_sweep_journal(journal).header;
    const gwrm::Case base = reader_of(problem_modules(), header)({});
    const SweepTotals totals = write_sweep(output, journal, provenance_of(base, base.backend, ""), overwrite);
    SweepEnd end = end_of(base, header, totals, output);
    end.journal = journal;
    return end;
  });
}

}  // namespace gwrm::api
