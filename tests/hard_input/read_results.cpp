#include "hard_input/read_results.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "hard_input/edit_result.hpp"
#include "hard_input/trials.hpp"

namespace gwrm::hard_input {
namespace {

std::vector<Original> originals() {
  const std::vector<std::string> parameter = {"resolution.degree={t: 4, x: 8, nu: 3}",
                                              "output.grid={t: 3, x: 5, nu: 3}"};
  const std::vector<std::string> coarse = {"resolution.degree={t: 4, x: 6}", "output.grid={t: 3, x: 5}"};
  return {
      {"burgers_degrees",
       {"resolution.degree={t: 6, x: 8}", "resolution.domains={t: 3}", "output.grid={t: 3, x: 5}", "output.error=on",
        "verification.estimate=budget", "goals={late: \"u(t=1, x=0.5)\"}"},
       "dx(u)^2",
       "t=0.5,x=0:1:3"},
      {"burgers_degrees",
       {"resolution.degree={t: 4, x: 6}", "resolution.domains={t: 2, x: 3}", "output.grid={t: 3, x: 5}"},
       "integral(u, x)",
       "t=0.25"},
      {"burgers_viscosity", parameter, "u", "t=1,x=0.5,nu=0.05"},
      {"burgers_2d",
       {"resolution.degree={t: 3, x: 5, y: 5}", "output.grid={t: 2, x: 4, y: 3}"},
       "u*v",
       "t=0.1,x=0.5,y=0.25"},
      {"lane_emden", {}, "1", ""},
      {"bratu_branch", {"resolution.degree.x=8"}, "u", "s=0.1,x=0.5"},
      {"sbp_annulus", {"sbp_sat.intervals=12"}, "u", ""},
      {"bvp_reaction", {"recurrence.intervals=512"}, "u", "x=0.5"},
      {"burgers_viscosity", parameter, "u", "", {"constants.a=2,3", "solver.linear=dense,auto"}, cli::sweep_command},
      {"burgers_degrees",
       coarse,
       "u",
       "",
       {"constants.nu=uniform(0.1,0.2)", "constants.a=uniform(2,3)"},
       cli::sweep_command},
      {"burgers_degrees", coarse, "u", "", {"x=6,8,10"}, cli::converge_command},
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
  run.vary = original.vary;
  if (!run.vary.empty() && run.vary.front().find("uniform") != std::string::npos) run.samples = 3;
  const int status = in_child([&] {
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      return 1;
    return cli::carry_out(original.command, run);
  });
  if (status != 0 && status != 6) {  // 6: coarser than the case's own verification, or study, wants
    std::fprintf(stderr, "%s: exit status %d\n", run.case_path.c_str(), status);
    std::exit(2);
  }
  original.bytes = bytes_of(run.output);
}

}  // namespace

std::vector<Original> make_originals(const std::string& inputs) {
  std::string folder = (std::filesystem::temp_directory_path() / "gwrm_originals_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::exit(2);
  std::vector<Original> all = originals();
  for (Original& original : all) make(original, inputs, folder);
  std::filesystem::remove_all(folder);
  return all;
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

bool is_documented(int status, bool is_diff) {
  return status == 0 || status == 2 || (status == 6 && is_diff) || status == 7 || status == 8;
}

}  // namespace gwrm::hard_input
