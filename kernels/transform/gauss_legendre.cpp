#include "kernels/transform/gauss_legendre.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "core/errors.hpp"

namespace gwrm {
namespace {

struct LastTwo {
  long double value, before;  // P_n, P_(n-1)
};

LastTwo legendre_at(Index n, long double y) {
  long double value = 1.0L, difference = 0.0L;  // P_k, P_k - P_(k-1)
  for (Index k = 0; k < n; ++k) {
    difference = (static_cast<long double>(k) * difference - static_cast<long double>(2 * k + 1) * y * value) /
                 static_cast<long double>(k + 1);
    value += difference;
  }
  return {value, value - difference};
}

}  // namespace

GaussHalf gauss_legendre_half(Index n) {
  if (n < 1) throw ShapeError("Gauss-Legendre quadrature: " + std::to_string(n) + " nodes");
  constexpr int kSteps = 8;  // the start has an error of n^-4, two or three are enough
  const long double count = static_cast<long double>(n);
  GaussHalf half;
  for (Index i = 0; i < (n + 1) / 2; ++i) {
    const long double angle = std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.75L) / (count + 0.5L);
    const long double start = angle + (1.0L / 8.0L / (count + 0.5L) / (count + 0.5L)) / std::tan(angle);
    long double y = 2.0L * std::sin(0.5L * start) * std::sin(0.5L * start);
    const bool is_middle = 2 * i + 1 == n;
    if (is_middle) y = 1.0L;
    for (int step = 0; step < kSteps && !is_middle; ++step) {
      // d/dy P_n = -n (P_(n-1) - x P_n) / (1 - x^2)
      const LastTwo p = legendre_at(n, y);
      const long double change = p.value * y * (2.0L - y) / (count * (p.before - (1.0L - y) * p.value));
      y += change;
      if (std::abs(change) <= 1e-18L * y) break;
    }
    const LastTwo p = legendre_at(n, y);
    const long double slope = count * (p.before - (1.0L - y) * p.value);  // (1 - x^2) P_n'
    half.cosine.push_back(1.0L - y);
    half.sine_squared.push_back(y * (2.0L - y));
    half.weight.push_back(2.0L * y * (2.0L - y) / (slope * slope));
  }
  return half;
}

}  // namespace gwrm
