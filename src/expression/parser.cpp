#include "expression/parser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "expression/constant_value.hpp"
#include "expression/data_function.hpp"
#include "expression/functions.hpp"
#include "expression/lexer.hpp"
#include "expression/names.hpp"
#include "expression/noise.hpp"
#include "expression/number_text.hpp"
#include "expression/point_slack.hpp"

namespace gwrm::expression {
namespace {

constexpr int kMaxOrder = 8;  // highest derivative in one dx(u, n)

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the text";
  return "'" + token.text + "'";
}

bool starts_operand(TokenKind kind) {
  return kind == TokenKind::number || kind == TokenKind::name || kind == TokenKind::open;
}

class Parser {
 public:
  Parser(Pool& pool, const SourceText& source)
      : pool_(pool), symbols_(pool.symbols()), source_(source), tokens_(tokenize(source)) {}

  Expr expression() {
    if (peek().kind == TokenKind::end) fail(0, "the expression is empty");
    const Expr e = sum();
    if (peek().kind == TokenKind::equals) fail(peek(), "unexpected '=': expected an expression, not an equation");
    expect_end();
    return e;
  }

  Equation equation() {
    if (peek().kind == TokenKind::end) fail(0, "the equation is empty");
    Equation equation;
    equation.left = sum();
    expect(TokenKind::equals, "'=' (an equation is written left = right)");
    equation.right = sum();
    if (peek().kind == TokenKind::equals) fail(peek(), "a second '='; expected exactly one in an equation");
    expect_end();
    return equation;
  }

 private:
  // --- the grammar, one function a rule ---

  Expr sum() {
    Expr e = term();
    while (peek().kind == TokenKind::plus || peek().kind == TokenKind::minus) {
      const Token& sign = take();
      const Expr right = term();
      e = checked(sign, pool_.binary(sign.kind == TokenKind::plus ? Op::add : Op::subtract, e, right));
    }
    return e;
  }

  Expr term() {
    Expr e = unary();
    while (peek().kind == TokenKind::times || peek().kind == TokenKind::divide) {
      const Token& sign = take();
      const Expr right = unary();
      e = checked(sign, pool_.binary(sign.kind == TokenKind::times ? Op::multiply : Op::divide, e, right));
    }
    return e;
  }

  // Every recursion of the grammar passes here, so that this is the place to bound it.
  Expr unary() {
    if (++nesting_ > kMaxDepth) fail_too_deep(peek());
    const Expr e = signed_power();
    --nesting_;
    return e;
  }

  Expr signed_power() {
    if (peek().kind == TokenKind::minus) {
      const Token& sign = take();
      return checked(sign, pool_.unary(Op::negate, unary()));
    }
    if (peek().kind == TokenKind::plus) {
      take();
      return unary();
    }
    return power();
  }

  Expr power() {
    const Expr base = postfix();
    if (peek().kind != TokenKind::power) return base;
    const Token& sign = take();
    const Expr exponent = unary();
    return checked(sign, pool_.binary(Op::power, base, exponent));
  }

  Expr postfix() {
    const Token& first = peek();
    Expr e = primary();
    while (peek().kind == TokenKind::open) {
      if (!opens_restriction()) fail_call(first);
      const Token& open = take();
      e = checked(open, restriction(e));
    }
    return e;
  }

  Expr primary() {
    const Token& token = take();
    if (token.kind == TokenKind::number) return pool_.number(token.value);
    if (token.kind == TokenKind::name) return peek().kind == TokenKind::open ? called_name(token) : plain_name(token);
    if (token.kind == TokenKind::open) {
      const Expr e = sum();
      expect(TokenKind::close, "')'");
      return e;
    }
    fail(token, "expected a number, a name or '(', found " + describe(token));
  }

  // --- names ---

  Expr plain_name(const Token& token) {
    const std::string& name = token.text;
    if (name == "pi") return pool_.pi();
    if (symbols_.find_field(name) >= 0) return pool_.field(name);
    if (symbols_.find_axis(name) >= 0) return pool_.coordinate(name);
    if (symbols_.find_constant(name)) return pool_.constant(name);
    if (symbols_.find_data(name) != nullptr) return data(token);
    if (is_reserved(name, symbols_.axes)) fail(token, "expected '(' behind '" + name + "', found " + describe(peek()));
    fail(token, unknown_name_message(symbols_, name, false));
  }

  Expr noise(const Token& token) {
    constexpr double kLargestSeed = 9007199254740992.0;  // 2^53: every whole number up to it is a double
    take();                                              // '('
    const Expr amplitude = sum();
    expect(TokenKind::comma, "',' and a seed: noise(amplitude, seed)");
    const double seed = whole_number("the seed of noise", 0.0, kLargestSeed);
    double modes = -1.0;
    if (taken(TokenKind::comma)) modes = whole_number("the highest mode of noise", 0.0, kMostNoiseModes);
    expect(TokenKind::close, "',' or ')'");
    try {
      const Expr unit = pool_.noise(static_cast<std::uint64_t>(seed), static_cast<int>(modes));
      return is_number(amplitude, 1.0) ? unit : checked(token, pool_.binary(Op::multiply, amplitude, unit));
    } catch (const CaseError& error) {
      fail(token, error.what());
    }
  }

  double whole_number(const std::string& what, double least, double most) {
    const Token& first = peek();
    const auto value = constant_value(symbols_, sum());
    if (!value || *value != std::trunc(*value) || *value < least || *value > most)
      fail(first, "expected " + what + ", a whole number from " + number_text(least) + " to " + number_text(most));
    return *value;
  }

  // k, or k(x, y) with the coordinates of its own dimensions in any order.
  Expr data(const Token& token) {
    const Expr e = pool_.data(token.text);
    if (peek().kind != TokenKind::open || opens_restriction()) return e;
    const std::vector<std::string>& axes = symbols_.find_data(token.text)->axes();
    take();  // '('
    std::vector<std::string> given;
    do {
      const Token& name = take();
      if (name.kind != TokenKind::name || std::find(axes.begin(), axes.end(), name.text) == axes.end() ||
          std::find(given.begin(), given.end(), name.text) != given.end())
        fail(name, "'" + token.text + "' are data along " + join(axes) + ": write " + token.text +
                       " alone, or a restriction such as " + token.text + "(" + axes.front() + "=0)");
      given.push_back(name.text);
    } while (taken(TokenKind::comma));
    expect(TokenKind::close, "',' or ')'");
    if (given.size() != axes.size())
      fail(token, "'" + token.text + "' are data along " + join(axes) + ": write " + token.text + " alone");
    return e;
  }

  Expr called_name(const Token& token) {
    const std::string& name = token.text;
    if (const auto function = find_function(name)) return call(token, *function);
    if (name == "lap") return laplacian(token);
    if (name == "integral") return integral(token);
    if (name == "noise") return noise(token);
    if (name.size() > 1 && name[0] == 'd' && symbols_.find_axis(name.substr(1)) >= 0) return derivative(token);
    if (name == "pi" || symbols_.find_field(name) >= 0 || symbols_.find_axis(name) >= 0 ||
        symbols_.find_constant(name) || symbols_.find_data(name) != nullptr)
      return plain_name(token);  // a restriction must follow: postfix() looks after it
    fail(token, unknown_name_message(symbols_, name, true));
  }

  Expr call(const Token& token, Function function) {
    const std::size_t n = arity(function);
    const std::string expected = token.text + " takes " + (n == 1 ? "one argument" : "two arguments");
    take();  // '('
    if (peek().kind == TokenKind::close) fail(peek(), expected + ", found none");
    std::vector<Expr> args{sum()};
    while (peek().kind == TokenKind::comma) {
      if (args.size() == n) fail(peek(), expected + ", found another ','");
      take();
      args.push_back(sum());
    }
    if (args.size() < n && peek().kind == TokenKind::close)
      fail(peek(), expected + ", found only " + std::to_string(args.size()));
    expect(TokenKind::close, "',' or ')'");
    return checked(token, pool_.call(function, std::move(args)));
  }

  Expr derivative(const Token& token) {
    take();  // '('
    const Expr inner = sum();
    int order = 1;
    if (peek().kind == TokenKind::comma) {
      take();
      const Token& number = take();
      const bool legal = number.kind == TokenKind::number && number.value >= 1 && number.value <= kMaxOrder &&
                         number.value == std::trunc(number.value);
      if (!legal)
        fail(number, "expected the order of the derivative, an integer from 1 to " + std::to_string(kMaxOrder) +
                         ", found " + describe(number));
      order = static_cast<int>(number.value);
    }
    expect(TokenKind::close, "',' or ')'");
    return checked(token, pool_.derivative(inner, token.text.substr(1), order));
  }

  Expr laplacian(const Token& token) {
    const bool has_space = std::any_of(symbols_.axes.begin(), symbols_.axes.end(),
                                       [](const Axis& axis) { return axis.kind == AxisKind::space; });
    if (!has_space) fail(token, "lap() needs a space dimension (x, y or z) in the domain");
    take();  // '('
    const Expr inner = sum();
    expect(TokenKind::close, "')'");
    return checked(token, pool_.unary(Op::laplacian, inner));
  }

  Expr integral(const Token& token) {
    take();  // '('
    const Expr inner = sum();
    expect(TokenKind::comma, "',' and a dimension: integral(e, x)");
    const std::string axis = axis_name("expected a dimension to integrate over");
    expect(TokenKind::close, "')'");
    return checked(token, pool_.integral(inner, axis));
  }

  // --- restrictions: behind the '(' ---

  bool opens_restriction() const { return peek(1).kind == TokenKind::name && peek(2).kind == TokenKind::equals; }

  Expr restriction(Expr e) {
    std::vector<std::pair<std::string, Expr>> points;
    do {
      const Token& name = peek();
      const std::string axis = axis_name("expected a dimension to restrict");
      if (is_restricted(e, points, axis)) fail(name, "'" + axis + "' is restricted twice");
      expect(TokenKind::equals, "'='");
      points.emplace_back(axis, restriction_point(axis));
    } while (taken(TokenKind::comma));
    expect(TokenKind::close, "',' or ')'");
    return pool_.restriction(e, std::move(points));
  }

  static bool is_restricted(Expr e, const std::vector<std::pair<std::string, Expr>>& points, const std::string& axis) {
    if (std::any_of(points.begin(), points.end(), [&](const auto& point) { return point.first == axis; })) return true;
    for (; e->op == Op::restriction; e = e->args[0])
      if (std::find(e->names.begin(), e->names.end(), axis) != e->names.end()) return true;
    return false;
  }

  Expr restriction_point(const std::string& name) {
    const Token& first = peek();
    const Expr point = sum();
    const auto value = constant_value(symbols_, point);
    if (!value) fail(first, "expected a point made of numbers, constants and pi only");
    const Axis& axis = symbols_.axes[static_cast<std::size_t>(symbols_.find_axis(name))];
    const double slack = point_slack(axis);
    if (!(*value >= axis.lower - slack && *value <= axis.upper + slack))
      fail(first, "the point " + name + " = " + number_text(*value) +
                      " lies outside the dimension; expected a point of [" + number_text(axis.lower) + ", " +
                      number_text(axis.upper) + "]");
    return point;
  }

  std::string axis_name(const std::string& expected) {
    const Token& token = take();
    if (token.kind != TokenKind::name || symbols_.find_axis(token.text) < 0)
      fail(token, expected + " (" + join(axis_names(symbols_)) + "), found " + describe(token));
    return token.text;
  }

  // --- tokens and errors ---

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

  const Token& take() {
    const Token& token = peek();
    if (token.kind != TokenKind::end) ++at_;
    return token;
  }

  bool taken(TokenKind kind) {
    if (peek().kind != kind) return false;
    take();
    return true;
  }

  void expect(TokenKind kind, const std::string& what) {
    if (taken(kind)) return;
    fail_if_product();
    fail(peek(), "expected " + what + ", found " + describe(peek()));
  }

  void expect_end() {
    if (peek().kind == TokenKind::end) return;
    fail_if_product();
    fail(peek(), "expected an operator or the end of the text, found " + describe(peek()));
  }

  // Two operands side by side: 2x, a b, 2(x + 1).
  void fail_if_product() const {
    if (!starts_operand(peek().kind)) return;
    fail(peek(), "expected an operator before " + describe(peek()) + ": multiplication must be written '*', as in 2*x");
  }

  [[noreturn]] void fail_call(const Token& first) const {
    const int field = first.kind == TokenKind::name ? symbols_.find_field(first.text) : -1;
    if (field >= 0 && &first + 1 == &peek())
      fail(peek(), restriction_hint(symbols_, symbols_.fields[static_cast<std::size_t>(field)]));
    fail(peek(), "expected an operator before '(': multiplication must be written '*', and a restriction e(x=0)");
  }

  [[noreturn]] void fail_too_deep(const Token& token) const {
    fail(token, "the expression is nested deeper than " + std::to_string(kMaxDepth) +
                    " levels; expected a shallower one (a long sum can be written in parts: (a + b) + (c + d))");
  }

  Expr checked(const Token& token, Expr e) const {
    if (e->facts.depth > kMaxDepth) fail_too_deep(token);
    return e;
  }

  [[noreturn]] void fail(const Token& token, const std::string& message) const { fail(token.offset, message); }
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    throw_case_error(source_, offset, message);
  }

  Pool& pool_;
  const Symbols& symbols_;
  const SourceText& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Expr parse(Pool& pool, const SourceText& source) {
  return Parser(pool, source).expression();
}

Equation parse_equation(Pool& pool, const SourceText& source) {
  return Parser(pool, source).equation();
}

double evaluate_number(const SourceText& source, const std::vector<Constant>& constants) {
  Pool pool(Symbols{{}, {}, constants});
  // Without dimensions and unknowns every expression has a value.
  const double value = constant_value(pool.symbols(), parse(pool, source)).value();
  if (!std::isfinite(value))
    throw_case_error(source, 0, "expected a finite number; the value is " + number_text(value));
  return value;
}

}  // namespace gwrm::expression
