// Coefficients of vector harmonics one by one, and components of vectors at a point: what the CPU and the device have
// in common.
//
// Formulas  vector_harmonics.hpp.
#pragma once

#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES
#endif
#include <math.h>

namespace gwrm::vector_harmonics {

struct Complex {
  double re, im;
};
GWRM_BOTH_SIDES inline Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
GWRM_BOTH_SIDES inline Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
GWRM_BOTH_SIDES inline Complex operator*(double f, Complex a) {
  return {f * a.re, f * a.im};
}
GWRM_BOTH_SIDES inline Complex turned(Complex a) {  // i a
  return {-a.im, a.re};
}

GWRM_BOTH_SIDES inline double number(long long l) {
  return static_cast<double>(l);
}
GWRM_BOTH_SIDES inline double root(long long above, long long below) {
  return above <= 0 ? 0.0 : ::sqrt(number(above) / number(below));
}
GWRM_BOTH_SIDES inline double e(long long l, long long m) {
  return root(l * l - m * m, 4 * l * l - 1);
}
GWRM_BOTH_SIDES inline double a(long long l, long long m) {
  return root((l + m + 1) * (l + m + 2), (2 * l + 1) * (2 * l + 3));
}
GWRM_BOTH_SIDES inline double b(long long l, long long m) {
  return root((l - m) * (l - m - 1), (2 * l - 1) * (2 * l + 1));
}
GWRM_BOTH_SIDES inline double c(long long l, long long m) {  // of L_+ on Y_l^m, and of L_- on Y_l^(m+1)
  return root((l - m) * (l + m + 1), 1);
}

GWRM_BOTH_SIDES inline long long place(long long degree, long long l, long long m) {
  return m * (degree + 1) - m * (m - 1) / 2 + l - m;
}

// Coefficients of a degree, real and imaginary parts in turn; zero where there are none. The imaginary part of order 0
// counts as zero.
struct Coefficients {
  const double* values;
  long long degree;
  GWRM_BOTH_SIDES Complex operator()(long long l, long long m) const {
    if (m < 0 || l < m || l > degree) return {0.0, 0.0};
    const double* value = values + 2 * place(degree, l, m);
    return {value[0], m == 0 ? 0.0 : value[1]};
  }
};
GWRM_BOTH_SIDES inline void store(Complex value, double* values, long long at, long long m) {
  values[2 * at] = value.re;
  values[2 * at + 1] = m == 0 ? 0.0 : value.im;
}

// Coefficients (l, m) of the components x, y, z, `n` complex numbers apart, of degree `degree`.
GWRM_BOTH_SIDES inline void components_at(const Coefficients& S, const Coefficients& T, long long degree, long long l,
                                          long long m, double* components, long long n) {
  const Complex plus = -number(l - 1) * a(l - 1, m - 1) * S(l - 1, m - 1) -
                       number(l + 2) * b(l + 1, m - 1) * S(l + 1, m - 1) + turned(c(l, m - 1) * T(l, m - 1));
  const Complex minus = number(l - 1) * a(l - 1, -m - 1) * S(l - 1, m + 1) +
                        number(l + 2) * b(l + 1, -m - 1) * S(l + 1, m + 1) + turned(c(l, m) * T(l, m + 1));
  const Complex z =
      -number(l - 1) * e(l, m) * S(l - 1, m) + number(l + 2) * e(l + 1, m) * S(l + 1, m) - turned(number(m) * T(l, m));
  // x = (plus + minus) / 2, y = (plus - minus) / 2i; of order 0 plus is the conjugate of minus
  const long long at = place(degree, l, m);
  store(m == 0 ? minus : 0.5 * (plus + minus), components, at, m);
  store(m == 0 ? Complex{-minus.im, 0.0} : -0.5 * turned(plus - minus), components, at + n, m);
  store(z, components, at + 2 * n, m);
}

// Coefficients (l, m) of the parts, of degree `degree`.
GWRM_BOTH_SIDES inline void parts_at(const Coefficients& x, const Coefficients& y, const Coefficients& z,
                                     long long degree, long long l, long long m, double* s, double* t) {
  const auto plus = [&](long long k, long long i) { return 0.5 * (x(k, i) + turned(y(k, i))); };
  const auto minus = [&](long long k, long long i) { return 0.5 * (x(k, i) - turned(y(k, i))); };
  const double twice = m == 0 ? 2.0 : 1.0;  // orders but 0 count twice in the scalar product
  const Complex of_z = -number(l) * e(l + 1, m) * z(l + 1, m) + number(l + 1) * e(l, m) * z(l - 1, m);
  const Complex of_plus =
      twice * (number(l) * a(l, m) * plus(l + 1, m + 1) + number(l + 1) * b(l, m) * plus(l - 1, m + 1));
  const Complex of_minus = number(l) * a(l, -m) * minus(l + 1, m - 1) + number(l + 1) * b(l, -m) * minus(l - 1, m - 1);
  const Complex curl =
      turned(number(m) * z(l, m) - twice * c(l, m) * plus(l, m + 1) - (m == 0 ? 0.0 : c(l, m - 1)) * minus(l, m - 1));
  const double scale = l == 0 ? 0.0 : 1.0 / (number(l) * number(l + 1));
  store(scale * (of_z - of_plus + of_minus), s, place(degree, l, m), m);
  store(scale * curl, t, place(degree, l, m), m);
}

// Cosine and sine of theta and phi at a point of the grid.
struct Angles {
  double cosine_theta, sine_theta, cosine_phi, sine_phi;

  GWRM_BOTH_SIDES double theta_part(double x, double y, double z) const {
    return cosine_theta * (cosine_phi * x + sine_phi * y) - sine_theta * z;
  }
  GWRM_BOTH_SIDES double phi_part(double x, double y) const { return cosine_phi * y - sine_phi * x; }
  GWRM_BOTH_SIDES double x(double theta, double phi) const {
    return cosine_theta * cosine_phi * theta - sine_phi * phi;
  }
  GWRM_BOTH_SIDES double y(double theta, double phi) const {
    return cosine_theta * sine_phi * theta + cosine_phi * phi;
  }
  GWRM_BOTH_SIDES double z(double theta) const { return -sine_theta * theta; }
};

}  // namespace gwrm::vector_harmonics
