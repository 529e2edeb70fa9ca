#include "output/report.hpp"

#include <algorithm>
#include <utility>

namespace gwrm {

bool Verification::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passed(); });
}

const char* Verification::verdict() const {
  if (!passed()) return "FAIL";
  return estimate.status == ErrorEstimate::Status::missing ? "NOT ESTIMATED" : "PASS";
}

void add_estimate(Verification& verification, ErrorEstimate estimate, double tolerance) {
  std::vector<Check> made;
  for (const FieldError& error : estimate.fields)
    made.push_back({"estimate", error.field, error.total(), tolerance, true, kEstimateMargin});
  verification.checks.insert(verification.checks.begin(), made.begin(), made.end());
  verification.estimate = std::move(estimate);
}

}  // namespace gwrm
