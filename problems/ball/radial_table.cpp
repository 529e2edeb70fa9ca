#include "problems/ball/radial_table.hpp"

#include <cmath>

#include "kernels/transform/gauss_legendre.hpp"

namespace gwrm::ball {

RadialTable::RadialTable(Index l, Index highest, std::span<const double> radii) {
  using Real = long double;
  const auto n_radii = static_cast<Index>(radii.size());
  for (Matrix* matrix : {&value, &over_r, &spread, &slope, &laplacian}) matrix->setZero(highest + 1, n_radii);
  const Real b = static_cast<Real>(l) + Real(0.5), degree = static_cast<Real>(l);
  const auto diagonal = [&](Index n) {  // A_n
    const Real k = 2 * static_cast<Real>(n) + b;
    return b * b / (k * (k + 2));
  };
  const auto off = [&](Index n) {  // B_n
    const Real m = static_cast<Real>(n), k = 2 * m + b;
    return 2 * m * (m + b) / (k * std::sqrt((k - 1) * (k + 1)));
  };
  for (Index j = 0; j < n_radii; ++j) {
    const Real r = radii[static_cast<std::size_t>(j)], x = 2 * r * r - 1;
    const Real power = std::pow(r, static_cast<Real>(l));                         // r^l
    const Real below = l == 0 ? Real(0) : std::pow(r, static_cast<Real>(l) - 1);  // r^(l-1)
    Real g = std::sqrt(2 * degree + 3), g1 = 0, g2 = 0, last = 0, last1 = 0, last2 = 0;
    for (Index n = 0;; ++n) {
      value(n, j) = static_cast<double>(power * g);
      over_r(n, j) = static_cast<double>(below * g);
      spread(n, j) = static_cast<double>((degree + 1) * below * g + 4 * power * r * g1);
      slope(n, j) = static_cast<double>(degree * below * g + 4 * power * r * g1);
      laplacian(n, j) = static_cast<double>(power * (8 * (1 + x) * g2 + 4 * (2 * degree + 3) * g1));
      if (n == highest) break;
      const Real a = diagonal(n), up = off(n + 1), down = n == 0 ? Real(0) : off(n);
      const Real next = ((x - a) * g - down * last) / up;
      const Real next1 = (g + (x - a) * g1 - down * last1) / up;
      const Real next2 = (2 * g1 + (x - a) * g2 - down * last2) / up;
      last = g, last1 = g1, last2 = g2;
      g = next, g1 = next1, g2 = next2;
    }
  }
}

// The positive half of Gauss-Legendre nodes of order 2n on (-1, 1): the integrands are even in r.
RadialNodes::RadialNodes(Index n) {
  const GaussHalf half = gauss_legendre_half(2 * n);
  for (std::size_t i = 0; i < half.cosine.size(); ++i) {
    radius.push_back(static_cast<double>(half.cosine[i]));
    weight.push_back(static_cast<double>(half.weight[i] * half.cosine[i] * half.cosine[i]));
  }
}

}  // namespace gwrm::ball
