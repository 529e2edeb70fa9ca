#include "expression/complex_value.hpp"

#include <cmath>
#include <optional>

#include "expression/constant_value.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {
namespace {

// Made of numbers alone: a constant of the case may be another one in the next run.
std::optional<double> literal(Expr e) {
  static const Symbols none;
  return constant_value(none, e);
}

Expr without_sign(Expr e, bool& negative) {
  for (; e->op == Op::negate; e = e->args[0]) negative = !negative;
  return e;
}

}  // namespace

Complex ComplexAlgebra::made(Expr re, Expr im) const {
  return {re == nullptr && im == nullptr ? pool_.zero() : re, im};
}

// -e, where e has a sign itself e without it: -x, or -2*x.
Expr ComplexAlgebra::opposite(Expr e) const {
  if (e->op == Op::negate) return e->args[0];
  if (e->op == Op::multiply && e->args[0]->op == Op::negate && e->args[0]->args[0]->op == Op::number)
    return pool_.binary(Op::multiply, e->args[0]->args[0], e->args[1]);
  if (e->op == Op::multiply && e->args[0]->op == Op::number)
    return pool_.binary(Op::multiply, pool_.unary(Op::negate, e->args[0]), e->args[1]);
  return pool_.unary(Op::negate, e);
}

bool ComplexAlgebra::has_sign(Expr e) const {
  if (e->op == Op::multiply) return e->args[0]->op == Op::negate && e->args[0]->args[0]->op == Op::number;
  return e->op == Op::negate;
}

Expr ComplexAlgebra::added(Expr a, Expr b, Op op) const {
  if (b == nullptr) return a;
  if (a == nullptr) return op == Op::add ? b : opposite(b);
  if (has_sign(b)) {
    b = opposite(b);
    op = op == Op::add ? Op::subtract : Op::add;
  }
  if (a == b && op == Op::subtract && a->facts.range.defined) return nullptr;
  if (a == b && op == Op::add) return pool_.product(pool_.number(2.0), a);
  return pool_.binary(op, a, b);
}

Expr ComplexAlgebra::times(Expr a, Expr b) const {
  if (a == nullptr || b == nullptr) return nullptr;
  bool negative = false;
  const Expr p = without_sign(a, negative), q = without_sign(b, negative);
  const bool folds = p->op == Op::number || q->op == Op::number;
  const Expr result = p == q  ? pool_.raised(p, pool_.number(2.0))
                      : folds ? pool_.product(p, q)
                              : pool_.binary(Op::multiply, p, q);
  if (is_zero(result)) return nullptr;
  return negative ? opposite(result) : result;
}

// a*b op c*d, where the factors may be the same ones in another order: conj(z)*z has a*(-b) + b*a.
Expr ComplexAlgebra::two_products(Expr a, Expr b, Op op, Expr c, Expr d) const {
  const Expr first = times(a, b), second = times(c, d);
  if (first == nullptr || second == nullptr) return added(first, second, op);
  bool negative = op == Op::subtract;
  const Expr p = without_sign(a, negative), q = without_sign(b, negative);
  const Expr r = without_sign(c, negative), s = without_sign(d, negative);
  const bool same = (p == r && q == s) || (p == s && q == r);
  if (!same) return added(first, second, op);
  if (!negative) return times(pool_.number(2.0), first);
  return first->facts.range.defined ? nullptr : added(first, second, op);
}

Complex ComplexAlgebra::sum(const Complex& a, const Complex& b, Op op) const {
  if (a.is_real() && b.is_real()) return pool_.binary(op, a.re, b.re);
  return made(added(a.re, b.re, op), added(a.im, b.im, op));
}

Complex ComplexAlgebra::product(const Complex& a, const Complex& b) const {
  if (a.is_real() && b.is_real()) return pool_.binary(Op::multiply, a.re, b.re);
  return made(two_products(a.re, b.re, Op::subtract, a.im, b.im), two_products(a.re, b.im, Op::add, a.im, b.re));
}

Complex ComplexAlgebra::quotient(const Complex& a, const Complex& b) const {
  if (a.is_real() && b.is_real()) return pool_.binary(Op::divide, a.re, b.re);
  if (b.is_real()) return each(a, [&](Expr part) { return pool_.quotient(part, b.re); });
  if (b.re == nullptr) {  // z/(i d) = b/d - i a/d
    const Complex turned = made(a.im, a.re == nullptr ? nullptr : opposite(a.re));
    return each(turned, [&](Expr part) { return pool_.quotient(part, b.im); });
  }
  const Expr square = square_of_modulus(b);
  return each(product(a, conjugate(b)), [&](Expr part) { return pool_.quotient(part, square); });
}

Complex ComplexAlgebra::conjugate(const Complex& z) const {
  if (z.is_real()) return z;
  return {z.re, opposite(z.im)};
}

Expr ComplexAlgebra::square_of_modulus(const Complex& z) const {
  return real_part(made(two_products(z.re, z.re, Op::add, z.im, z.im), nullptr));
}

Expr ComplexAlgebra::argument(const Complex& z) const {
  return pool_.applied(Function::atan2, {imaginary_part(z), real_part(z)});
}

// |z|^p of |z|^2.
Expr ComplexAlgebra::half_power(Expr square, Expr exponent) const {
  if (const auto p = literal(exponent)) {
    if (*p == 1.0) return applied(Function::sqrt, square);
    return pool_.raised(square, pool_.number(0.5 * *p));
  }
  return pool_.raised(square, pool_.quotient(exponent, pool_.number(2.0)));
}

Complex ComplexAlgebra::polar(Expr modulus, Expr angle) const {
  return {pool_.product(modulus, applied(Function::cos, angle)), pool_.product(modulus, applied(Function::sin, angle))};
}

Complex ComplexAlgebra::whole_power(const Complex& z, int exponent) const {
  if (exponent == 0) return pool_.one();
  std::optional<Complex> result;
  Complex square = z;
  for (unsigned bits = static_cast<unsigned>(std::abs(exponent));; square = product(square, square)) {
    if ((bits & 1u) != 0) result = result ? product(*result, square) : square;
    if ((bits >>= 1) == 0) break;
  }
  return exponent < 0 ? quotient(pool_.one(), *result) : *result;
}

Complex ComplexAlgebra::power(const Complex& a, const Complex& b) const {
  if (a.square != nullptr && b.is_real()) return half_power(a.square, b.re);
  if (a.is_real() && b.is_real()) return pool_.binary(Op::power, a.re, b.re);
  if (!b.is_real()) return exponential(product(b, a.is_real() ? applied(Function::log, a.re) : logarithm(a)));
  if (const auto n = literal(b.re); n && is_small_integer(*n)) return whole_power(a, static_cast<int>(*n));
  return polar(half_power(square_of_modulus(a), b.re), pool_.product(b.re, argument(a)));
}

Complex ComplexAlgebra::exponential(const Complex& z) const {
  if (z.is_real()) return applied(Function::exp, z.re);
  if (z.re == nullptr) return {applied(Function::cos, z.im), applied(Function::sin, z.im)};
  return polar(applied(Function::exp, z.re), z.im);
}

Complex ComplexAlgebra::logarithm(const Complex& z) const {
  return {pool_.quotient(applied(Function::log, square_of_modulus(z)), pool_.number(2.0)), argument(z)};
}

// tanh(a + i b) = (t + i (1 - t^2) s c)/(t^2 + (1 - t^2) c^2), t = tanh a, s = sin b, c = cos b: nothing overflows.
Complex ComplexAlgebra::hyperbolic_tangent(Expr a, Expr b) const {
  const auto squared = [&](Expr e) { return pool_.raised(e, pool_.number(2.0)); };
  const Expr t = applied(Function::tanh, a), s = applied(Function::sin, b), c = applied(Function::cos, b);
  const Expr rest = pool_.difference(pool_.one(), squared(t));
  const Expr below = pool_.sum(squared(t), pool_.product(rest, squared(c)));
  return {pool_.quotient(t, below), pool_.quotient(pool_.product(rest, pool_.product(s, c)), below)};
}

Complex ComplexAlgebra::call(Function function, const Complex& z) const {
  if (z.is_real()) return pool_.call(function, {z.re});
  const Expr a = real_part(z), b = imaginary_part(z);
  const auto pair = [&](Function f, Function g) { return pool_.product(applied(f, a), applied(g, b)); };
  switch (function) {
    case Function::abs: {
      const Expr square = square_of_modulus(z);
      Complex modulus = z.re == nullptr ? applied(Function::abs, z.im) : applied(Function::sqrt, square);
      modulus.square = square;
      return modulus;
    }
    case Function::exp:
      return exponential(z);
    case Function::log:
      return logarithm(z);
    case Function::sqrt:
      return polar(half_power(square_of_modulus(z), pool_.number(0.5)), pool_.quotient(argument(z), pool_.number(2.0)));
    case Function::sin:
      return {pair(Function::sin, Function::cosh), pair(Function::cos, Function::sinh)};
    case Function::cos:
      return {pair(Function::cos, Function::cosh), pool_.negated(pair(Function::sin, Function::sinh))};
    case Function::sinh:
      return {pair(Function::sinh, Function::cos), pair(Function::cosh, Function::sin)};
    case Function::cosh:
      return {pair(Function::cosh, Function::cos), pair(Function::sinh, Function::sin)};
    case Function::tanh:
      return hyperbolic_tangent(a, b);
    case Function::tan: {  // tan(z) = -i tanh(i z), i z = -b + i a
      const Complex turned = hyperbolic_tangent(pool_.negated(b), a);
      return {turned.im, pool_.negated(turned.re)};
    }
    default:
      break;
  }
  throw OperandError{std::string(function_name(function)) +
                     "() is known of real numbers alone, and this is complex: write " +
                     std::string(function_name(function)) + "(re(..)), of abs(..) or of another real number"};
}

}  // namespace gwrm::expression
