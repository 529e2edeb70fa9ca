// eval, export, rerun and diff on damaged result files: no crash, no hang, an exit status of the documented ones.
#include "cli/process_settings.hpp"
#include "core/log.hpp"
#include "hard_input/edit_result.hpp"
#include "hard_input/read_results.hpp"
#include "hard_input/trials.hpp"

namespace {

using namespace gwrm;
using namespace gwrm::hard_input;

constexpr const char* kUsage =
    "usage: damaged_results INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER]";

enum class Damage { noticed, unnoticed, edited };  // bytes under the checksum; without it; sound HDF5 of other content

Damage damage(const std::string& path, const Original& original, Trial& trial) {
  const Below below = [&](std::size_t n) { return trial.below(n); };
  const std::size_t kind = trial.below(10);
  if (kind < 2) {
    const std::string whole = original.bytes, body = without_trailer(whole), wrong = damaged_bytes(body, below);
    put_bytes(path, wrong + whole.substr(body.size()));
    return wrong == body ? Damage::unnoticed : Damage::noticed;
  }
  if (kind < 6) {
    put_bytes(path, damaged_bytes(without_trailer(original.bytes), below));
    return Damage::unnoticed;
  }
  put_bytes(path, original.bytes);
  edit_result(path, below);
  return Damage::edited;
}

// The files have some ten to a hundred thousand bytes, and a packed byte stands for no more than 1032.
constexpr std::size_t kMostMemory = std::size_t{400} << 20;

// Damage under the checksum is always 8.
bool is_expected(int status, Damage damage, bool is_diff) {
  return damage == Damage::noticed ? status == 8 : is_documented(status, is_diff);
}

}  // namespace

int main(int argc, char** argv) {
  apply_process_settings();
  TrialOptions options = parse_trial_options(argc, argv, kUsage);
  configure_log(Verbosity::quiet);
  const std::vector<Original> all = make_originals(options.inputs);

  return run_trials(options, [&](Trial& trial) {
    const Original& original = all[trial.number % all.size()];
    const std::string path = trial.folder + "/damaged.h5", sound = trial.folder + "/sound.h5";
    put_bytes(sound, original.bytes);
    const Damage kind = damage(path, original, trial);
    const std::size_t command = trial.below(kCommands);
    set_memory_mark_back();
    const bool is_diff = compares(command);
    TrialResult result{read_by(command, path, sound, original, trial.folder), ""};
    if (!is_expected(result.status, kind, is_diff))
      result.complaint = "exit status " + std::to_string(result.status) + " of command " + std::to_string(command);
    else if (result.status != 0 && !is_diff && said_so_far().find("error: ") == std::string::npos)
      result.complaint = "no message with exit status " + std::to_string(result.status);
    else if (const std::size_t memory = most_memory(); memory > kMostMemory)
      result.complaint = "took " + std::to_string(memory >> 20) + " MB with command " + std::to_string(command);
    return result;
  });
}
