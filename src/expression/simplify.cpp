// The simplifying constructors. They keep values up to rounding where the operands are finite; nothing is reordered but
// numeric factors and signs, so that printed results stay close to what was written. Nothing vanishes that may be NaN
// or infinite: 0*a is 0 where a is finite for all points of the domain and all finite unknowns.
#include <cmath>

#include "expression/expression.hpp"
#include "expression/functions.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {
namespace {

bool both_numbers(Expr a, Expr b) {
  return a->op == Op::number && b->op == Op::number;
}

bool is_integer(Expr e) {
  return e->op == Op::number && is_small_integer(e->value);
}

bool is_finite(Expr e) {
  return e->facts.range.defined;
}

// The number in front of a product: 3*x is 3 and x, x alone is 1 and x.
std::pair<double, Expr> split_factor(Expr e) {
  if (e->op == Op::multiply && e->args[0]->op == Op::number) return {e->args[0]->value, e->args[1]};
  return {1.0, e};
}

}  // namespace

Expr Pool::zero() {
  return number(0.0);
}
Expr Pool::one() {
  return number(1.0);
}

Expr Pool::negated(Expr a) {
  if (a->op == Op::number) return number(-a->value);
  if (a->op == Op::negate) return a->args[0];
  if (a->op == Op::subtract) return binary(Op::subtract, a->args[1], a->args[0]);
  return unary(Op::negate, a);
}

Expr Pool::sum(Expr a, Expr b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (both_numbers(a, b) && std::isfinite(a->value + b->value)) return number(a->value + b->value);
  if (b->op == Op::negate) return difference(a, b->args[0]);
  if (a->op == Op::negate) return difference(b, a->args[0]);
  if (a == b) return product(number(2.0), a);
  return binary(Op::add, a, b);
}

Expr Pool::difference(Expr a, Expr b) {
  if (a == b && is_finite(a)) return zero();
  if (is_zero(a)) return negated(b);
  if (is_zero(b)) return a;
  if (both_numbers(a, b) && std::isfinite(a->value - b->value)) return number(a->value - b->value);
  if (b->op == Op::negate) return sum(a, b->args[0]);
  return binary(Op::subtract, a, b);
}

Expr Pool::product(Expr a, Expr b) {
  if ((is_zero(a) && is_finite(b)) || (is_zero(b) && is_finite(a))) return zero();
  if (is_number(a, 1.0)) return b;
  if (is_number(b, 1.0)) return a;
  if (both_numbers(a, b))
    return std::isfinite(a->value * b->value) ? number(a->value * b->value) : binary(Op::multiply, a, b);
  if (a->op == Op::negate) return negated(product(a->args[0], b));
  if (b->op == Op::negate) return negated(product(a, b->args[0]));
  if (is_number(a, -1.0)) return negated(b);
  if (b->op == Op::number) return product(b, a);

  // 3*x times 2*y is 6*(x*y), unless the factors overflow or underflow.
  const bool a_is_number = a->op == Op::number;
  const auto [factor_a, rest_a] = a_is_number ? std::pair{a->value, one()} : split_factor(a);
  const auto [factor_b, rest_b] = split_factor(b);
  const double factor = factor_a * factor_b;
  const bool gathers = rest_b != b || (rest_a != a && !a_is_number);
  if (!gathers || !std::isnormal(factor)) return binary(Op::multiply, a, b);
  const Expr rest = a_is_number ? rest_b : binary(Op::multiply, rest_a, rest_b);
  if (factor == 1.0) return rest;
  if (factor == -1.0) return negated(rest);
  return binary(Op::multiply, number(factor), rest);
}

Expr Pool::quotient(Expr a, Expr b) {
  if (is_zero(b)) return binary(Op::divide, a, b);
  if (is_zero(a) && is_finite(b) && !b->facts.range.holds(0.0)) return a;
  if (is_number(b, 1.0)) return a;
  if (is_number(b, -1.0)) return negated(a);
  if (both_numbers(a, b) && std::isfinite(a->value / b->value)) return number(a->value / b->value);
  if (is_number(a, -1.0)) return negated(quotient(one(), b));
  if (a->op == Op::negate) return negated(quotient(a->args[0], b));
  if (b->op == Op::negate) return negated(quotient(a, b->args[0]));
  return binary(Op::divide, a, b);
}

Expr Pool::raised(Expr a, Expr exponent) {
  if (is_zero(exponent) && is_finite(a)) return one();
  if (is_number(exponent, 1.0)) return a;
  if (is_number(a, 1.0) && is_finite(exponent)) return a;
  if (both_numbers(a, exponent)) {
    const double value = power(a->value, exponent->value);
    if (std::isfinite(value)) return number(value);
  }
  // (a^2)^3 is a^6 for integers only; (a^-1)^-1 is not a, it has no value where a is 0.
  if (a->op == Op::power && is_integer(a->args[1]) && is_integer(exponent) &&
      (a->args[1]->value > 0.0 || exponent->value > 0.0))
    return raised(a->args[0], number(a->args[1]->value * exponent->value));
  return binary(Op::power, a, exponent);
}

Expr Pool::applied(Function function, std::vector<Expr> args) {
  bool numbers = args.size() == arity(function);
  for (Expr arg : args) numbers = numbers && arg->op == Op::number;
  if (numbers) {
    const double value =
        args.size() == 1 ? apply(function, args[0]->value) : apply(Op::call, function, args[0]->value, args[1]->value);
    if (std::isfinite(value)) return number(value);
  }
  return call(function, std::move(args));
}

}  // namespace gwrm::expression
