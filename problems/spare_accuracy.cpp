#include "problems/spare_accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm {

double spare_accuracy(const Case& the_case, const Verification& verification) {
  const bool is_made = verification.estimate.status == ErrorEstimate::Status::made;
  if (!is_made || !the_case.verification.tolerance_given || !verification.passed()) return 0.0;
  const double tolerance = the_case.verification.tolerance;
  double worst = 0.0;
  for (const Check& check : verification.checks)
    if (check.judged && check.tolerance == tolerance && check.kind != "data")
      worst = std::max(worst, check.margin * check.value);
  return worst > 0.0 && kTooAccurate * worst <= tolerance ? tolerance / worst : 0.0;
}

Index enough_intervals(Index intervals, double spare, int order, Index least) {
  constexpr double kShare = 0.5;
  const double coarser = std::min(8.0, std::pow(kShare * spare, 1.0 / order));
  Index enough = std::max(least, static_cast<Index>(std::ceil(static_cast<double>(intervals) / coarser)));
  if (intervals % 2 == 0) enough += enough % 2;
  return std::min(enough, intervals);
}

}  // namespace gwrm
