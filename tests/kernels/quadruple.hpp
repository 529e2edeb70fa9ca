// Quadruple precision for oracles: the formulas as they are written, with rounding errors of 1e-34.
#pragma once

#include <cmath>

#include "kernels/linear_algebra/double_double.hpp"

namespace gwrm::test {

__extension__ typedef __float128 Quadruple;

inline Quadruple quadruple(DoubleDouble a) {
  return static_cast<Quadruple>(a.high) + a.low;
}

inline Quadruple square_root(Quadruple a) {
  Quadruple root = std::sqrt(static_cast<double>(a));
  for (int i = 0; i < 3; ++i) root = (root + a / root) / 2;
  return root;
}

}  // namespace gwrm::test
