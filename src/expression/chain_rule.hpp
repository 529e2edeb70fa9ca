// Differentiation of arithmetic and functions, for any derivation: d/dx of lowering and the Frechet derivative alike.
#pragma once

#include <functional>

#include "expression/expression.hpp"

namespace gwrm::expression {

// The derivative of negate, add, subtract, multiply, divide, power and call, where derive(arg) is that of an argument.
Expr chain_rule(Pool& pool, Expr e, const std::function<Expr(Expr)>& derive);

// integral(e, axis), or e times the length of the axis where e does not vary along it.
Expr integrated(Pool& pool, Expr e, const std::string& axis);

}  // namespace gwrm::expression
