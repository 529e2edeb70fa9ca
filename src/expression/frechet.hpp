// The Frechet derivative of an expression in the unknowns, by one walk over its tree.
//
// F'(u)[v] = lim (F(u + s v) - F(u)) / s, where v is written as the direction delta(u) of each unknown. The result is
// linear in the directions: facts.direction_degree is 1 (0 if the result is zero).
#pragma once

#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// Works on raw and lowered expressions alike: derivatives, restrictions and integrals are linear and commute with it.
// The type tags it: only functions that want something linear in the directions take one.
struct LinearExpr {
  Expr expr = nullptr;
};
LinearExpr frechet(Pool& pool, Expr e);

// The Frechet derivative of a lowered expression collected by leaf: F'(u)[v] = sum_i coefficient_i * leaf_i, where a
// leaf is an atom of a direction, or an integral that holds directions (its own inside is collected separately).
// Coefficients hold no direction. Leaves are distinct, in order of first appearance; none for zero.
struct LinearTerm {
  Expr coefficient = nullptr;
  Expr leaf = nullptr;
};
std::vector<LinearTerm> collect(Pool& pool, LinearExpr linear);

}  // namespace gwrm::expression
