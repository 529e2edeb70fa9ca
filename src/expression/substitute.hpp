// Unknowns replaced by expressions: what an equation becomes for given fields.
#pragma once

#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// Replaces field i by replacements[i] (null: kept) everywhere, also under derivatives, restrictions and integrals. The
// result is not lowered: lower() then carries out the derivatives.
Expr substitute(Pool& pool, Expr e, const std::vector<Expr>& replacements);

}  // namespace gwrm::expression
