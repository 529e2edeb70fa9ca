// The facts of a node from those of its arguments.
#pragma once

#include "expression/expression.hpp"

namespace gwrm::expression {

// Everything of `node` but its facts and id is set. Throws CaseError for a name the symbols do not know.
Facts compute_facts(const Symbols& symbols, const Node& node);

}  // namespace gwrm::expression
