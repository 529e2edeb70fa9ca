// Short transforms sum_k x_k exp(-2 pi i r k / R), R = 2, 3, 4, 5, 6, 8, 9, 10, 12, of numbers in registers.
//
// Cost      additions 4, 12, 16, 32, 36, 52, 80, 84, 96 and multiplications 0, 4, 0, 12, 8, 4, 40, 24, 16 (real).
// Source    6, 10, 12: products of two coprime lengths without factors between them (Good, J. R. Statist. Soc. B 20
// (1958) 361). Real      double, or Eight: as many lines side by side. The compiler splits Eight where registers are
// shorter; loops over
//           lanes it did not vectorise.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/vector_clones.hpp"

namespace gwrm::cpu::butterfly {

typedef double Eight __attribute__((vector_size(64)));  // of GCC and clang; aligned to 64 bytes
template <int width>
struct VectorOf {
  typedef double Type __attribute__((vector_size(width * 8)));
};
template <int width>
using Vector = typename VectorOf<width>::Type;

// Eight numbers in as many registers as they take, each a variable of its own for the compiler.
template <int width>
struct InParts {
  static constexpr int kParts = 8 / width;
  Vector<width> part[kParts];
};
template <int width>
GWRM_INLINE InParts<width> operator+(InParts<width> a, InParts<width> b) {
  for (int e = 0; e < a.kParts; ++e) a.part[e] += b.part[e];
  return a;
}
template <int width>
GWRM_INLINE InParts<width> operator-(InParts<width> a, InParts<width> b) {
  for (int e = 0; e < a.kParts; ++e) a.part[e] -= b.part[e];
  return a;
}
template <int width>
GWRM_INLINE InParts<width> operator-(InParts<width> a) {
  for (int e = 0; e < a.kParts; ++e) a.part[e] = -a.part[e];
  return a;
}
template <int width>
GWRM_INLINE InParts<width> operator*(double f, InParts<width> a) {
  for (int e = 0; e < a.kParts; ++e) a.part[e] *= f;
  return a;
}
template <int width>
using EightIn = std::conditional_t<width == 8, Eight, InParts<width>>;

template <class Real>
GWRM_INLINE Real load(const double* from) {  // from any address
  Real value;
  __builtin_memcpy(&value, from, sizeof(Real));
  return value;
}
template <class Real>
GWRM_INLINE void store(double* to, Real value) {
  __builtin_memcpy(to, &value, sizeof(Real));
}

template <class Real>
struct Number {
  Real re, im;
};

template <class Real>
GWRM_INLINE Number<Real> operator+(Number<Real> a, Number<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
GWRM_INLINE Number<Real> operator-(Number<Real> a, Number<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
GWRM_INLINE Number<Real> operator*(double f, Number<Real> a) {
  return {f * a.re, f * a.im};
}
template <class Real>
GWRM_INLINE Number<Real> operator*(Number<Real> a, Number<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// -i a
template <class Real>
GWRM_INLINE Number<Real> turned(Number<Real> a) {
  return {a.im, -a.re};
}

template <class Real>
GWRM_INLINE void exchange(Number<Real>& a, Number<Real>& b) {
  const Number<Real> c = a;
  a = b;
  b = c;
}

template <class Real>
GWRM_INLINE void two(Number<Real>& a, Number<Real>& b) {
  const Number<Real> difference = a - b;
  a = a + b;
  b = difference;
}

template <class Real>
GWRM_INLINE void three(Number<Real>& a, Number<Real>& b, Number<Real>& c) {
  constexpr double kSine = 0.86602540378443864676;  // sin(2 pi / 3)
  const Number<Real> sum = b + c, half = a - 0.5 * sum, side = kSine * turned(b - c);
  a = a + sum;
  b = half + side;
  c = half - side;
}

template <class Real>
GWRM_INLINE void four(Number<Real>& a, Number<Real>& b, Number<Real>& c, Number<Real>& d) {
  const Number<Real> s = a + c, t = a - c, u = b + d, v = turned(b - d);
  a = s + u;
  b = t + v;
  c = s - u;
  d = t - v;
}

template <class Real>
GWRM_INLINE void five(Number<Real>& a, Number<Real>& b, Number<Real>& c, Number<Real>& d, Number<Real>& e) {
  constexpr double kCosine1 = 0.30901699437494742410, kCosine2 = -0.80901699437494742410;  // of 2 pi / 5, 4 pi / 5
  constexpr double kSine1 = 0.95105651629515357212, kSine2 = 0.58778525229247312917;
  const Number<Real> s1 = b + e, s2 = c + d, d1 = turned(b - e), d2 = turned(c - d);
  const Number<Real> u = a + kCosine1 * s1 + kCosine2 * s2, v = a + kCosine2 * s1 + kCosine1 * s2;
  const Number<Real> p = kSine1 * d1 + kSine2 * d2, q = kSine2 * d1 - kSine1 * d2;
  a = a + (s1 + s2);
  b = u + p;
  c = v + q;
  d = v - q;
  e = u - p;
}

// Two of four, of the even and of the odd numbers.
template <class Real>
GWRM_INLINE void eight(Number<Real>& x0, Number<Real>& x1, Number<Real>& x2, Number<Real>& x3, Number<Real>& x4,
                       Number<Real>& x5, Number<Real>& x6, Number<Real>& x7) {
  constexpr double kHalfRoot = 0.70710678118654752440;
  four(x0, x2, x4, x6);
  four(x1, x3, x5, x7);
  const Number<Real> w1 = kHalfRoot * Number<Real>{x3.re + x3.im, x3.im - x3.re};   // exp(-i pi / 4) x3
  const Number<Real> w2 = turned(x5);                                               // exp(-i pi / 2) x5
  const Number<Real> w3 = kHalfRoot * Number<Real>{x7.im - x7.re, -x7.re - x7.im};  // exp(-3 i pi / 4) x7
  const Number<Real> e0 = x0, e1 = x2, e2 = x4, e3 = x6, o0 = x1;
  x0 = e0 + o0;
  x4 = e0 - o0;
  x1 = e1 + w1;
  x5 = e1 - w1;
  x2 = e2 + w2;
  x6 = e2 - w2;
  x3 = e3 + w3;
  x7 = e3 - w3;
}

// n = 3 n1 + 2 n2 and r = 3 r1 + 4 r2 mod 6: exp(-2 pi i n r / 6) is the product of those of 2 and of 3.
template <class Real>
GWRM_INLINE void six(Number<Real> (&x)[6]) {
  three(x[0], x[2], x[4]);
  three(x[3], x[5], x[1]);
  two(x[0], x[3]);
  two(x[2], x[5]);
  two(x[4], x[1]);
  exchange(x[1], x[5]);
  exchange(x[2], x[4]);
}

// Three of three, and factors between them.
template <class Real>
GWRM_INLINE void nine(Number<Real> (&x)[9]) {
  // cos and -sin of 2 pi / 9, 4 pi / 9, 8 pi / 9
  constexpr Number<double> w1{0.76604444311897803520, -0.64278760968653932632},
      w2{0.17364817766693034885, -0.98480775301220805937}, w4{-0.93969262078590838405, -0.34202014332566873304};
  const auto times = [](Number<double> w, Number<Real> a) GWRM_LAMBDA_INLINE {
    return Number<Real>{w.re * a.re - w.im * a.im, w.re * a.im + w.im * a.re};
  };
  three(x[0], x[3], x[6]);
  three(x[1], x[4], x[7]);
  three(x[2], x[5], x[8]);
  x[4] = times(w1, x[4]);
  x[7] = times(w2, x[7]);
  x[5] = times(w2, x[5]);
  x[8] = times(w4, x[8]);
  three(x[0], x[1], x[2]);
  three(x[3], x[4], x[5]);
  three(x[6], x[7], x[8]);
  exchange(x[1], x[3]);
  exchange(x[2], x[6]);
  exchange(x[5], x[7]);
}

// n = 5 n1 + 2 n2, r = 5 r1 + 6 r2 mod 10.
template <class Real>
GWRM_INLINE void ten(Number<Real> (&x)[10]) {
  five(x[0], x[2], x[4], x[6], x[8]);
  five(x[5], x[7], x[9], x[1], x[3]);
  two(x[0], x[5]);
  two(x[2], x[7]);
  two(x[4], x[9]);
  two(x[6], x[1]);
  two(x[8], x[3]);
  const Number<Real> x1 = x[1], x2 = x[2], x3 = x[3];
  x[1] = x[7];
  x[7] = x[9];
  x[9] = x3;
  x[3] = x1;
  x[2] = x[4];
  x[4] = x[8];
  x[8] = x[6];
  x[6] = x2;
}

// n = 3 n1 + 4 n2, r = 9 r1 + 4 r2 mod 12.
template <class Real>
GWRM_INLINE void twelve(Number<Real> (&x)[12]) {
  three(x[0], x[4], x[8]);
  three(x[3], x[7], x[11]);
  three(x[6], x[10], x[2]);
  three(x[9], x[1], x[5]);
  four(x[0], x[3], x[6], x[9]);
  four(x[4], x[7], x[10], x[1]);
  four(x[8], x[11], x[2], x[5]);
  exchange(x[1], x[7]);
  exchange(x[3], x[9]);
  exchange(x[5], x[11]);
}

template <class Real, std::size_t radix>
GWRM_INLINE void transform(Number<Real> (&x)[radix]) {
  if constexpr (radix == 2)
    two(x[0], x[1]);
  else if constexpr (radix == 3)
    three(x[0], x[1], x[2]);
  else if constexpr (radix == 4)
    four(x[0], x[1], x[2], x[3]);
  else if constexpr (radix == 5)
    five(x[0], x[1], x[2], x[3], x[4]);
  else if constexpr (radix == 6)
    six(x);
  else if constexpr (radix == 8)
    eight(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
  else if constexpr (radix == 9)
    nine(x);
  else if constexpr (radix == 10)
    ten(x);
  else
    twelve(x);
}

}  // namespace gwrm::cpu::butterfly
