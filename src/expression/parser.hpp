// Text -> tree, by recursive descent. The grammar, loosest binding first:
//
//   equation   := sum '=' sum
//   sum        := term (('+' | '-') term)*
//   term       := unary (('*' | '/') unary)*
//   unary      := ('-' | '+') unary | power
//   power      := postfix (('^' | '**') unary)?            right-associative; -x^2 is -(x^2)
//   postfix    := primary ('(' point (',' point)* ')')*      restriction: u(x=0), dx(u)(x=1,t=0), u(x=0.5-)
//   point      := axis '=' sum ('-' | '+')?                  the sign: the value on that side of the point
//   primary    := number | name | 'pi' | '(' sum ')' | function '(' sum (',' sum)* ')'
//               | 'd'axis '(' sum (',' integer)? ')' | 'lap' '(' sum ')' | 'integral' '(' sum ',' axis ')'
//
// Names are those of the pool's symbols. A restriction's points are numbers (of constants and pi) inside the dimension;
// the order of a derivative is an integer from 1 to 8. No implicit multiplication; a unary plus is dropped.
//
// Every error is a CaseError with file, line, column and a caret (core/source_text.hpp), says what was expected, and
// lists the nearest known names for an unknown one. The text may be kMaxTextLength long, the tree kMaxDepth deep.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/source_text.hpp"
#include "expression/expression.hpp"

namespace gwrm::expression {

inline constexpr std::size_t kMaxTextLength = 65536;  // characters of one expression

Expr parse(Pool& pool, const SourceText& source);

struct Equation {
  Expr left = nullptr;
  Expr right = nullptr;
};

// '=' exactly once outside restrictions. with_delta: delta(..) may stand in it, for who knows what a derivative of a
// jump means (outer_flux.hpp); else it is a CaseError, as in parse().
Equation parse_equation(Pool& pool, const SourceText& source, bool with_delta = false);

// A number: an expression of numbers, pi and the given constants only (the case file's `x: [0, 2*pi]`). Must be finite.
double evaluate_number(const SourceText& source, const std::vector<Constant>& constants);

// Up to three known names nearest to `name` (edit distance), nearest first; none if all are far.
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known);

}  // namespace gwrm::expression
