#include "problems/given_solution.hpp"

#include <fmt/format.h>

namespace gwrm {
namespace {

constexpr double kSolved = 1e-8;  // |A x - b|/|b| that solvers are asked for at the least

}  // namespace

std::string unsolved_reason(const GivenSolution& solution, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    if (check.kind == "system" && !(check.value <= kSolved))
      return fmt::format(
          "{} does not solve the system of this case: it leaves |A x - b|/|b| = {:.1e}. Ask its solver for a smaller "
          "residual (1e-12), and export and run the case with the same --set",
          solution.file, check.value);
  return {};
}

}  // namespace gwrm
