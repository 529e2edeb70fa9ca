#include "problems/manufactured_data.hpp"

#include <fmt/format.h>

#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm {

using expression::Expr;

const SourceText& only_exact(const Case& the_case) {
  if (the_case.exact.empty())
    throw_case_error(
        the_case.unknowns.front().where, 0,
        fmt::format("a manufactured solution needs `exact`: add exact: {{{}: ...}}", the_case.unknowns.front().name));
  return the_case.exact.front().text;
}

Expr parsed_exact(expression::Pool& pool, const SourceText& text) {
  const Expr exact = expression::parse(pool, text);
  if (exact->facts.degree != 0)
    throw_case_error(text, 0, "a manufactured solution is an expression of the dimensions and constants: no unknown");
  return exact;
}

SourceText derived_text(const std::string& text, const std::string& what) {
  if (text.size() > expression::kMaxTextLength)
    throw CaseError(fmt::format("{}: error: its text has {} characters, {} are the most: choose a simpler `exact`",
                                what, text.size(), expression::kMaxTextLength));
  return SourceText::from_argument(text, what);
}

SourceText derived_text(Expr e, const std::string& what) {
  return derived_text(expression::print(e), what);
}

SourceText balanced(const SourceText& equation, Expr exact_left_minus_right, const std::string& what) {
  if (expression::is_zero(exact_left_minus_right)) return equation;
  SourceText text = derived_text(equation.text + " + (" + expression::print(exact_left_minus_right) + ")", what);
  text.component = equation.component;
  text.whole = equation.whole;
  return text;
}

}  // namespace gwrm
