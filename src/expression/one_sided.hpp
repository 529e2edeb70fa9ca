// Values on one side of a point, u(x=0.5-) and u(x=0.5+): what a restriction means there.
//
// The place is the double next to the point, so that everything that evaluates at points knows the side by the
// subdomain that holds it. What switches at the point (step, sign, abs, min, max) has the value that it has farther
// away on that side, kBesideKink of the axis: rounding in its argument does not decide.
#pragma once

#include <cmath>
#include <limits>

#include "expression/expression.hpp"

namespace gwrm::expression {

// The place next to z, below it (side -1) or above it (side 1).
inline double point_beside(double z, int side) {
  if (z == 0.0) return side * std::numeric_limits<double>::min();
  return std::nextafter(z, side * std::numeric_limits<double>::infinity());
}

inline constexpr double kBesideKink = 1e-9;

// What the lowered call is on one side of a point of the axis: a number for step and sign, an argument or its negative
// for abs, min and max. Null for other functions, and where an unknown or another axis decides.
Expr switched_beside(Pool& pool, Expr call, std::size_t axis, double point, int side);

}  // namespace gwrm::expression
