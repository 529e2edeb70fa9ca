#include "problems/eigenvalue/refinement_gain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr int kRoundsWithoutGain = 4;  // 2.4 times the degree
// Of the terms of an equation beside what is left of them, for a mode with the condition number 1.
constexpr double kEigenvalueRounding = 1e-13;

double worst_of(const std::vector<JudgedMode>& modes) {
  double worst = 0.0;
  for (const JudgedMode& judged : modes) {
    worst = std::max(worst, relative_error(judged.error, judged.size));
    for (double moved : judged.moved) worst = std::max(worst, moved);
  }
  return worst;
}

// The median of the wanted ones: of the others, which are not resolved, it says nothing.
double condition_of(const std::vector<Mode>& neighbours, int n_wanted) {
  std::vector<double> conditions;
  for (const Mode& mode : neighbours)
    if (conditions.size() < static_cast<std::size_t>(n_wanted)) conditions.push_back(mode.condition);
  if (conditions.empty()) return 0.0;
  const auto middle = conditions.begin() + static_cast<std::ptrdiff_t>(conditions.size() / 2);
  std::nth_element(conditions.begin(), middle, conditions.end());
  return *middle;
}

}  // namespace

std::string RefinementGain::why_over(const std::vector<JudgedMode>& modes, const std::vector<Mode>& neighbours,
                                     int n_wanted) {
  const double worst = worst_of(modes);
  const bool better = modes.size() > n_modes_ || (!modes.empty() && modes.size() == n_modes_ && 2.0 * worst <= worst_);
  if (better) {
    n_modes_ = modes.size();
    worst_ = worst;
  }
  n_rounds_without_ = better || n_modes_ == 0 ? 0 : n_rounds_without_ + 1;
  const double condition = condition_of(neighbours, n_wanted);
  if (n_rounds_without_ < kRoundsWithoutGain || !(condition * kEigenvalueRounding > tolerance_)) return {};
  return fmt::format(
      "finer subdomains do not help: the condition number of the modes, {:.1e}, makes rounding larger than the "
      "tolerance; bring the operator nearer to a self-adjoint one (u = exp(a*x)*v with the right a takes a first "
      "derivative away), or ask for a larger tolerance",
      condition);
}

}  // namespace gwrm
