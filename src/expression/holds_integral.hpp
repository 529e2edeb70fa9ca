// Integrals, jumps and data that an expression holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// True where integral(...) stands anywhere in e. Cost: linear in the number of its nodes.
bool holds_integral(Expr e);
// An integral over this axis.
bool holds_integral(Expr e, const std::string& axis);

// Values of data (Op::data) in these expressions, each once, in order of first appearance.
std::vector<Expr> data_in(std::span<const Expr> es);

// True where step(...) or sign(...) stands anywhere in e, at the same cost.
bool holds_jump(Expr e);

}  // namespace gwrm::expression
