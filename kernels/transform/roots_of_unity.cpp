#include "kernels/transform/roots_of_unity.hpp"

#include <cmath>
#include <numbers>

namespace gwrm {

std::complex<double> half_turns(long long numerator, long long denominator) {
  const long long p = numerator % (2 * denominator), turn = p < 0 ? p + 2 * denominator : p;  // in [0, 2q)
  // exp(i pi turn / q) = i^quarter exp(i pi rest / (2q)), rest in [0, q); beyond q/2 the two parts change places.
  const long long quarter = 2 * turn / denominator, rest = 2 * turn - quarter * denominator;
  const bool beyond = 2 * rest > denominator;
  const long double angle = std::numbers::pi_v<long double> *
                            static_cast<long double>(beyond ? denominator - rest : rest) /
                            (2.0L * static_cast<long double>(denominator));
  double c = static_cast<double>(std::cos(angle)), s = static_cast<double>(std::sin(angle));
  if (2 * rest == denominator) s = c;
  if (beyond) std::swap(c, s);
  switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

}  // namespace gwrm
