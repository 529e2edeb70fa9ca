#include "kernels/sbp_sat/short_rows.cuh"

#include <cstdlib>

namespace gwrm::cuda {

namespace {

// Entry k, counted inwards, of row `row` from an end.
double entry_from(const StencilRows& rows, End end, int row, int k) {
  const auto inwards = [&](int place) { return end == End::lower ? Index{place} : rows.n - 1 - place; };
  Index first = 0;
  const auto entries = rows.row(inwards(row), first);
  const Index at = inwards(k) - first;
  return at >= 0 && at < static_cast<Index>(entries.size()) ? entries[static_cast<std::size_t>(at)] : 0.0;
}

}  // namespace

bool are_short(const StencilRows& rows) {
  if (rows.half != 1 || rows.n < 2 * kEndEntries || rows.n_closure > kEndRows || rows.closure_width > kEndEntries ||
      rows.interior[0] != rows.interior[2])
    return false;
  for (const End end : {End::lower, End::upper})
    for (int row = 0; row < kEndRows; ++row)
      for (int k = 0; k < kEndEntries; ++k)
        if (std::abs(k - row) > kReach && entry_from(rows, end, row, k) != 0.0) return false;
  return true;
}

ShortRows short_rows(const StencilRows& rows, const std::vector<double>& weights) {
  ShortRows result{};
  result.n = static_cast<int>(rows.n);
  result.side = rows.interior[0];
  result.centre = rows.interior[1];
  result.weight = weights[weights.size() / 2];
  for (int row = 0; row < kEndRows; ++row) {
    for (int k = 0; k < kEndEntries; ++k) {
      result.lower[row].entries[k] = entry_from(rows, End::lower, row, k);
      result.upper[row].entries[k] = entry_from(rows, End::upper, row, k);
    }
    const auto at = static_cast<std::size_t>(row);
    result.lower[row].relative_weight = weights[at] / result.weight;
    result.upper[row].relative_weight = weights[weights.size() - 1 - at] / result.weight;
    for (EndRow* end : {&result.lower[row], &result.upper[row]}) end->diagonal = end->entries[row];
  }
  return result;
}

}  // namespace gwrm::cuda
