// The scale factors and the threshold that both implementations of DenseLu use.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace gwrm {

// A tenth of the round-off unit: not one digit of the solution can be right. Matrices that round-off alone keeps from
// being exactly singular come out below or near it, honest ones of condition 1e16 above.
inline constexpr double kSingularReciprocalCondition = 0.1 * std::numeric_limits<double>::epsilon();

// The power of two that brings `largest` into [1/2, 1); 1 for an empty row or column. The exponent is kept off the ends
// of the range, where the factor itself would overflow.
inline double power_of_two_scale(double largest) {
  if (largest == 0.0) return 1.0;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

}  // namespace gwrm
