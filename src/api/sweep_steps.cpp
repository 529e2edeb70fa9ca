#include "api/sweep_steps.hpp"

#include <system_error>
#include <vector>

#include "case/quantities_section.hpp"
#include "core/context.hpp"
#include "core/errors.hpp"
#include "problems/convergence/manufactured.hpp"

namespace gwrm {

namespace fs = std::filesystem;

ReadPoint reader_of(const ProblemModules& modules, const SweepHeader& header) {
  std::vector<Override> sets;
  for (const std::string& set : header.sets) sets.push_back(parse_override(set));
  return [&modules, text = header.case_text, name = header.case_name, sets,
          made = header.manufactured](const std::vector<Override>& changes) {
    std::vector<Override> all = sets;
    all.insert(all.end(), changes.begin(), changes.end());
    const Case the_case = read_case_text(modules.format(), text, name, all);
    return made ? manufactured(modules, the_case) : the_case;
  };
}

std::string sweep_journal_path(const std::string& path) {
  return fs::path(path).replace_extension(".journal").string();
}

fs::path runs_folder(const std::string& path) {
  const fs::path result(path);
  return result.parent_path() / (result.stem().string() + "_runs");
}

void prepare_runs_folder(const fs::path& folder, bool may_have_files) {
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && (may_have_files || fs::is_empty(folder, error))))
    throw OutputError(folder.string() +
                      ": the files of an earlier sweep are there; replace them with --overwrite, or "
                      "give another name with -o");
  fs::create_directories(folder, error);
  if (error) throw OutputError(folder.string() + ": cannot be made: " + error.message());
}

SweepProvenance provenance_of(const Case& base, BackendChoice backend, const std::string& command) {
  std::string why;
  const std::string device = backend == BackendChoice::cpu ? "" : find_device(why);
  return {base.title, command, device.empty() ? "cpu" : device, base.resolved_text, quantities_of(base)};
}

}  // namespace gwrm
