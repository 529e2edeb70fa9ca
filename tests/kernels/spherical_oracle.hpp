// Spherical harmonics in quadruple precision, for oracles: nodes by Newton's method, functions by the recurrence along
// the degree from the closed form of Pbar_m^m, waves by the series of cosine and sine.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "quadruple_angles.hpp"

namespace gwrm::test {

struct GaussNode {
  Quadruple x, weight;
};

// The root of P_n near x.
inline GaussNode gauss_node(Index n, Quadruple x) {
  Quadruple slope = 0;
  for (int step = 0; step < 4; ++step) {
    Quadruple before = 1, value = x;
    for (Index k = 1; k < n; ++k) {
      const Quadruple next = ((2 * k + 1) * x * value - k * before) / (k + 1);
      before = value;
      value = next;
    }
    slope = n * (before - x * value) / (1 - x * x);
    if (step < 3) x -= value / slope;
  }
  return {x, 2 / ((1 - x * x) * slope * slope)};
}

inline Quadruple root_of(Quadruple a) {
  return a <= 0 ? Quadruple(0) : square_root(a);
}

// Pbar_l^m(x), l = m..degree, orthonormal on [-1, 1]: of degree l from those of l - 1 and l - 2.
inline std::vector<Quadruple> legendre_functions(Index degree, Index m, Quadruple x) {
  Quadruple value = root_of(Quadruple(1) / 2), before = 0;
  for (Index i = 1; i <= m; ++i) value *= root_of((2 * i + 1) * (1 - x * x) / (2 * i));
  std::vector<Quadruple> result{value};
  const auto e = [m](Index l) { return root_of(Quadruple(l * l - m * m) / (4 * l * l - 1)); };
  for (Index l = m + 1; l <= degree; ++l) {
    const Quadruple next = (x * value - e(l - 1) * before) / e(l);
    before = value;
    value = next;
    result.push_back(value);
  }
  return result;
}

}  // namespace gwrm::test
