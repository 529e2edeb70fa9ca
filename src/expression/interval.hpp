// Interval arithmetic: closed intervals of reals that enclose every value of an operation over their operands.
//
// Bounds are rounded outward: a sum or product by one unit of the last digit where it is not exact (its error is formed
// without error), what the C library computes by kLibraryUnits. Infinite bounds stand for unbounded sets of finite
// numbers, so that 0*[-inf, inf] is 0. As in IEEE 1788 an operation is taken on the part of its operands where it is
// defined, log([-1, 1]) is [-inf, 0], and a decoration says whether that was all of them.
// Source: R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis (2009), sections 2, 5, 6.
#pragma once

#include <limits>

namespace gwrm::expression {

enum class Function;

struct Interval {
  double lower = 0.0, upper = 0.0;  // lower <= upper, lower < inf, upper > -inf; never NaN
  // Finite for all values of the operands; false: somewhere it may be undefined or infinite, by a division by zero, the
  // logarithm of a negative number, overflow. Inherited by all that is computed from it.
  bool defined = true;

  bool holds(double z) const { return lower <= z && z <= upper; }
  bool bounded() const {
    return lower >= std::numeric_limits<double>::lowest() && upper <= std::numeric_limits<double>::max();
  }
  double width() const { return upper - lower; }
  double magnitude() const { return -lower > upper ? -lower : upper; }  // largest |z|
  bool operator==(const Interval&) const = default;
};

// Rounding units (of 2^-52) granted to the functions of the C library, whose errors are below 2 (glibc's manual).
inline constexpr double kLibraryUnits = 4.0;

constexpr Interval point_interval(double z) {
  return {z, z, true};
}
Interval entire(bool defined);                             // all reals
Interval enclose(double a, double b);                      // [min, max]
Interval intersect(const Interval& a, const Interval& b);  // of two enclosures of one set: never empty

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);
Interval power(const Interval& base, const Interval& exponent);
Interval power(const Interval& base, double exponent);
Interval square(const Interval& a);

// The values of the language's functions of one argument, and of its derivative. Where abs has a kink, the derivative
// is [-1, 1], which every difference quotient lies in; where step and sign jump, it is all reals.
Interval apply(Function function, const Interval& z);
Interval slope(Function function, const Interval& z);
Interval minimum(const Interval& a, const Interval& b);
Interval maximum(const Interval& a, const Interval& b);
Interval angle(const Interval& y, const Interval& x);  // atan2(y, x)

}  // namespace gwrm::expression
