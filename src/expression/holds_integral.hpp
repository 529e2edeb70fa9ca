// Integrals that an expression holds.
#pragma once

#include "expression/expression.hpp"

namespace gwrm::expression {

// True where integral(...) stands anywhere in e. Cost: linear in the number of its nodes.
bool holds_integral(Expr e);

}  // namespace gwrm::expression
