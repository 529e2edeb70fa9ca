// What problem modules need to make their data from an exact solution (convergence/manufactured.hpp).
#pragma once

#include "case/case.hpp"
#include "expression/expression.hpp"

namespace gwrm {

// The exact solution of a problem with one unknown; CaseError if there is none.
const SourceText& only_exact(const Case& the_case);

// `exact` as a tree; CaseError where it holds an unknown.
expression::Expr parsed_exact(expression::Pool& pool, const SourceText& text);

// Text of an expression for the place `what` of the case. CaseError where it is longer than an expression may be.
SourceText derived_text(expression::Expr e, const std::string& what);
SourceText derived_text(const std::string& text, const std::string& what);

// "left = right" -> "left = right + (L - R)" with L, R the two sides of the same equation for the exact solution:
// `exact_left_minus_right`, which may be zero.
SourceText balanced(const SourceText& equation, expression::Expr exact_left_minus_right, const std::string& what);

}  // namespace gwrm
