#include "expression/interval.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "expression/expression.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm::expression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kUnit = std::numeric_limits<double>::epsilon();
constexpr double kSmallestStep = std::numeric_limits<double>::denorm_min();
constexpr double kExactProducts = 1e-280;  // the error of a larger product or quotient does not underflow

// The next number below, of bounded z: numbers of one sign are ordered as their bits.
double down(double z) {
  if (z == 0.0) return -kSmallestStep;
  const auto bits = std::bit_cast<std::uint64_t>(z);
  return std::bit_cast<double>(z > 0.0 ? bits - 1 : bits + 1);
}

// The result of an operation on operands that were `defined`. Overflow to infinity of bounded operands is no value.
Interval made(double lower, double upper, bool defined, bool bounded_operands) {
  Interval result{std::isnan(lower) ? -kInfinity : std::min(lower, kLargest),
                  std::isnan(upper) ? kInfinity : std::max(upper, -kLargest), defined};
  if (bounded_operands && !result.bounded()) result.defined = false;
  return result;
}

// Values of the C library, both bounds wrong by kLibraryUnits at most and within [least, most].
Interval widened(double lower, double upper, const Interval& z, double least = -kInfinity, double most = kInfinity) {
  const double below = lower - kLibraryUnits * kUnit * std::abs(lower) - kSmallestStep;
  const double above = upper + kLibraryUnits * kUnit * std::abs(upper) + kSmallestStep;
  const auto clamped = [&](double value) { return std::isfinite(value) ? std::clamp(value, least, most) : value; };
  return made(std::isfinite(lower) ? clamped(below) : lower, std::isfinite(upper) ? clamped(above) : upper, z.defined,
              z.bounded());
}

template <class F>
Interval increasing(F f, const Interval& z, double least = -kInfinity, double most = kInfinity) {
  return widened(f(z.lower), f(z.upper), z, least, most);
}

// --- sums and products with the error of rounding: its sign says which bound has to move ---

double sum_error(double a, double b, double s) {  // Knuth's two-sum
  const double c = s - a;
  return (a - (s - c)) + (b - c);
}

double sum_down(double a, double b) {
  const double s = a + b;
  if (!std::isfinite(s)) return s > 0 && std::isfinite(a) && std::isfinite(b) ? kLargest : s;
  return sum_error(a, b, s) < 0 ? down(s) : s;
}
double sum_up(double a, double b) {
  return -sum_down(-a, -b);
}

double product_down(double a, double b) {
  if (a == 0.0 || b == 0.0) return 0.0;  // also of infinite bounds
  const double p = a * b;
  if (!std::isfinite(p)) return p > 0 && std::isfinite(a) && std::isfinite(b) ? kLargest : p;
  if (std::abs(p) < kExactProducts) return down(p);
  return std::fma(a, b, -p) < 0 ? down(p) : p;
}
double product_up(double a, double b) {
  return -product_down(-a, b);
}

double quotient_down(double a, double b) {  // b is not 0
  if (a == 0.0) return 0.0;
  if (std::isinf(b)) return std::isinf(a) ? -kInfinity : (a > 0) == (b > 0) ? 0.0 : -kSmallestStep;
  const double q = a / b;
  if (!std::isfinite(q)) return q > 0 && std::isfinite(a) ? kLargest : q;
  if (std::abs(q) < kExactProducts || std::abs(a) < kExactProducts) return down(q);
  const double rest = std::fma(-q, b, a);  // a - q b
  return (rest < 0) != (b < 0) && rest != 0 ? down(q) : q;
}
double quotient_up(double a, double b) {
  return -quotient_down(-a, b);
}

// Does [lower, upper] hold offset + k period for an integer k? Yes in doubt.
bool holds_multiple(const Interval& z, double offset, double period) {
  const double slack = 8.0 * kUnit * std::max({std::abs(z.lower), std::abs(z.upper), 1.0});
  const double k = std::ceil((z.lower - offset - slack) / period);
  return offset + k * period <= z.upper + slack;
}

constexpr double kPi = std::numbers::pi;
constexpr double kLargeAngle = 1e12;  // beyond it the slack above is no small part of a period

Interval cosine_from(double (*f)(double), const Interval& z, double top) {
  if (!z.bounded() || z.magnitude() > kLargeAngle || z.width() >= 2.0 * kPi) return {-1.0, 1.0, z.defined};
  const double a = f(z.lower), b = f(z.upper);
  const double upper = holds_multiple(z, top, 2.0 * kPi) ? 1.0 : std::max(a, b);
  const double lower = holds_multiple(z, top + kPi, 2.0 * kPi) ? -1.0 : std::min(a, b);
  return widened(lower, upper, z, -1.0, 1.0);
}

Interval tangent(const Interval& z) {
  if (!z.bounded() || z.magnitude() > kLargeAngle || z.width() >= kPi || holds_multiple(z, 0.5 * kPi, kPi))
    return entire(false);
  return increasing([](double x) { return std::tan(x); }, z);
}

// f on the part of z within [lower, upper], where it is defined; a function that is nowhere defined gives all reals.
template <class F>
Interval on_part(const Interval& z, double lower, double upper, F f) {
  if (z.lower >= lower && z.upper <= upper) return f(z);
  if (z.upper < lower || z.lower > upper) return entire(false);
  return f(Interval{std::max(z.lower, lower), std::min(z.upper, upper), false});
}

Interval logarithm(const Interval& z) {
  return on_part(z, 0.0, kInfinity, [](Interval part) {
    if (part.lower == 0.0) part.defined = false;
    const double upper = part.upper == 0.0 ? -kLargest : std::log(part.upper);
    return widened(part.lower == 0.0 ? -kInfinity : std::log(part.lower), upper, part);
  });
}

Interval absolute(const Interval& z) {
  if (z.lower >= 0.0) return z;
  if (z.upper <= 0.0) return -z;
  return {0.0, z.magnitude(), z.defined};
}

Interval hyperbolic_cosine(const Interval& z) {
  return increasing([](double x) { return std::cosh(x); }, absolute(z), 1.0);
}

// z^n for an integer n that doubles hold.
Interval integer_power(const Interval& z, double n) {
  if (n == 0.0) return {1.0, 1.0, z.defined};
  if (n < 0.0) return point_interval(1.0) / integer_power(z, -n);
  if (n == 1.0) return z;
  const bool even = std::fmod(n, 2.0) == 0.0;
  return increasing([n](double x) { return std::pow(x, n); }, even ? absolute(z) : z, even ? 0.0 : -kInfinity);
}

}  // namespace

Interval entire(bool defined) {
  return {-kInfinity, kInfinity, defined};
}

Interval enclose(double a, double b) {
  return {std::min(a, b), std::max(a, b), true};
}

Interval intersect(const Interval& a, const Interval& b) {
  const double lower = std::max(a.lower, b.lower), upper = std::min(a.upper, b.upper);
  return {std::min(lower, upper), std::max(lower, upper), a.defined || b.defined};
}

Interval operator-(const Interval& a) {
  return {-a.upper, -a.lower, a.defined};
}

Interval operator+(const Interval& a, const Interval& b) {
  return made(sum_down(a.lower, b.lower), sum_up(a.upper, b.upper), a.defined && b.defined, a.bounded() && b.bounded());
}

Interval operator-(const Interval& a, const Interval& b) {
  return a + -b;
}

Interval operator*(const Interval& a, const Interval& b) {
  // Of operands that do not change their sign two products bound the result.
  const auto product = [&](double a_lower, double b_lower, double a_upper, double b_upper) {
    return made(product_down(a_lower, b_lower), product_up(a_upper, b_upper), a.defined && b.defined,
                a.bounded() && b.bounded());
  };
  if (a.lower >= 0.0 && b.lower >= 0.0) return product(a.lower, b.lower, a.upper, b.upper);
  if (a.lower >= 0.0 && b.upper <= 0.0) return product(a.upper, b.lower, a.lower, b.upper);
  if (a.upper <= 0.0 && b.lower >= 0.0) return product(a.lower, b.upper, a.upper, b.lower);
  if (a.upper <= 0.0 && b.upper <= 0.0) return product(a.upper, b.upper, a.lower, b.lower);
  const std::array<double, 4> lower = {product_down(a.lower, b.lower), product_down(a.lower, b.upper),
                                       product_down(a.upper, b.lower), product_down(a.upper, b.upper)};
  const std::array<double, 4> upper = {product_up(a.lower, b.lower), product_up(a.lower, b.upper),
                                       product_up(a.upper, b.lower), product_up(a.upper, b.upper)};
  return made(*std::min_element(lower.begin(), lower.end()), *std::max_element(upper.begin(), upper.end()),
              a.defined && b.defined, a.bounded() && b.bounded());
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.holds(0.0)) {
    // The part of b on one side of zero bounds the quotient on one side, where a does not hold zero either.
    if (b.lower == 0.0 && b.upper > 0.0) {
      if (a.lower >= 0.0) return {quotient_down(a.lower, b.upper), kInfinity, false};
      if (a.upper <= 0.0) return {-kInfinity, quotient_up(a.upper, b.upper), false};
    }
    if (b.upper == 0.0 && b.lower < 0.0) {
      if (a.lower >= 0.0) return {-kInfinity, quotient_up(a.lower, b.lower), false};
      if (a.upper <= 0.0) return {quotient_down(a.upper, b.lower), kInfinity, false};
    }
    return entire(false);
  }
  const std::array<double, 4> lower = {quotient_down(a.lower, b.lower), quotient_down(a.lower, b.upper),
                                       quotient_down(a.upper, b.lower), quotient_down(a.upper, b.upper)};
  const std::array<double, 4> upper = {quotient_up(a.lower, b.lower), quotient_up(a.lower, b.upper),
                                       quotient_up(a.upper, b.lower), quotient_up(a.upper, b.upper)};
  return made(*std::min_element(lower.begin(), lower.end()), *std::max_element(upper.begin(), upper.end()),
              a.defined && b.defined, a.bounded() && b.bounded());
}

Interval square(const Interval& a) {
  return integer_power(a, 2.0);
}

Interval power(const Interval& base, double exponent) {
  if (exponent == std::trunc(exponent)) return integer_power(base, exponent);
  if (exponent < 0.0) return point_interval(1.0) / power(base, -exponent);
  return on_part(base, 0.0, kInfinity, [exponent](const Interval& part) {
    return increasing([exponent](double x) { return std::pow(x, exponent); }, part, 0.0);
  });
}

// a^b is monotone in a and in b where a >= 0: its extremes are at the corners.
Interval power(const Interval& base, const Interval& exponent) {
  if (exponent.lower == exponent.upper) {
    Interval result = power(base, exponent.lower);
    result.defined = result.defined && exponent.defined;
    return result;
  }
  return on_part(base, 0.0, kInfinity, [&exponent](const Interval& part) {
    const bool infinite = part.lower == 0.0 && exponent.lower < 0.0;  // 0 to a negative power
    if (!part.bounded() || !exponent.bounded() || infinite)
      return Interval{0.0, kInfinity, part.defined && exponent.defined && !infinite};
    const std::array<double, 4> corners = {std::pow(part.lower, exponent.lower), std::pow(part.lower, exponent.upper),
                                           std::pow(part.upper, exponent.lower), std::pow(part.upper, exponent.upper)};
    const Interval operands{0.0, 1.0, part.defined && exponent.defined};
    return widened(*std::min_element(corners.begin(), corners.end()), *std::max_element(corners.begin(), corners.end()),
                   operands, 0.0);
  });
}

Interval minimum(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::min(a.upper, b.upper), a.defined && b.defined};
}

Interval maximum(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper), a.defined && b.defined};
}

// On a half plane whose edge is not touched it is an arc tangent.
Interval angle(const Interval& y, const Interval& x) {
  const Interval quarter = widened(0.5 * kPi, 0.5 * kPi, point_interval(0.0));
  if (x.lower > 0.0) return apply(Function::atan, y / x);
  if (y.lower > 0.0) return quarter - apply(Function::atan, x / y);
  if (y.upper < 0.0) return -quarter - apply(Function::atan, x / y);
  return widened(-kPi, kPi, {0.0, 0.0, x.defined && y.defined});
}

Interval apply(Function function, const Interval& z) {
  switch (function) {
    case Function::sin:
      return cosine_from(std::sin, z, 0.5 * kPi);
    case Function::cos:
      return cosine_from(std::cos, z, 0.0);
    case Function::tan:
      return tangent(z);
    case Function::asin:
      return on_part(z, -1.0, 1.0,
                     [](const Interval& part) { return increasing([](double x) { return std::asin(x); }, part); });
    case Function::acos:
      return on_part(z, -1.0, 1.0, [](const Interval& part) {
        return widened(std::acos(part.upper), std::acos(part.lower), part, 0.0);
      });
    case Function::atan:
      return increasing([](double x) { return std::atan(x); }, z);
    case Function::sinh:
      return increasing([](double x) { return std::sinh(x); }, z);
    case Function::cosh:
      return hyperbolic_cosine(z);
    case Function::tanh:
      return increasing([](double x) { return std::tanh(x); }, z, -1.0, 1.0);
    case Function::exp:
      return increasing([](double x) { return std::exp(x); }, z, 0.0);
    case Function::log:
      return logarithm(z);
    case Function::sqrt:
      return on_part(z, 0.0, kInfinity,
                     [](const Interval& part) { return increasing([](double x) { return std::sqrt(x); }, part, 0.0); });
    case Function::abs:
      return absolute(z);
    case Function::erf:
      return increasing([](double x) { return std::erf(x); }, z, -1.0, 1.0);
    case Function::sign:
      return {sign(z.lower), sign(z.upper), z.defined};
    case Function::step:
      return {step(z.lower), step(z.upper), z.defined};
    case Function::min:
    case Function::max:
    case Function::atan2:
      break;  // two arguments
  }
  return entire(false);
}

Interval slope(Function function, const Interval& z) {
  const Interval one = point_interval(1.0);
  switch (function) {
    case Function::sin:
      return apply(Function::cos, z);
    case Function::cos:
      return -apply(Function::sin, z);
    case Function::tan:
      return one + square(tangent(z));
    case Function::asin:
      return one / apply(Function::sqrt, one - square(z));
    case Function::acos:
      return -slope(Function::asin, z);
    case Function::atan:
      return one / (one + square(z));
    case Function::sinh:
      return apply(Function::cosh, z);
    case Function::cosh:
      return apply(Function::sinh, z);
    case Function::tanh:
      return one - square(apply(Function::tanh, z));
    case Function::exp:
      return apply(Function::exp, z);
    case Function::log:
      return one / z;
    case Function::sqrt:
      return point_interval(0.5) / apply(Function::sqrt, z);
    case Function::abs:
      return apply(Function::sign, z);
    case Function::erf:
      return point_interval(2.0 * std::numbers::inv_sqrtpi) * apply(Function::exp, -square(z));
    case Function::sign:
    case Function::step:
      return z.holds(0.0) ? entire(z.defined) : point_interval(0.0);
    case Function::min:
    case Function::max:
    case Function::atan2:
      break;
  }
  return entire(false);
}

}  // namespace gwrm::expression
