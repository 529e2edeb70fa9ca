// Polynomials in x, y, z with exact derivatives and integrals over balls: an oracle for fields in the sphere.
#pragma once

#include <array>
#include <cmath>
#include <map>

namespace gwrm::test {

class Polynomial {
 public:
  using Real = long double;  // monomials of high degree cancel
  using Powers = std::array<int, 3>;

  Polynomial() = default;
  explicit Polynomial(Real value) {
    if (value != 0.0) terms_[{0, 0, 0}] = value;
  }
  static Polynomial coordinate(std::size_t axis) {
    Polynomial p;
    Powers powers{0, 0, 0};
    powers[axis] = 1;
    p.terms_[powers] = 1.0;
    return p;
  }

  Polynomial derivative(std::size_t axis) const {
    Polynomial result;
    for (const auto& [powers, value] : terms_)
      if (powers[axis] > 0) {
        Powers lower = powers;
        const Real factor = lower[axis]--;
        result.terms_[lower] += factor * value;
      }
    return result;
  }
  Real value(Real x, Real y, Real z) const {
    Real sum = 0.0;
    for (const auto& [powers, value] : terms_)
      sum += value * std::pow(x, powers[0]) * std::pow(y, powers[1]) * std::pow(z, powers[2]);
    return sum;
  }
  const std::map<Powers, Real>& terms() const { return terms_; }

  // At x / radius.
  Polynomial of_radius(Real radius) const {
    Polynomial result;
    for (const auto& [powers, value] : terms_)
      result.terms_[powers] = value / std::pow(radius, powers[0] + powers[1] + powers[2]);
    return result;
  }
  // int x^a y^b z^c = R^(d+3)/(d+3) 2 G((a+1)/2) G((b+1)/2) G((c+1)/2) / G((d+3)/2), all even; d = a + b + c.
  Real integral(Real radius = 1) const {
    Real sum = 0.0;
    for (const auto& [powers, value] : terms_) {
      const auto [a, b, c] = powers;
      if (a % 2 != 0 || b % 2 != 0 || c % 2 != 0) continue;
      const Real d = a + b + c;
      sum += value * std::pow(radius, d + 3) / (d + 3) * 2 * gamma_of_half(a + 1) * gamma_of_half(b + 1) *
             gamma_of_half(c + 1) / gamma_of_half(a + b + c + 3);
    }
    return sum;
  }

  Polynomial& operator+=(const Polynomial& other) {
    for (const auto& [powers, value] : other.terms_) terms_[powers] += value;
    return *this;
  }
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a += -1.0 * b; }
  friend Polynomial operator*(Real factor, Polynomial a) {
    for (auto& [powers, value] : a.terms_) value *= factor;
    return a;
  }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [p, u] : a.terms_)
      for (const auto& [q, v] : b.terms_) result.terms_[{p[0] + q[0], p[1] + q[1], p[2] + q[2]}] += u * v;
    return result;
  }

 private:
  // Gamma(n / 2).
  static Real gamma_of_half(int n) {
    Real value = n % 2 == 0 ? 1.0L : 1.772453850905516027298167483341145L;
    for (int k = n % 2 == 0 ? 2 : 1; k < n; k += 2) value *= k / 2.0L;
    return value;
  }

  std::map<Powers, Real> terms_;
};

using PolynomialVector = std::array<Polynomial, 3>;

inline PolynomialVector cross(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Polynomial dot(const PolynomialVector& a, const PolynomialVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline PolynomialVector gradient(const Polynomial& f) {
  return {f.derivative(0), f.derivative(1), f.derivative(2)};
}
inline PolynomialVector curl(const PolynomialVector& a) {
  return {a[2].derivative(1) - a[1].derivative(2), a[0].derivative(2) - a[2].derivative(0),
          a[1].derivative(0) - a[0].derivative(1)};
}
inline PolynomialVector position() {
  return {Polynomial::coordinate(0), Polynomial::coordinate(1), Polynomial::coordinate(2)};
}
inline PolynomialVector times(const Polynomial& f, const PolynomialVector& a) {
  return {f * a[0], f * a[1], f * a[2]};
}
inline PolynomialVector sum(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

}  // namespace gwrm::test
