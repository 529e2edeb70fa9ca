#include "problems/continuation/branch_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/continuation/branch_case.hpp"
#include "problems/continuation/branch_solution.hpp"
#include "problems/time_spectral/verification.hpp"

namespace gwrm {
namespace {

struct WorstCheck {
  Check check;
  double parameter = 0.0;
};

void keep_worst(std::vector<WorstCheck>& worst, Check check, double parameter) {
  const auto same = std::find_if(worst.begin(), worst.end(), [&](const WorstCheck& other) {
    return other.check.kind == check.kind && other.check.subject == check.subject;
  });
  if (same == worst.end())
    worst.push_back({std::move(check), parameter});
  else if (std::isnan(check.value) || check.value > same->check.value)  // a NaN that is there stays
    *same = {std::move(check), parameter};
}

Verification verify_at(const Case& the_case, const WindowSystem& system, std::span<const double> x, bool with_values) {
  Case steady = case_at(the_case, x.back());
  if (!with_values) steady.verification.values.clear();
  return verify(steady, build_model(steady), steady_solution(system, x));
}

}  // namespace

Verification verify_branch(const Case& the_case, const WindowSystem& system, const std::vector<BranchPoint>& points) {
  std::vector<WorstCheck> worst, inside;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_last = i + 1 == points.size();
    for (Check& check : verify_at(the_case, system, points[i].x, is_last).checks)
      keep_worst(worst, std::move(check), points[i].x.back());
    if (is_last) continue;
    const std::vector<double> middle = between(points[i], points[i + 1], points[i + 1].s - points[i].s, 0.5);
    for (Check& check : verify_at(the_case, system, middle, false).checks)
      if (check.kind == "residual") {
        check.subject = "between the points, " + check.subject;
        check.judged = false;
        keep_worst(inside, std::move(check), middle.back());
      }
  }
  worst.insert(worst.end(), inside.begin(), inside.end());
  Verification verification;
  for (WorstCheck& entry : worst) {
    if (entry.check.kind != "value")
      entry.check.subject += fmt::format(" ({} = {:.6g})", the_case.continuation.parameter, entry.parameter);
    verification.checks.push_back(std::move(entry.check));
  }
  return verification;
}

}  // namespace gwrm
