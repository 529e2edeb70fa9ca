// Complex numbers as pairs of real trees: what makes `i*dt(psi) = -lap(psi) + abs(psi)^2*psi` two equations of real
// unknowns. Each operation is carried out on the parts, once, when the text is read; behind it there are real
// expressions alone, so that derivatives with respect to the parts are right for conj and abs too, which have no
// complex derivative.
//
//   z w        = (a c - b d) + i (a d + b c)            z = a + i b, w = c + i d
//   z / w      = ((a c + b d) + i (b c - a d))/(c^2 + d^2)
//   abs(z)^p   = (a^2 + b^2)^(p/2): a polynomial for even p, smooth at 0
//   z^n        by products for whole n written as a number, |n| <= kMaxIntegerPower; else |z|^p (cos(p arg) + i sin(p
//   arg)) arg(z)     = atan2(b, a) in (-pi, pi]; log, sqrt and broken powers are principal values, with a cut along a <
//   0, b = 0
//
// A part that is zero by its form is no tree: i*x has no real part, conj(z)*z no imaginary one. Of real numbers the
// trees are those of the same operation on an Expr. Source: M. Abramowitz, I. A. Stegun, Handbook (1964), 3.7, 4.1
// to 4.5.
#pragma once

#include <string>

#include "expression/expression.hpp"

namespace gwrm::expression {

struct Complex {
  Expr re = nullptr;  // null: zero by its form; never both
  Expr im = nullptr;
  Expr square = nullptr;  // of abs(z), z not real: |z|^2

  Complex(Expr real) : re(real) {}
  Complex(Expr real, Expr imaginary) : re(real), im(imaginary) {}
  bool is_real() const { return im == nullptr; }
};

// An operation that its operands do not have; the parser knows where.
struct OperandError {
  std::string message;
};

// OperandError throughout.
class ComplexAlgebra {
 public:
  explicit ComplexAlgebra(Pool& pool) : pool_(pool) {}

  Complex unit() const { return {nullptr, pool_.one()}; }        // i
  Complex sum(const Complex& a, const Complex& b, Op op) const;  // add, subtract
  Complex product(const Complex& a, const Complex& b) const;
  Complex quotient(const Complex& a, const Complex& b) const;
  Complex power(const Complex& a, const Complex& b) const;
  Complex call(Function function, const Complex& z) const;  // of one argument

  Complex conjugate(const Complex& z) const;
  Expr real_part(const Complex& z) const { return z.re == nullptr ? pool_.zero() : z.re; }
  Expr imaginary_part(const Complex& z) const { return z.im == nullptr ? pool_.zero() : z.im; }
  Expr argument(const Complex& z) const;

  // `map` of the parts: what is linear over the real numbers.
  template <class Map>
  static Complex each(const Complex& z, Map map) {
    return {z.re == nullptr ? nullptr : map(z.re), z.im == nullptr ? nullptr : map(z.im)};
  }

 private:
  Complex made(Expr re, Expr im) const;
  Expr square_of_modulus(const Complex& z) const;
  Expr half_power(Expr square, Expr exponent) const;
  Complex polar(Expr modulus, Expr angle) const;
  Complex whole_power(const Complex& z, int exponent) const;
  Complex exponential(const Complex& z) const;
  Complex logarithm(const Complex& z) const;
  Complex hyperbolic_tangent(Expr a, Expr b) const;

  Expr opposite(Expr e) const;
  bool has_sign(Expr e) const;
  // Of parts, of which any may be null.
  Expr added(Expr a, Expr b, Op op) const;
  Expr times(Expr a, Expr b) const;
  Expr two_products(Expr a, Expr b, Op op, Expr c, Expr d) const;
  Expr applied(Function function, Expr z) const { return pool_.applied(function, {z}); }

  Pool& pool_;
};

}  // namespace gwrm::expression
