// The values of the language's operations on doubles: one definition for constant folding and for the tape.
#pragma once

#include <cmath>
#include <cstdlib>

#include "expression/expression.hpp"

namespace gwrm::expression {

// NaN propagates through all of them.
inline double minimum(double a, double b) {
  return a < b || std::isnan(a) ? a : b;
}
inline double maximum(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}
inline double sign(double z) {
  return z > 0 ? 1.0 : z < 0 ? -1.0 : z;
}
inline double step(double z) {
  return z > 0 ? 1.0 : z < 0 ? 0.0 : z + 0.5;
}

// Integer powers up to this size are formed by repeated multiplication: a few rounding errors, but no call of pow.
inline constexpr int kMaxIntegerPower = 32;

inline bool is_small_integer(double exponent) {
  return std::abs(exponent) <= kMaxIntegerPower && exponent == std::trunc(exponent);
}

inline double integer_power(double base, int exponent) {
  double result = 1.0;
  for (unsigned bits = static_cast<unsigned>(std::abs(exponent)); bits != 0; bits >>= 1) {
    if (bits & 1u) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1.0 / result : result;
}

inline double power(double base, double exponent) {
  if (is_small_integer(exponent)) return integer_power(base, static_cast<int>(exponent));
  return std::pow(base, exponent);
}

// Calls visit(f) with f: double -> double for a function of one argument.
template <class Visit>
void with_unary(Function function, Visit visit) {
  switch (function) {
    case Function::sin:
      return visit([](double z) { return std::sin(z); });
    case Function::cos:
      return visit([](double z) { return std::cos(z); });
    case Function::tan:
      return visit([](double z) { return std::tan(z); });
    case Function::asin:
      return visit([](double z) { return std::asin(z); });
    case Function::acos:
      return visit([](double z) { return std::acos(z); });
    case Function::atan:
      return visit([](double z) { return std::atan(z); });
    case Function::sinh:
      return visit([](double z) { return std::sinh(z); });
    case Function::cosh:
      return visit([](double z) { return std::cosh(z); });
    case Function::tanh:
      return visit([](double z) { return std::tanh(z); });
    case Function::exp:
      return visit([](double z) { return std::exp(z); });
    case Function::log:
      return visit([](double z) { return std::log(z); });
    case Function::sqrt:
      return visit([](double z) { return std::sqrt(z); });
    case Function::abs:
      return visit([](double z) { return std::abs(z); });
    case Function::erf:
      return visit([](double z) { return std::erf(z); });
    case Function::sign:
      return visit([](double z) { return sign(z); });
    case Function::step:
      return visit([](double z) { return step(z); });
    case Function::min:
    case Function::max:
    case Function::atan2:
      break;  // two arguments: with_binary
  }
}

// Calls visit(f) with f: (double, double) -> double for an operator, or for a function of two arguments.
template <class Visit>
void with_binary(Op op, Function function, Visit visit) {
  switch (op) {
    case Op::add:
      return visit([](double a, double b) { return a + b; });
    case Op::subtract:
      return visit([](double a, double b) { return a - b; });
    case Op::multiply:
      return visit([](double a, double b) { return a * b; });
    case Op::divide:
      return visit([](double a, double b) { return a / b; });
    case Op::power:
      return visit([](double a, double b) { return power(a, b); });
    case Op::call:
      if (function == Function::min) return visit([](double a, double b) { return minimum(a, b); });
      if (function == Function::atan2) return visit([](double a, double b) { return std::atan2(a, b); });
      return visit([](double a, double b) { return maximum(a, b); });
    default:
      break;
  }
}

inline double apply(Function function, double z) {
  double result = 0.0;
  with_unary(function, [&](auto f) { result = f(z); });
  return result;
}

inline double apply(Op op, Function function, double a, double b) {
  double result = 0.0;
  with_binary(op, function, [&](auto f) { result = f(a, b); });
  return result;
}

}  // namespace gwrm::expression
