// Times of the SBP-SAT Poisson solvers, JSON lines; each command's file says what it prints.
//   sbp_sat_bench solvers ...   the paper's problem by every solver
//   sbp_sat_bench general ...   a coefficient that varies, or four blocks
//   sbp_sat_bench parts ...     the parts of one iteration of conjugate gradients
//   sbp_sat_bench setup ...     the eigenproblems of fast diagonalisation
#include <cstdio>
#include <cstring>
#include <utility>

#include "bench/sbp_sat/commands.hpp"

int main(int argc, char** argv) {
  using namespace gwrm::bench;
  constexpr std::pair<const char*, int (*)(int, char**)> commands[] = {
      {"solvers", sbp_sat_solvers}, {"general", sbp_sat_general}, {"parts", sbp_sat_parts}, {"setup", sbp_sat_setup}};
  if (argc > 1)
    for (const auto& [name, run] : commands)
      if (std::strcmp(argv[1], name) == 0) return run(argc - 1, argv + 1);
  std::fprintf(stderr, "usage: sbp_sat_bench solvers | general | parts | setup [arguments of the command]\n");
  return 2;
}
