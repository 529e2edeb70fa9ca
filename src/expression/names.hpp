// What to say about names that the parser does not know or that stand in the wrong place.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// "t, x, nu"; "none" for an empty list.
std::string join(const std::vector<std::string>& names);

std::vector<std::string> axis_names(const Symbols& symbols);

// For a name that nothing in `symbols` explains; `called`: a '(' follows it.
std::string unknown_name_message(const Symbols& symbols, const std::string& name, bool called);

// For a field followed by a '(' that opens no restriction: how u(0) and u(x) are written.
std::string restriction_hint(const Symbols& symbols, const Field& field);

}  // namespace gwrm::expression
