// The numbers that banded systems are made of: double, DoubleDouble and Complex, with the operations that the solvers
// need of all three.
//
// Complex   has the layout of std::complex<double> (complex_numbers() looks at an array of these); division by
//           (a conj b) / |b|^2, right for moduli between 1e-150 and 1e150. The standard's own asks for infinities in
//           every product and has no functions for a device.
// Single    precision is refused, at compile time: an isolated solve loses up to n^(1/2) (bidiagonal, beta near -1/2)
// or
//           n^2 (tridiagonal) units in the last place, so that of seven digits too few are left, and a solve is bound
//           by memory where half the bytes would gain little beside that loss.
// Included by device code as well, which says what marks a function of both sides (GWRM_BOTH_SIDES).
#pragma once

#ifndef __CUDACC_RTC__
#include <complex>
#endif

#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES
#endif
#include "kernels/linear_algebra/double_double.hpp"

namespace gwrm {

struct Complex {
  double real = 0.0;
  double imaginary = 0.0;
};

GWRM_BOTH_SIDES inline Complex operator-(Complex a) {
  return {-a.real, -a.imaginary};
}
GWRM_BOTH_SIDES inline Complex operator+(Complex a, Complex b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
GWRM_BOTH_SIDES inline Complex operator-(Complex a, Complex b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
GWRM_BOTH_SIDES inline Complex operator*(Complex a, Complex b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
GWRM_BOTH_SIDES inline Complex operator/(Complex a, Complex b) {
  const double square = b.real * b.real + b.imaginary * b.imaginary;
  return {(a.real * b.real + a.imaginary * b.imaginary) / square,
          (a.imaginary * b.real - a.real * b.imaginary) / square};
}

#ifndef __CUDACC_RTC__
inline Complex* complex_numbers(std::complex<double>* numbers) {
  return reinterpret_cast<Complex*>(numbers);
}
inline const Complex* complex_numbers(const std::complex<double>* numbers) {
  return reinterpret_cast<const Complex*>(numbers);
}
#endif

// What a number is made of, in doubles: how it is exchanged between lanes and kept in shared memory.
template <class Number>
struct BandedNumber {
  static_assert(sizeof(Number) == 0,
                "banded systems are solved in double, double-double and complex double; single precision is refused: "
                "kernels/banded/numbers.hpp");
};
template <>
struct BandedNumber<double> {
  static constexpr int kWords = 1;
  GWRM_BOTH_SIDES static double of(double value) { return value; }
  GWRM_BOTH_SIDES static double word(double a, int) { return a; }
  GWRM_BOTH_SIDES static void set_word(double& a, int, double value) { a = value; }
  GWRM_BOTH_SIDES static double size(double a) { return a; }  // is zero or not finite where the number is
};
template <>
struct BandedNumber<DoubleDouble> {
  static constexpr int kWords = 2;
  GWRM_BOTH_SIDES static DoubleDouble of(double value) { return {value, 0.0}; }
  GWRM_BOTH_SIDES static double word(DoubleDouble a, int k) { return k == 0 ? a.high : a.low; }
  GWRM_BOTH_SIDES static void set_word(DoubleDouble& a, int k, double value) { (k == 0 ? a.high : a.low) = value; }
  GWRM_BOTH_SIDES static double size(DoubleDouble a) { return a.high; }
};
template <>
struct BandedNumber<Complex> {
  static constexpr int kWords = 2;
  GWRM_BOTH_SIDES static Complex of(double value) { return {value, 0.0}; }
  GWRM_BOTH_SIDES static double word(Complex a, int k) { return k == 0 ? a.real : a.imaginary; }
  GWRM_BOTH_SIDES static void set_word(Complex& a, int k, double value) { (k == 0 ? a.real : a.imaginary) = value; }
  GWRM_BOTH_SIDES static double size(Complex a) {
    return (a.real < 0.0 ? -a.real : a.real) + (a.imaginary < 0.0 ? -a.imaginary : a.imaginary);
  }
};

template <class Number>
GWRM_BOTH_SIDES inline Number number(double value) {
  return BandedNumber<Number>::of(value);
}

// Whether one can divide by a: not zero, not infinite, no NaN.
template <class Number>
GWRM_BOTH_SIDES inline bool is_pivot(Number a) {
  const double size = BandedNumber<Number>::size(a);
  return size != 0.0 && size - size == 0.0;
}

}  // namespace gwrm
