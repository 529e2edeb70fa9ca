#include "output/report.hpp"

#include <algorithm>

namespace gwrm {

bool Verification::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.passed(); });
}

}  // namespace gwrm
