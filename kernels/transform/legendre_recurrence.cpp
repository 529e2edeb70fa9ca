#include "kernels/transform/legendre_recurrence.hpp"

#include <cmath>

#include "kernels/linear_algebra/double_double.hpp"

namespace gwrm {
namespace {

// E_k^2 = ((l+1)^2 - m^2) ((l+2)^2 - m^2) / ((2l+1) (2l+3)^2 (2l+5)); both products are whole numbers below 2^53.
struct Ratio {
  double above, below;
  Ratio(double l, double m)
      : above((l + 1.0 - m) * (l + 1.0 + m) * (l + 2.0 - m) * (l + 2.0 + m)),
        below((2.0 * l + 1.0) * (2.0 * l + 3.0) * (2.0 * l + 3.0) * (2.0 * l + 5.0)) {}
  long double root() const { return std::sqrt(static_cast<long double>(above) / static_cast<long double>(below)); }
};

DoubleDouble whole(double a) {
  return {a, 0.0};
}

}  // namespace

void legendre_recurrence(Index m, Index first_degree, Index n, LegendreTables tables) {
  const double order = static_cast<double>(m);
  const auto degree = [&](Index k) { return static_cast<double>(first_degree + 2 * k); };
  // Smooth at the last: s_k = (E_(k-1) E_k)^(-1/4), so B_k = (E_(k+1) / E_(k-1))^(1/4) / E_k. Three steps behind the
  // end, where this is better.
  const Index last = n + 2;
  const long double middle = Ratio(degree(last), order).root();
  DoubleDouble b = whole(static_cast<double>(
      std::sqrt(std::sqrt(Ratio(degree(last + 1), order).root() / Ratio(degree(last - 1), order).root())) / middle));
  for (Index k = last; k >= 0; --k) {
    const double l = degree(k);
    if (k < last) {
      const Ratio e(l, order);  // B_k = 1 / (E_k^2 B_(k+1))
      b = whole(e.below) / (b * e.above);
    }
    if (k >= n) continue;
    const double below = (2.0 * l - 1.0) * (2.0 * l + 3.0);
    const DoubleDouble bd = b * (2.0 * l * (l + 1.0) - 2.0 * order * order - 1.0) / whole(below);  // B D
    const DoubleDouble rest = b * (2.0 * (l * (l + 1.0) + order * order - 1.0)) / whole(below);    // B (1 - D)
    const double two = k == 0 ? 1.0 : 2.0;
    const DoubleDouble polar = rest - two;
    tables.slope[k] = -b.high;
    tables.slope_rest[k] = static_cast<float>(-b.low);
    tables.equatorial[k] = (bd - two).high;
    tables.polar[k] = polar.high;
    tables.polar_rest[k] = static_cast<float>(polar.low);
  }
  long double scale = 1.0L;
  for (Index k = 0; k < n; ++k) {
    tables.scale[k] = static_cast<double>(scale);
    // B_k as it is: what rounding it does to slope sin^2 is another thing, which the constants make up for
    const long double negative_b =
        static_cast<long double>(tables.slope[k]) + static_cast<long double>(tables.slope_rest[k]);
    scale /= -negative_b * Ratio(degree(k), order).root();
  }
}

}  // namespace gwrm
