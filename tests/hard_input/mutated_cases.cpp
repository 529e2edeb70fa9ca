// `gwrm check` on damaged copies of the case files of a folder: no crash, no hang, an exit status of the documented
// ones, and a message with every refusal.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "cli/options.hpp"
#include "cli/process_settings.hpp"
#include "hard_input/edit_result.hpp"
#include "hard_input/mutate_text.hpp"
#include "hard_input/trials.hpp"

namespace {

using namespace gwrm;
using namespace gwrm::hard_input;

constexpr const char* kUsage =
    "usage: mutated_cases INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER] "
    "[--program GWRM]";

constexpr std::uint64_t kEvery = 1000;  // of the trials go through the real program as well

std::vector<std::string> cases_in(const std::string& folder) {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") paths.insert(entry.path().string());
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(bytes_of(path));
  return texts;
}

// 2: the case, 5: data that are not finite, 7: more memory than there is, 8: a data file that the case names. 0 where
// the damage did no harm.
bool is_documented(int status) {
  return status == 0 || status == 2 || status == 5 || status == 7 || status == 8;
}

// The exit status of the real program on the same file.
int status_of_program(const std::string& program, const std::string& path) {
  const std::string command = "'" + program + "' check '" + path + "' > /dev/null 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main(int argc, char** argv) {
  apply_process_settings();
  const TrialOptions options = parse_trial_options(argc, argv, kUsage);
  const std::vector<std::string> cases = cases_in(options.inputs);
  if (cases.empty()) {
    std::fprintf(stderr, "no case files in %s\n", options.inputs.c_str());
    return 2;
  }
  configure_log(Verbosity::quiet);
  return run_trials(options, [&](Trial& trial) {
    cli::Options check;
    check.case_path = trial.folder + "/case.yaml";
    const auto below = [&](std::size_t n) { return trial.below(n); };
    put_bytes(check.case_path, mutated_text(cases[trial.number % cases.size()], cases, below));
    const std::size_t how = trial.below(12);
    check.json = how == 0;
    check.latex = how == 1;
    check.manufactured = how == 2;
    TrialResult result{cli::carry_out(cli::check_command, check), ""};
    if (!is_documented(result.status))
      result.complaint = "exit status " + std::to_string(result.status);
    else if (result.status != 0 && said_so_far().find("error: ") == std::string::npos)
      result.complaint = "no message with exit status " + std::to_string(result.status);
    else if (!options.program.empty() && trial.number % kEvery == 0 && how > 2)
      if (const int status = status_of_program(options.program, check.case_path); status != result.status)
        result.complaint = "exit status " + std::to_string(result.status) + " here, " + std::to_string(status) +
                           " from " + options.program;
    return result;
  });
}
