// eval, export, rerun and diff on damaged result files: no crash, no hang, an exit status of the documented ones.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/options.hpp"
#include "cli/process_settings.hpp"
#include "hard_input/edit_result.hpp"
#include "hard_input/trials.hpp"

namespace {

using namespace gwrm;
using namespace gwrm::hard_input;

constexpr const char* kUsage =
    "usage: damaged_results INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER]";

struct Original {
  std::string case_name;
  std::vector<std::string> sets;  // small, so that many trials take little time
  std::string expression, at;     // for eval
  std::string bytes;
};

std::vector<Original> originals() {
  return {
      {"burgers",
       {"resolution.degree={t: 6, x: 8}", "resolution.domains={t: 3}", "output.grid={t: 3, x: 5}"},
       "dx(u)^2",
       "t=0.5,x=0:1:3",
       ""},
      {"burgers",
       {"resolution.degree={t: 4, x: 6}", "resolution.domains={t: 2, x: 3}", "output.grid={t: 3, x: 5}"},
       "integral(u, x)",
       "t=0.25",
       ""},
      {"burgers_viscosity",
       {"resolution.degree={t: 4, x: 8, nu: 3}", "output.grid={t: 3, x: 5, nu: 3}"},
       "u",
       "t=1,x=0.5,nu=0.05",
       ""},
      {"burgers_2d",
       {"resolution.degree={t: 3, x: 5, y: 5}", "output.grid={t: 2, x: 4, y: 3}"},
       "u*v",
       "t=0.1,x=0.5,y=0.25",
       ""},
      {"lane_emden", {}, "1", "", ""},
      {"bratu_branch", {"resolution.degree.x=8"}, "u", "s=0.1,x=0.5", ""},
      {"sbp_annulus", {"sbp_sat.intervals=12"}, "u", "", ""},
      {"bvp_reaction", {"recurrence.intervals=512"}, "u", "x=0.5", ""},
  };
}

void make(Original& original, const std::string& inputs, const std::string& folder) {
  cli::Options run;
  run.case_path = inputs + "/" + original.case_name + ".yaml";
  run.sets = original.sets;
  run.output = folder + "/original.h5";
  run.overwrite = true;
  run.threads = 1;
  run.verbosity = Verbosity::quiet;
  const int status = in_child([&] {
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      return 1;
    return cli::carry_out(cli::run_command, run);
  });
  if (status != 0 && status != 6) {  // 6: coarser than the case's own verification wants
    std::fprintf(stderr, "%s: exit status %d\n", run.case_path.c_str(), status);
    std::exit(2);
  }
  original.bytes = bytes_of(run.output);
}

// Bytes overwritten, blocks of zeros and ones, pieces lost or inserted, the end cut off; `bytes` is not empty.
std::string damaged(std::string bytes, Trial& trial) {
  const std::size_t place = trial.below(bytes.size()),
                    length = std::min(bytes.size() - place, 1 + trial.below(std::size_t{1} << trial.below(10)));
  switch (trial.below(8)) {
    case 0:
      return bytes.replace(place, length, length, trial.below(2) == 0 ? '\0' : '\xff');
    case 1:
      return bytes.erase(place, length);
    case 2:
      return bytes.insert(place, bytes.substr(trial.below(bytes.size()), length));
    case 3:
      bytes.resize(place);
      return bytes;
    case 4:  // the headers stand in front: all of the damage there
      for (std::size_t n = 1 + trial.below(8); n > 0; --n)
        bytes[trial.below(std::min<std::size_t>(bytes.size(), 2048))] = static_cast<char>(trial.below(256));
      return bytes;
    default:
      for (std::size_t n = std::size_t{1} << trial.below(6); n > 0; --n)
        bytes[trial.below(bytes.size())] = static_cast<char>(trial.below(256));
      return bytes;
  }
}

enum class Damage { noticed, unnoticed, edited };  // bytes under the checksum; without it; sound HDF5 of other content

Damage damage(const std::string& path, const Original& original, Trial& trial) {
  const std::size_t kind = trial.below(10);
  if (kind < 2) {
    const std::string whole = original.bytes, body = without_trailer(whole), wrong = damaged(body, trial);
    put_bytes(path, wrong + whole.substr(body.size()));
    return wrong == body ? Damage::unnoticed : Damage::noticed;
  }
  if (kind < 6) {
    put_bytes(path, damaged(without_trailer(original.bytes), trial));
    return Damage::unnoticed;
  }
  put_bytes(path, original.bytes);
  edit_result(path, [&](std::size_t n) { return trial.below(n); });
  return Damage::edited;
}

int read_by(std::size_t command, const std::string& path, const std::string& sound, const Original& original,
            const std::string& folder) {
  cli::Options options;
  options.file = path;
  options.threads = 1;
  options.overwrite = true;
  options.json = command % 2 == 1;
  switch (command) {
    case 0:
    case 1:
      options.expressions = {original.expression};
      options.at = original.at;
      return cli::carry_out(cli::eval_command, options);
    case 2:
    case 3:
    case 4:
      options.format = command == 2 ? "csv" : command == 3 ? "vtk" : "xdmf";
      options.output = folder + "/exported";
      return cli::carry_out(cli::export_command, options);
    case 5:  // into a folder that is not there: everything before the run itself
      options.output = folder + "/nowhere/rerun.h5";
      return cli::carry_out(cli::rerun_command, options);
    case 6:
      options.second_file = sound;
      return cli::carry_out(cli::diff_command, options);
    default:
      options.second_file = path;
      options.file = sound;
      return cli::carry_out(cli::diff_command, options);
  }
}

// 2: the case in the file, or an expression that it does not have; 6: diff found differences; 7: more memory than there
// is; 8: the file. Damage under the checksum is always 8.
bool is_documented(int status, Damage damage, bool is_diff) {
  if (damage == Damage::noticed) return status == 8;
  return status == 0 || status == 2 || (status == 6 && is_diff) || status == 7 || status == 8;
}

}  // namespace

int main(int argc, char** argv) {
  apply_process_settings();
  TrialOptions options = parse_trial_options(argc, argv, kUsage);
  configure_log(Verbosity::quiet);
  std::string folder = (std::filesystem::temp_directory_path() / "gwrm_damaged_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 2;
  std::vector<Original> all = originals();
  for (Original& original : all) make(original, options.inputs, folder);
  std::filesystem::remove_all(folder);

  return run_trials(options, [&](Trial& trial) {
    const Original& original = all[trial.number % all.size()];
    const std::string path = trial.folder + "/damaged.h5", sound = trial.folder + "/sound.h5";
    put_bytes(sound, original.bytes);
    const Damage kind = damage(path, original, trial);
    const std::size_t command = trial.below(8);
    const bool is_diff = command >= 6;
    TrialResult result{read_by(command, path, sound, original, trial.folder), ""};
    if (!is_documented(result.status, kind, is_diff))
      result.complaint = "exit status " + std::to_string(result.status) + " of command " + std::to_string(command);
    else if (result.status != 0 && !is_diff && said_so_far().find("error: ") == std::string::npos)
      result.complaint = "no message with exit status " + std::to_string(result.status);
    return result;
  });
}
