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

// Adds what the fields differ by at all common points of dimension d and those behind it; offsets: of the points
// before.
void add_differences(const std::vector<std::vector<std::pair<std::size_t, std::size_t>>>& pairs, const Array& a,
                     const Array& b, std::size_t d, std::size_t at_a, std::size_t at_b, DifferenceSums& sums) {
  if (d == pairs.size()) {
    sums.add(a.data[at_a], b.data[at_b], 1.0);
    return;
  }
  for (const auto& [ia, ib] : pairs[d])
    add_differences(pairs, a, b, d + 1, at_a * static_cast<std::size_t>(a.shape[d]) + ia,
                    at_b * static_cast<std::size_t>(b.shape[d]) + ib, sums);
}

FieldDifference grid_difference(const Case& the_case, const RunOutcome& run, const RunOutcome& finest,
                                const SampledField& a, const SampledField& b) {
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairs;
  for (int axis : b.axes) {
    pairs.push_back(common_points(run.grid[axis], finest.grid[axis]));
    if (pairs.back().size() < std::min(kMinCommon, run.grid[axis].size()))
      throw CaseError(the_case.path +
                      ": error: the grids of this study have too few points in common: let the numbers of "
                      "intervals divide each other, as 16, 32, 64, or give `exact`");
  }
  DifferenceSums sums;
  add_differences(pairs, a.values, b.values, 0, 0, 0, sums);
  return sums.result(b.name);
}

// Of the unknowns among the sampled fields.
std::vector<FieldDifference> grid_differences(const Case& the_case, const RunOutcome& run, const RunOutcome& finest) {
  std::vector<FieldDifference> differences;
  for (const UnknownCase& unknown : the_case.unknowns) {
    const auto of = [&](const RunOutcome& outcome) {
      return std::find_if(outcome.fields.begin(), outcome.fields.end(),
                          [&](const SampledField& field) { return field.name == unknown.name; });
    };
    if (of(run) != run.fields.end() && of(finest) != finest.fields.end())
      differences.push_back(grid_difference(the_case, run, finest, *of(run), *of(finest)));
  }
  return differences;
}

}  // namespace

std::vector<FieldDifference> self_differences(const Case& the_case, const RunOutcome& run, const RunOutcome& finest) {
  if (finest.solution.fields.empty()) return grid_differences(the_case, run, finest);
  std::vector<LeftOut> left_out = run.report.verification.left_out;
  const std::vector<LeftOut>& others = finest.report.verification.left_out;
  left_out.insert(left_out.end(), others.begin(), others.end());
  return solution_differences(run.solution, finest.solution, left_out);
}

}  // namespace gwrm
