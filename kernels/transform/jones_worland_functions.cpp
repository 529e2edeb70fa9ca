#include "kernels/transform/jones_worland_functions.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/linear_algebra/double_double.hpp"

namespace gwrm {
namespace {

constexpr DoubleDouble kDoubleDoublePi{3.141592653589793116, 1.2246467991473531772e-16};

DoubleDouble number(Index n) {
  return {static_cast<double>(n), 0.0};
}

// cos(pi p / q), 0 <= 2p <= q: the series of cosine or sine of an angle up to pi/4.
DoubleDouble cosine(Index p, Index q) {
  const bool sine = 4 * p > q;
  const DoubleDouble x = kDoubleDoublePi * number(sine ? q - 2 * p : p) / number(sine ? 2 * q : q), square = x * x;
  DoubleDouble term = sine ? x : DoubleDouble{1.0, 0.0}, sum = term;
  for (Index k = sine ? 2 : 1; std::abs(term.high) > 1e-34 * std::abs(sum.high); k += 2) {
    term = -(term * square) / number(k * (k + 1));
    sum = sum + term;
  }
  return sum;
}

// A number times a power of two.
struct ScaledJacobi {
  DoubleDouble value;
  long exponent = 0;

  // |value| in [1/2, 1).
  void normalise() {
    int shift = 0;
    std::frexp(value.high, &shift);
    value = {std::ldexp(value.high, -shift), std::ldexp(value.low, -shift)};
    exponent += shift;
  }
};

ScaledJacobi power(DoubleDouble base, Index exponent) {
  ScaledJacobi result{{1.0, 0.0}}, square{base};
  square.normalise();
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) {
      result = {result.value * square.value, result.exponent + square.exponent};
      result.normalise();
    }
    square = {square.value * square.value, 2 * square.exponent};
    square.normalise();
  }
  return result;
}

struct JacobiRecurrence {
  std::vector<DoubleDouble> a, b, inverse_b;  // of A_n, B_n, B_(n+1)
  DoubleDouble first;                         // p_0
};

// In whole numbers: with s = 2n + a + b = 2n + l - 1, b^2 - a^2 = l (l - 1) and
// 4n(n+a)(n+b)(n+a+b) = n (2n-1) (2n+2l-1) (n+l-1).
JacobiRecurrence recurrence_of(Index l, Index n) {
  JacobiRecurrence r;
  DoubleDouble h = kDoubleDoublePi * 0.5;
  for (Index k = 1; k <= l; ++k) h = h * number(2 * k - 1) / number(2 * k);
  r.first = DoubleDouble{1.0, 0.0} / sqrt(h);
  for (Index i = 0; i <= n; ++i) {
    const DoubleDouble s = number(2 * i + l - 1);
    if (i == 0) {
      r.a.push_back(number(l) / number(l + 1));
      r.b.push_back({});
      continue;
    }
    r.a.push_back(number(l) * number(l - 1) / (s * number(2 * i + l + 1)));
    const DoubleDouble square = i == 1 ? number(2 * l + 1) / (number(l + 1) * number(l + 1) * number(l + 2))
                                       : number(i) * number(2 * i - 1) * number(2 * i + 2 * l - 1) * number(i + l - 1) /
                                             (s * s * (s * s - DoubleDouble{1.0, 0.0}));
    r.b.push_back(sqrt(square));
    r.inverse_b.push_back(DoubleDouble{1.0, 0.0} / r.b.back());
  }
  return r;
}

}  // namespace

std::vector<double> jones_worland_functions(Index l, Index n, Index n_points) {
  constexpr int kShift = 500;  // in powers of two, taken out of both numbers of the recurrence where they grow
  const JacobiRecurrence recurrence = recurrence_of(l, n);
  std::vector<double> w(static_cast<std::size_t>(n * n_points));
  for (Index k = 0; k < n_points; ++k) {
    const DoubleDouble r = cosine(2 * k + 1, 4 * n_points);
    const DoubleDouble x = r * r * 2.0 - DoubleDouble{1.0, 0.0};
    const ScaledJacobi r_l = power(r, l);
    DoubleDouble before{}, p = recurrence.first;
    long exponent = r_l.exponent;
    for (Index i = 0; i < n; ++i) {
      const DoubleDouble value = p * r_l.value;
      w[static_cast<std::size_t>(i * n_points + k)] =
          std::ldexp(value.high + value.low, static_cast<int>(std::max(exponent, -4000L)));
      const std::size_t m = static_cast<std::size_t>(i);
      const DoubleDouble next = ((x - recurrence.a[m]) * p - recurrence.b[m] * before) * recurrence.inverse_b[m];
      before = p;
      p = next;
      if (std::abs(p.high) > 0x1p500) {
        for (DoubleDouble* q : {&before, &p}) *q = {std::ldexp(q->high, -kShift), std::ldexp(q->low, -kShift)};
        exponent += kShift;
      }
    }
  }
  return w;
}

}  // namespace gwrm
