// The cubic with given values and slopes at both ends, in the basis of time.
#pragma once

#include <array>

namespace gwrm {

// Coefficients in T_0 .. T_3 on [-1, 1] of the cubic from a to b; slopes with respect to [-1, 1].
inline std::array<double, 4> hermite_cubic(double a, double b, double slope_a, double slope_b) {
  const double mean = (a + b) / 2.0, half = (b - a) / 2.0;
  const double c2 = (slope_b - slope_a) / 8.0, c3 = ((slope_a + slope_b) / 2.0 - half) / 8.0;
  return {mean - c2, half - c3, c2, c3};
}

}  // namespace gwrm
