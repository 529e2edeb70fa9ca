#include "expression/parser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "expression/constant_value.hpp"
#include "expression/names.hpp"
#include "expression/number_text.hpp"
#include "expression/parsing.hpp"
#include "expression/point_slack.hpp"

namespace gwrm::expression {
namespace {

bool starts_operand(TokenKind kind) {
  return kind == TokenKind::number || kind == TokenKind::name || kind == TokenKind::open ||
         kind == TokenKind::open_list;
}

constexpr const char* kRealCure =
    "write re(..), im(..), abs(..) or arg(..) of it; an unknown is complex as {name: psi, complex: true}";

// Of several numbers in one expression the user has written one.
Expr only_number(const SourceText& source, const Value& value) {
  if (value.is_number() && value.is_real()) return value.number().re;
  if (value.is_number())
    throw_case_error(source, 0, "a real number is expected here, and this is " + describe(value) + ": " + kRealCure);
  throw_case_error(
      source, 0,
      "a number is expected here, and this is " + describe(value) + ": write a component, as u_x, dot(a, b) or div(a)");
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the text";
  return "'" + token.text + "'";
}

Value Parsing::expression() {
  if (peek().kind == TokenKind::end) fail(0, "the expression is empty");
  Value value = sum();
  if (peek().kind == TokenKind::equals) fail(peek(), "unexpected '=': expected an expression, not an equation");
  expect_end();
  return value;
}

std::pair<Value, Value> Parsing::equation() {
  if (peek().kind == TokenKind::end) fail(0, "the equation is empty");
  Value left = sum();
  const Token& sign = peek();
  expect(TokenKind::equals, "'=' (an equation is written left = right)");
  Value right = sum();
  if (peek().kind == TokenKind::equals) fail(peek(), "a second '='; expected exactly one in an equation");
  expect_end();
  try {
    algebra_.match_sides(left, right);
  } catch (const OperandError& error) {
    fail(sign, error.message);
  }
  return {std::move(left), std::move(right)};
}

Value Parsing::sum() {
  Value value = term();
  while ((peek().kind == TokenKind::plus || peek().kind == TokenKind::minus) && !ends_beside()) {
    const Token& sign = take();
    const Value right = term();
    value =
        made(sign, [&] { return algebra_.sum(value, right, sign.kind == TokenKind::plus ? Op::add : Op::subtract); });
  }
  return value;
}

Value Parsing::term() {
  Value value = unary();
  while (peek().kind == TokenKind::times || peek().kind == TokenKind::divide) {
    const Token& sign = take();
    const Value right = unary();
    value = made(sign, [&] {
      return sign.kind == TokenKind::times ? algebra_.product(value, right) : algebra_.quotient(value, right);
    });
  }
  return value;
}

// Every recursion of the grammar passes here, so that this is the place to bound it.
Value Parsing::unary() {
  if (++nesting_ > kMaxDepth) fail_too_deep(peek());
  Value value = signed_power();
  --nesting_;
  return value;
}

Value Parsing::signed_power() {
  if (peek().kind == TokenKind::minus) {
    const Token& sign = take();
    const Value value = unary();
    return checked(sign, algebra_.each(value, [this](Expr part) { return pool_.unary(Op::negate, part); }));
  }
  if (peek().kind == TokenKind::plus) {
    take();
    return unary();
  }
  return power();
}

Value Parsing::power() {
  const Value base = postfix();
  if (peek().kind != TokenKind::power) return base;
  const Token& sign = take();
  const Value exponent = unary();
  return made(sign, [&] { return algebra_.power(base, exponent); });
}

Value Parsing::postfix() {
  const Token& first = peek();
  Value value = primary();
  while (peek().kind == TokenKind::open) {
    if (!opens_restriction()) fail_call(first);
    const Token& open = take();
    value = checked(open, restriction(value));
  }
  return value;
}

Value Parsing::primary() {
  const Token& token = take();
  if (token.kind == TokenKind::number) return number_value(pool_.number(token.value));
  if (token.kind == TokenKind::name) return peek().kind == TokenKind::open ? called_name(token) : plain_name(token);
  if (token.kind == TokenKind::open_list) return vector_literal();
  if (token.kind == TokenKind::open) {
    Value value = sum();
    expect(TokenKind::close, "')'");
    value.is_sum = false;  // as written: a + (b + c)
    return value;
  }
  fail(token, "expected a number, a name or '(', found " + describe(token));
}

// [a, b] behind the bracket.
Value Parsing::vector_literal() {
  constexpr std::size_t kMostComponents = 3;
  std::vector<Complex> parts;
  do {
    const Token& first = peek();
    if (parts.size() == kMostComponents) fail(first, "a vector has at most three components");
    parts.push_back(complex_number(first, sum(), "a component of [..]"));
  } while (taken(TokenKind::comma));
  expect(TokenKind::close_list, "',' or ']'");
  return algebra_.literal(std::move(parts));
}

Value Parsing::restriction(const Value& value) {
  std::vector<std::pair<std::string, Expr>> points;
  const auto is_restricted = [&](const std::string& axis) {
    if (std::any_of(points.begin(), points.end(), [&](const auto& point) { return point.first == axis; })) return true;
    const Complex& part = value.parts.front();
    for (Expr e = part.re == nullptr ? part.im : part.re; e->op == Op::restriction; e = e->args[0])
      if (std::find(e->names.begin(), e->names.end(), axis) != e->names.end()) return true;
    return false;
  };
  do {
    const Token& name = peek();
    const std::string axis = axis_name("expected a dimension to restrict");
    if (is_restricted(axis)) fail(name, "'" + axis + "' is restricted twice");
    expect(TokenKind::equals, "'='");
    points.emplace_back(axis, restriction_point(axis));
  } while (taken(TokenKind::comma));
  expect(TokenKind::close, "',' or ')'");
  const auto restricted = [&](Expr part) { return pool_.restriction(part, points); };
  return algebra_.each_number(value, [&](const Complex& z) {
    Complex result = ComplexAlgebra::each(z, restricted);
    if (z.square != nullptr) result.square = restricted(z.square);  // abs(psi)(x=0)^2
    return result;
  });
}

// 0.5- and 0.5+ before the ',' or ')' of a restriction.
bool Parsing::ends_beside() const {
  const TokenKind next = peek(1).kind;
  return in_point_ && (next == TokenKind::close || next == TokenKind::comma);
}

Expr Parsing::restriction_point(const std::string& name) {
  const Token& first = peek();
  in_point_ = true;
  const Expr point = number(first, sum(), "a point");
  in_point_ = false;
  const auto value = constant_value(symbols_, point);
  if (!value) fail(first, "expected a point made of numbers, constants and pi only");
  const Axis& axis = symbols_.axes[static_cast<std::size_t>(symbols_.find_axis(name))];
  const double slack = point_slack(axis);
  if (!(*value >= axis.lower - slack && *value <= axis.upper + slack))
    fail(first, "the point " + name + " = " + number_text(*value) +
                    " lies outside the dimension; expected a point of [" + number_text(axis.lower) + ", " +
                    number_text(axis.upper) + "]");
  if (peek().kind != TokenKind::plus && peek().kind != TokenKind::minus) return point;
  const Token& sign = take();
  if (!(*value > axis.lower + slack && *value < axis.upper - slack))
    fail(sign, "the values beside a point, " + name + "=" + number_text(*value) + "- and " + name + "=" +
                   number_text(*value) + "+, are those within the dimension; at its end leave the sign out");
  return pool_.beside(point, sign.kind == TokenKind::minus ? -1 : 1);
}

std::string Parsing::axis_name(const std::string& expected) {
  const Token& token = take();
  if (token.kind != TokenKind::name || symbols_.find_axis(token.text) < 0)
    fail(token, expected + " (" + join(axis_names(symbols_)) + "), found " + describe(token));
  return token.text;
}

const Token& Parsing::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& Parsing::take() {
  const Token& token = peek();
  if (token.kind != TokenKind::end) ++at_;
  return token;
}

bool Parsing::taken(TokenKind kind) {
  if (peek().kind != kind) return false;
  take();
  return true;
}

void Parsing::expect(TokenKind kind, const std::string& what) {
  if (taken(kind)) return;
  fail_if_product();
  fail(peek(), "expected " + what + ", found " + describe(peek()));
}

void Parsing::expect_end() {
  if (peek().kind == TokenKind::end) return;
  fail_if_product();
  fail(peek(), "expected an operator or the end of the text, found " + describe(peek()));
}

// Two operands side by side: 2x, a b, 2(x + 1).
void Parsing::fail_if_product() const {
  if (!starts_operand(peek().kind)) return;
  if (peek().kind == TokenKind::open_list)
    fail(peek(), "expected an operator before '[': a component of a vector u is written u_x, a restriction u(x=0)");
  fail(peek(), "expected an operator before " + describe(peek()) + ": multiplication must be written '*', as in 2*x");
}

void Parsing::fail_call(const Token& first) const {
  if (first.kind == TokenKind::name && &first + 1 == &peek())
    if (const std::string hint = restriction_hint(symbols_, first.text); !hint.empty()) fail(peek(), hint);
  fail(peek(), "expected an operator before '(': multiplication must be written '*', and a restriction e(x=0)");
}

void Parsing::fail_too_deep(const Token& token) const {
  fail(token, "the expression is nested deeper than " + std::to_string(kMaxDepth) +
                  " levels; expected a shallower one (a long sum can be written in parts: (a + b) + (c + d))");
}

Expr Parsing::number(const Token& token, const Value& value, const std::string& what) const {
  const Complex z = complex_number(token, value, what);
  if (z.is_real()) return z.re;
  fail(token, what + " is a real number, and this is " + describe(value) + ": " + kRealCure);
}

Complex Parsing::complex_number(const Token& token, const Value& value, const std::string& what) const {
  if (value.is_number()) return value.number();
  fail(token, what + " is a number, and this is " + describe(value) +
                  ": write a component, as u_x, or dot(u, u), the square of a length");
}

Value Parsing::checked(const Token& token, Value value) const {
  const auto is_deep = [](Expr part) { return part != nullptr && part->facts.depth > kMaxDepth; };
  for (const Complex& part : value.parts)
    if (is_deep(part.re) || is_deep(part.im)) fail_too_deep(token);
  return value;
}

void Parsing::fail(std::size_t offset, const std::string& message) const {
  throw_case_error(source_, offset, message);
}

namespace {

void refuse_delta(const SourceText& source, Expr e) {
  if (holds_delta(e))
    throw_case_error(source, 0,
                     "delta(..) is a source in an equation: it has no value here; a narrow bump is "
                     "exp(-(z/w)^2)/(w*sqrt(pi))");
}

}  // namespace

Expr parse(Pool& pool, const SourceText& source) {
  UsedDefinitions used;
  const Expr e = only_number(source, Parsing(pool, source, used).expression());
  refuse_delta(source, e);
  return e;
}

void fail_complex_equation(const SourceText& source) {
  throw_case_error(source, 0,
                   "this is an equation of complex numbers, and no unknown of the case is complex: declare one as "
                   "{name: psi, complex: true}, or take the part that is meant, as re(..) = re(..)");
}

Equation parse_equation(Pool& pool, const SourceText& source, bool with_delta) {
  UsedDefinitions used;
  const auto [left, right] = Parsing(pool, source, used).equation();
  if (left.is_number() && left.is_real() && right.is_real()) {
    const Equation equation{left.number().re, right.number().re};
    for (Expr side : {equation.left, equation.right})
      if (!with_delta) refuse_delta(source, side);
    return equation;
  }
  if (left.is_number()) fail_complex_equation(source);
  throw_case_error(source, 0,
                   "this is an equation of vectors, and no unknown of the case is one: write an equation for each "
                   "component, or declare the unknown as {name: u, vector: [x, y]}");
}

double evaluate_number(const SourceText& source, const std::vector<Constant>& constants) {
  Pool pool(Symbols{{}, {}, constants});
  UsedDefinitions used;
  const Value given = Parsing(pool, source, used).expression();
  if (given.is_number() && !given.is_real())
    throw_case_error(source, 0,
                     "a real number is expected here, and this is complex: give its parts as two constants, or name it "
                     "under `definitions`, as c: \"1 + 2*i\"");
  // Without dimensions and unknowns every expression has a value.
  const double value = constant_value(pool.symbols(), only_number(source, given)).value();
  if (!std::isfinite(value))
    throw_case_error(source, 0, "expected a finite number; the value is " + number_text(value));
  return value;
}

}  // namespace gwrm::expression
