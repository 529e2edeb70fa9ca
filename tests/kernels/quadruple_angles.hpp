// Cosines and sines of rational parts of a turn in quadruple precision, for oracles: from their series, the angle
// reduced in whole numbers.
#pragma once

#include <map>
#include <vector>

#include "quadruple.hpp"

namespace gwrm::test {

inline Quadruple quadruple_pi() {
  return static_cast<Quadruple>(3.141592653589793116) + static_cast<Quadruple>(1.2246467991473531772e-16) +
         static_cast<Quadruple>(-2.9947698097183396659e-33);
}

// The series of sine and cosine, which has converged for |x| <= pi / 4.
inline Quadruple angle_series(Quadruple x, bool sine) {
  Quadruple term = sine ? x : 1, sum = term;
  for (int k = sine ? 2 : 1; k < 28; k += 2) {
    term *= -x * x / (static_cast<Quadruple>(k) * (k + 1));
    sum += term;
  }
  return sum;
}

// cos(pi p / q), remembered for every q.
inline Quadruple exact_cosine(long long p, long long q) {
  static std::map<long long, std::vector<Quadruple>> known;
  std::vector<Quadruple>& quarter = known[q];
  if (quarter.empty())
    for (long long m = 0; 2 * m <= q; ++m)
      quarter.push_back(4 * m <= q ? angle_series(quadruple_pi() * m / q, false)
                                   : angle_series(quadruple_pi() * (q - 2 * m) / (2 * q), true));
  p %= 2 * q;
  if (p < 0) p = -p;
  if (p > q) p = 2 * q - p;
  return 2 * p > q ? -quarter[static_cast<std::size_t>(q - p)] : quarter[static_cast<std::size_t>(p)];
}
inline Quadruple exact_sine(long long p, long long q) {
  return exact_cosine(2 * p - q, 2 * q);
}

}  // namespace gwrm::test
