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

// For an unknown, a vector or a definition followed by a '(' that opens no restriction: how u(0) and u(x) are written.
// Empty for other names.
std::string restriction_hint(const Symbols& symbols, const std::string& name);

// r, rho, theta, phi: what curvilinear coordinates are called.
bool is_curvilinear_name(const std::string& name);
// "write the operator out, in a cylinder dr(r*dr(u))/r, in a sphere dr(r^2*dr(u))/r^2"
std::string write_out_text(const std::string& axis);

// For words of other languages, what is written here in their place: "the Laplacian is written lap(u)"; empty for
// others. `called`: a '(' follows.
std::string synonym_text(const Symbols& symbols, const std::string& name, bool called);

}  // namespace gwrm::expression
