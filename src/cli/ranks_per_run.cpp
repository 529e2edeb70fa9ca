#include "cli/ranks_per_run.hpp"

#include <fmt/format.h>

#include <string>

#include "core/errors.hpp"
#include "problems/problem.hpp"

namespace gwrm::cli {

void check_ranks_per_run(const Team& team, const Options& options, const std::vector<const Case*>& cases) {
  if (options.ranks_per_run == 0) return;
  const auto refuse = [&](const std::string& why) {
    throw CaseError(fmt::format("--ranks-per-run {}: error: {}", options.ranks_per_run, why));
  };
  if (!team.is_of_launcher())
    refuse("no ranks were started: mpirun -n 16 gwrm .. --ranks-per-run 8 has two groups of eight");
  std::string first;
  for (const Case* one : cases) {
    if (options.backend == "cuda" || (options.backend.empty() && one->backend == BackendChoice::cuda))
      refuse("ranks have a run together on their cores: leave --backend cuda out, or --ranks-per-run");
    const std::string why = options.modules->make(*one)->no_sharing();
    if (why.empty()) return;
    if (first.empty()) first = why;
  }
  refuse("its runs have no work for more than one rank each: " + first +
         "; leave it out, and each rank has runs of its own");
}

}  // namespace gwrm::cli
