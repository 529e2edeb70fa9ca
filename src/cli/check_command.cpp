// gwrm check: everything that is known of a case before it runs.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "problems/problem.hpp"

namespace gwrm::cli {

ExitStatus check_command(const Options& options) {
  const Case problem_case = load_case(options);
  const auto problem = make_problem(problem_case);
  const Summary summary = problem->summary();
  if (options.json) {
    nlohmann::ordered_json object = {{"exit_status", 0}, {"title", problem_case.title}};
    for (const auto& [name, value] : summary.lines) object["system"][name] = value;
    object["n_unknowns"] = summary.n_unknowns;
    object["memory_bytes"] = summary.memory_bytes;
    object["linear_solver"] = summary.linear_solver;
    object["warnings"] = summary.warnings;
    std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return ExitStatus::converged;
  }
  std::size_t longest = 0;
  for (const auto& [name, value] : summary.lines) longest = std::max(longest, name.size());
  if (!problem_case.title.empty()) std::cout << problem_case.title << "\n";
  for (const auto& [name, value] : summary.lines) std::cout << fmt::format("  {:<{}}  {}\n", name, longest, value);
  for (const std::string& warning : summary.warnings) spdlog::warn("{}", warning);
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
