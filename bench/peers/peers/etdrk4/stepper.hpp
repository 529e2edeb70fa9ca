// Exponential time differencing of fourth order (Cox and Matthews 2002) for u' = L u + N(u), L diagonal.
//
//   a = e^{z/2} u + Q N(u),  b = e^{z/2} u + Q N(a),  c = e^{z/2} a + Q (2 N(b) - N(u)),  z = h L
//   u+ = e^z u + f1 N(u) + f2 (N(a) + N(b)) + f3 N(c)
//
// Q = h (e^{z/2} - 1)/z, f1 = h (-4 - z + e^z (4 - 3z + z^2))/z^3, f2 = 2h (2 + z + e^z (z - 2))/z^3,
// f3 = h (-4 - 3z - z^2 + e^z (4 - z))/z^3 lose all digits where z is small: they are means over a circle of radius 1
// around z (Kassam and Trefethen 2005), 64 points, where the trapezoidal rule is exact to rounding.
#pragma once

#include <functional>
#include <map>
#include <type_traits>

#include "periodic_transform.hpp"

namespace etdrk4 {

// Number: double where all of L is real, Complex where not (dispersion).
template <class Number>
class Stepper {
 public:
  using Nonlinear = std::function<void(const Complex* modes, Complex* result)>;

  Stepper(const std::vector<Complex>& linear, double step) : n_(linear.size()) {
    for (auto* list : {&half_, &whole_, &q_, &f1_, &f2_, &f3_}) list->resize(n_);
    std::map<std::pair<double, double>, std::size_t> known;  // L depends on |k|^2: few of its values differ
    for (std::size_t i = 0; i < n_; ++i) {
      const auto [first, is_new] = known.try_emplace({linear[i].real(), linear[i].imag()}, i);
      if (is_new)
        set(i, step * linear[i], step);
      else
        for (auto* list : {&half_, &whole_, &q_, &f1_, &f2_, &f3_}) (*list)[i] = (*list)[first->second];
    }
  }

  void step(Complex* u, const Nonlinear& nonlinear) {
    nonlinear(u, n0_.data());
    for (std::size_t i = 0; i < n_; ++i) {
      decayed_[i] = half_[i] * u[i];
      a_[i] = decayed_[i] + q_[i] * n0_[i];
    }
    nonlinear(a_.data(), n1_.data());
    for (std::size_t i = 0; i < n_; ++i) b_[i] = decayed_[i] + q_[i] * n1_[i];
    nonlinear(b_.data(), n2_.data());
    for (std::size_t i = 0; i < n_; ++i) {
      b_[i] = half_[i] * a_[i] + q_[i] * (2.0 * n2_[i] - n0_[i]);
      n1_[i] += n2_[i];
    }
    nonlinear(b_.data(), n2_.data());
    for (std::size_t i = 0; i < n_; ++i) u[i] = whole_[i] * u[i] + f1_[i] * n0_[i] + f2_[i] * n1_[i] + f3_[i] * n2_[i];
  }

 private:
  static Number part(Complex mean) {
    if constexpr (std::is_same_v<Number, double>)
      return mean.real();
    else
      return mean;
  }

  void set(std::size_t i, Complex z, double step) {
    // For a real z the lower half of the circle gives the conjugates.
    constexpr int n_circle = std::is_same_v<Number, double> ? 32 : 64;
    constexpr double angle = std::is_same_v<Number, double> ? std::numbers::pi : 2 * std::numbers::pi;
    Complex q = 0, f1 = 0, f2 = 0, f3 = 0;
    for (int j = 0; j < n_circle; ++j) {
      const Complex r = z + std::polar(1.0, angle * (j + 0.5) / n_circle);
      const Complex e = std::exp(r), cube = r * r * r;
      q += (std::exp(r / 2.0) - 1.0) / r;
      f1 += (-4.0 - r + e * (4.0 - 3.0 * r + r * r)) / cube;
      f2 += 2.0 * (2.0 + r + e * (r - 2.0)) / cube;
      f3 += (-4.0 - 3.0 * r - r * r + e * (4.0 - r)) / cube;
    }
    const double weight = step / n_circle;
    half_[i] = part(std::exp(z / 2.0));
    whole_[i] = part(std::exp(z));
    q_[i] = part(weight * q);
    f1_[i] = part(weight * f1);
    f2_[i] = part(weight * f2);
    f3_[i] = part(weight * f3);
  }

  std::size_t n_;
  std::vector<Number> half_, whole_, q_, f1_, f2_, f3_;
  Buffer<Complex> n0_{n_}, n1_{n_}, n2_{n_}, a_{n_}, b_{n_}, decayed_{n_};
};

}  // namespace etdrk4
