// Integrals and jumps that an expression holds.
#pragma once

#include "expression/expression.hpp"

namespace gwrm::expression {

// True where integral(...) stands anywhere in e. Cost: linear in the number of its nodes.
bool holds_integral(Expr e);

// True where step(...) or sign(...) stands anywhere in e, at the same cost.
bool holds_jump(Expr e);

}  // namespace gwrm::expression
