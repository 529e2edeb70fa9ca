// How far a restriction's point may lie from the end of its dimension by rounding alone (2*pi written with ten digits
// is not rounding): the parser accepts points this far outside, lowering moves them to the end.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/axis.hpp"

namespace gwrm::expression {

inline double point_slack(const Axis& axis) {
  constexpr double relative = 1e-12;
  return relative * std::max({std::abs(axis.lower), std::abs(axis.upper), axis.upper - axis.lower});
}

}  // namespace gwrm::expression
