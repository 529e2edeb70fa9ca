// The commands of sbp_sat_bench: arguments as those of main() from the command's name on, exit status.
#pragma once

namespace gwrm::bench {

int sbp_sat_solvers(int argc, char** argv);
int sbp_sat_setup(int argc, char** argv);
int sbp_sat_general(int argc, char** argv);
int sbp_sat_parts(int argc, char** argv);

}  // namespace gwrm::bench
