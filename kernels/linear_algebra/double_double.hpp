// Numbers as unevaluated sums high + low of two doubles, |low| <= ulp(high)/2: about 32 digits.
//
// Source    Dekker (1971), Knuth (two_sum), Hida, Li and Bailey (2001): the "sloppy" sum is enough here, the carries of
//           the block recurrences lose at most a few 1e-32 of their largest term per step.
// Needs     arithmetic that is not reassociated (no -ffast-math). Included by device code as well, which says what
//           marks a function of both sides, and by code compiled at run time, which has no headers of the system.
#pragma once

#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES
#endif
#ifndef __CUDACC_RTC__
#include <math.h>
#endif

namespace gwrm {

struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;
};

// a + b exactly, for any a and b.
GWRM_BOTH_SIDES inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a + b exactly, for |a| >= |b| or a = 0.
GWRM_BOTH_SIDES inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

GWRM_BOTH_SIDES inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, fma(a, b, -product)};
}

GWRM_BOTH_SIDES inline DoubleDouble operator-(DoubleDouble a) {
  return {-a.high, -a.low};
}

GWRM_BOTH_SIDES inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble sum = two_sum(a.high, b.high);
  const DoubleDouble tail = two_sum(a.low, b.low);
  sum = quick_two_sum(sum.high, sum.low + tail.high);
  return quick_two_sum(sum.high, sum.low + tail.low);
}

GWRM_BOTH_SIDES inline DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble sum = two_sum(a.high, b);
  return quick_two_sum(sum.high, sum.low + a.low);
}

GWRM_BOTH_SIDES inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + -b;
}

GWRM_BOTH_SIDES inline DoubleDouble operator-(DoubleDouble a, double b) {
  return a + -b;
}

GWRM_BOTH_SIDES inline DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble product = two_product(a.high, b);
  return quick_two_sum(product.high, fma(a.low, b, product.low));
}

GWRM_BOTH_SIDES inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

GWRM_BOTH_SIDES inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  DoubleDouble rest = a - b * first;
  const double second = rest.high / b.high;
  rest = rest - b * second;
  return quick_two_sum(first, second) + rest.high / b.high;
}

#ifndef __CUDACC_RTC__
// For a > 0; 0 for a = 0. One step of Newton from the double's root.
inline DoubleDouble sqrt(DoubleDouble a) {
  if (a.high <= 0.0) return {};
  const double root = ::sqrt(a.high);
  return quick_two_sum(root, (a - two_product(root, root)).high / (2.0 * root));
}

// base^exponent by squaring, exponent >= 0.
inline DoubleDouble power(DoubleDouble base, long long exponent) {
  DoubleDouble result{1.0, 0.0};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = result * base;
    base = base * base;
  }
  return result;
}
#endif

}  // namespace gwrm
