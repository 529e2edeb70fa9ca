// Points of an axis at which an expression's text is not smooth, whatever the unknowns do: where abs, sign, step, min
// or max switch, by an argument that depends on that axis alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// What changes its sign where a lowered call is not smooth: the argument of abs, sign, step, the difference of those of
// min and max; null for what is smooth.
Expr switch_of(Pool& pool, Expr call);
// Whether it is known without the unknowns, along this axis (a bit as in Facts::axes) and no other.
bool decides_alone(Expr s, std::uint32_t axis);

// Where the lowered expression s, of one coordinate, changes its sign within (lower, upper), ascending: between a
// positive and a negative value, or a value and zero on a whole stretch. Each to the last digit: the first double with
// the other sign. Found by bisection with interval arithmetic, so that none is passed over, however near to its
// neighbour: an interval is left alone where the enclosure of s, or of its derivative and the signs at the ends, shows
// that there is none. Roots without a change of sign are none. No more than the first `most`; where interval arithmetic
// cannot decide within kMaxSignBoxes enclosures, changes are looked for between the points reached.
std::vector<double> sign_changes(const Pool& pool, Expr s, double lower, double upper, std::size_t most);
inline constexpr long kMaxSignBoxes = 400000;

// The kinks and jumps of all `expressions` along the axis, ascending and within it; those that differ by rounding only
// are one. No more than `most` of each argument.
std::vector<double> kinks_along(Pool& pool, std::span<const Expr> expressions, int axis, std::size_t most = 5000);

}  // namespace gwrm::expression
