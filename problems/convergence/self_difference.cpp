#include "problems/convergence/self_difference.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

constexpr std::size_t kMinCommon = 5;  // points of two grids along a dimension, or all of the coarser one

// Pairs (index in a, index in b) of equal coordinates; both ascend.
std::vector<std::pair<std::size_t, std::size_t>> common_points(const std::vector<double>& a,
                                                               const std::vector<double>& b) {
  const double slack = 1e-9 * std::abs(b.back() - b.front()) / static_cast<double>(std::max<std::size_t>(1, b.size()));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j] < a[i] - slack) ++j;
    if (j < b.size() && std::abs(b[j] - a[i]) <= slack) pairs.emplace_back(i, j);
  }
  return pairs;
}

FieldDifference grid_difference(const Case& the_case, const RunOutcome& run, const RunOutcome& finest) {
  const SampledField &a = run.fields.front(), &b = finest.fields.front();
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairs;
  for (int axis : b.axes) {
    pairs.push_back(common_points(run.grid[axis], finest.grid[axis]));
    if (pairs.back().size() < std::min(kMinCommon, run.grid[axis].size()))
      throw CaseError(the_case.path +
                      ": error: the grids of this study have too few points in common: let the numbers of "
                      "intervals divide each other, as 16, 32, 64, or give `exact`");
  }
  DifferenceSums sums;
  const std::size_t n_fast_a = pairs.size() == 2 ? run.grid[1].size() : 1,
                    n_fast_b = pairs.size() == 2 ? finest.grid[1].size() : 1;
  for (const auto& [ja, jb] : pairs.front()) {
    if (pairs.size() == 1) {
      sums.add(a.values.data[ja], b.values.data[jb], 1.0);
      continue;
    }
    for (const auto& [ia, ib] : pairs.back())
      sums.add(a.values.data[ja * n_fast_a + ia], b.values.data[jb * n_fast_b + ib], 1.0);
  }
  return sums.result(b.name);
}

}  // namespace

std::vector<FieldDifference> self_differences(const Case& the_case, const RunOutcome& run, const RunOutcome& finest) {
  if (finest.solution.fields.empty()) return {grid_difference(the_case, run, finest)};
  return solution_differences(run.solution, finest.solution);
}

}  // namespace gwrm
