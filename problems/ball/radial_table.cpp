#include "problems/ball/radial_table.hpp"

#include <array>
#include <cmath>

#include "kernels/transform/gauss_legendre.hpp"

namespace gwrm::ball {

RadialTable::RadialTable(Index l, Index highest, std::span<const double> radii) {
  using Real = long double;
  const auto n_radii = static_cast<Index>(radii.size());
  for (Matrix* matrix : {&value, &over_r, &spread, &slope, &laplacian, &bilaplacian})
    matrix->setZero(highest + 1, n_radii);
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
    std::array<Real, 5> g{std::sqrt(2 * degree + 3)}, last{}, next{};             // g_n and its derivatives
    for (Index n = 0;; ++n) {
      value(n, j) = static_cast<double>(power * g[0]);
      over_r(n, j) = static_cast<double>(below * g[0]);
      spread(n, j) = static_cast<double>((degree + 1) * below * g[0] + 4 * power * r * g[1]);
      slope(n, j) = static_cast<double>(degree * below * g[0] + 4 * power * r * g[1]);
      // D g, (D g)' and (D g)''.
      const Real of_slope = 4 * (2 * degree + 3), of_curvature = 8 * (1 + x);
      const Real d = of_curvature * g[2] + of_slope * g[1], d1 = of_curvature * g[3] + (of_slope + 8) * g[2],
                 d2 = of_curvature * g[4] + (of_slope + 16) * g[3];
      laplacian(n, j) = static_cast<double>(power * d);
      bilaplacian(n, j) = static_cast<double>(power * (of_curvature * d2 + of_slope * d1));
      if (n == highest) break;
      const Real a = diagonal(n), up = off(n + 1), down = n == 0 ? Real(0) : off(n);
      next[0] = ((x - a) * g[0] - down * last[0]) / up;
      for (std::size_t k = 1; k < g.size(); ++k)
        next[k] = (static_cast<Real>(k) * g[k - 1] + (x - a) * g[k] - down * last[k]) / up;
      last = g;
      g = next;
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
