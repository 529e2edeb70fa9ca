// Making atoms; lowering.hpp has their definition.
#pragma once

#include "expression/lowering.hpp"

namespace gwrm::expression {

Expr make_atom(Pool& pool, const Atom& atom);

}  // namespace gwrm::expression
