#include "bench/transforms/jones_worland_definition.hpp"

#include <cmath>

namespace gwrm::bench {
namespace {

__extension__ typedef __float128 Quadruple;

Quadruple pi() {
  return static_cast<Quadruple>(3.141592653589793116) + static_cast<Quadruple>(1.2246467991473531772e-16) +
         static_cast<Quadruple>(-2.9947698097183396659e-33);
}

Quadruple root(Quadruple a) {
  Quadruple r = std::sqrt(static_cast<double>(a));
  for (int i = 0; i < 2; ++i) r = (r + a / r) / 2;
  return r;
}

// cos(pi p / q), 0 <= 2p <= q, by the series of the cosine or of the sine of the complement.
Quadruple cosine(Index p, Index q) {
  const bool sine = 4 * p > q;
  const Quadruple x = sine ? pi() * (q - 2 * p) / (2 * q) : pi() * p / q;
  Quadruple term = sine ? x : Quadruple(1), sum = term;
  for (int k = sine ? 2 : 1; k < 32; k += 2) {
    term *= -x * x / (k * (k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace

JonesWorlandDefinition::JonesWorlandDefinition(Index l, const std::vector<double>& f, const std::vector<double>& c) {
  const std::size_t n = c.size();
  const Index n_points = static_cast<Index>(f.size());
  const Quadruple a = Quadruple(-0.5), b = l - Quadruple(0.5);
  std::vector<Quadruple> u(n, 0), v(n, 0), w(n, 0), inverse_norm(n, 0), sums(n, 0);
  Quadruple h = pi() / 2;  // G(1/2) G(l+1/2) / (2 l!)
  for (Index k = 1; k <= l; ++k) h *= (k - Quadruple(0.5)) / k;
  for (std::size_t i = 0; i < n; ++i) {
    const Quadruple m = static_cast<Quadruple>(i), s = 2 * m + a + b;
    if (i == 1) {
      h *= (l + Quadruple(0.5)) / (2 * (l + Quadruple(2)));
      u[i] = (a + b + 2) / 2;
      v[i] = (a - b) / 2;
    } else if (i > 1) {
      h *= (m - Quadruple(0.5)) * (m + l - Quadruple(0.5)) * (2 * m + l - 2) / (m * (m + l - 1) * (2 * m + l));
      const Quadruple below = 2 * m * (m + a + b) * (s - 2);
      u[i] = (s - 1) * s * (s - 2) / below;
      v[i] = (s - 1) * (a * a - b * b) / below;
      w[i] = 2 * (m + a - 1) * (m + b - 1) * s / below;
    }
    inverse_norm[i] = 1 / root(h);
  }
  for (Index k = 0; k < n_points; ++k) {
    const Quadruple r = cosine(2 * k + 1, 4 * n_points), x = 2 * r * r - 1;
    const Quadruple given = f[static_cast<std::size_t>(k)] * pi() / (2 * n_points);
    Quadruple p = 1, before = 0, sum = 0;
    for (Index i = 0; i < l; ++i) p *= r;
    for (std::size_t i = 0; i < n; ++i) {
      const Quadruple value = p * inverse_norm[i];
      sum += value * c[i];
      sums[i] += value * given;
      if (i + 1 == n) break;
      const Quadruple next = (u[i + 1] * x + v[i + 1]) * p - w[i + 1] * before;
      before = p;
      p = next;
    }
    values_of_c.push_back(static_cast<double>(sum));
  }
  for (const Quadruple sum : sums) coefficients_of_f.push_back(static_cast<double>(sum));
}

}  // namespace gwrm::bench
