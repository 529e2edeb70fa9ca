// Tree -> text. The canonical form: minimal parentheses, single spaces around + and -, none around * / ^, numbers with
// the shortest digits that read back the same. parse(print(e)) == e for every tree that the parser can make; a negative
// number, which only simplification makes, prints as -2 and reads back as the negation of 2.
//
// Shared subtrees are written out each time, so that the text of a derived expression can be far longer than its tree:
// after kMaxPrintLength characters it breaks off with " ...".
#pragma once

#include <cstddef>
#include <string>

#include "expression/expression.hpp"

namespace gwrm::expression {

inline constexpr std::size_t kMaxPrintLength = 1 << 20;

std::string print(Expr e);  // a direction prints as delta(u)
std::string latex_name(const std::string& name);
std::string latex(Expr e);  // for `gwrm check`: \partial_t u, \nu\,\partial_x^{2} u

}  // namespace gwrm::expression
