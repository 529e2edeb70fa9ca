// The value of an expression of numbers, pi, constants and functions.
#pragma once

#include <optional>

#include "expression/expression.hpp"

namespace gwrm::expression {

// Nothing if the expression holds a coordinate, an unknown, a derivative, restriction or integral. May be NaN or
// infinite.
std::optional<double> constant_value(const Symbols& symbols, Expr e);

}  // namespace gwrm::expression
