#include "kernels/transform/spreading_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gwrm {
namespace {

using Extended = std::vector<long double>;

constexpr long double kPi = std::numbers::pi_v<long double>;

long double semicircle(long double beta, long double z) {
  return std::abs(z) > 1.0L ? 0.0L : std::exp(beta * (std::sqrt((1.0L - z) * (1.0L + z)) - 1.0L));
}

// Coefficients of T_0 .. T_{n-1} of the interpolant at the n Gauss points.
template <class Function>
Extended chebyshev_series(int n, Function f) {
  Extended values(static_cast<std::size_t>(n)), series(values.size(), 0.0L);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = f(std::cos((i + 0.5L) * kPi / n));
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      series[static_cast<std::size_t>(k)] += values[static_cast<std::size_t>(i)] * std::cos(k * (i + 0.5L) * kPi / n);
    series[static_cast<std::size_t>(k)] *= (k == 0 ? 1.0L : 2.0L) / n;
  }
  return series;
}

// sum_k series_k T_k, k <= degree, as a polynomial: powers ascending.
Extended powers_of(const Extended& series, int degree) {
  const auto n = static_cast<std::size_t>(degree) + 1;
  Extended sum(n, 0.0L), before(n, 0.0L), now(n, 0.0L);
  before[0] = 1.0L;  // T_0
  if (n > 1) now[1] = 1.0L;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) sum[i] += series[k] * before[i];
    Extended next(n, 0.0L);
    for (std::size_t i = 0; i < n; ++i) next[i] = (i > 0 ? 2.0L * now[i - 1] : 0.0L) - before[i];
    before = std::move(now);
    now = std::move(next);
  }
  return sum;
}

struct Rule {
  Extended nodes, weights;
};

// Gauss-Legendre on [-1, 1] by Newton's method.
Rule gauss_legendre(int n) {
  Rule rule;
  for (int i = 0; i < n; ++i) {
    long double z = std::cos(kPi * (i + 0.75L) / (n + 0.5L)), slope = 1.0L;
    for (int step = 0; step < 8; ++step) {
      long double before = 1.0L, now = z;
      for (int k = 2; k <= n; ++k) {
        const long double next = ((2 * k - 1) * z * now - (k - 1) * before) / k;
        before = now;
        now = next;
      }
      slope = n * (z * now - before) / (z * z - 1.0L);
      z -= now / slope;
    }
    rule.nodes.push_back(z);
    rule.weights.push_back(2.0L / ((1.0L - z * z) * slope * slope));
  }
  return rule;
}

}  // namespace

SpreadingKernel::SpreadingKernel(double tolerance) {
  width = std::clamp(static_cast<int>(std::ceil(std::log10(1.0 / tolerance) - 1e-9)) + 1, 2, kMaxWidth);
  beta = (width == 2 ? 2.20 : width == 3 ? 2.26 : width == 4 ? 2.38 : 2.30) * width;
  constexpr int kNodes = 40;
  const int highest = width + 4;  // beyond, the square root at the ends, e^-beta large, converges too slowly to matter
  std::vector<Extended> series;
  for (int k = 0; k < width; ++k)
    series.push_back(chebyshev_series(
        kNodes, [&](long double r) { return semicircle(beta, ((r + 1.0L) / 2.0L + k) * 2.0L / width - 1.0L); }));
  for (degree = 2; degree < highest; ++degree) {
    long double left = 0.0L;
    for (const Extended& one : series)
      for (auto k = static_cast<std::size_t>(degree) + 1; k < one.size(); ++k) left = std::max(left, std::abs(one[k]));
    if (left < 0.05L * tolerance) break;
  }
  coefficients.assign(static_cast<std::size_t>(degree + 1) * kMaxWidth, 0.0);
  for (int k = 0; k < width; ++k) {
    const Extended powers = powers_of(series[static_cast<std::size_t>(k)], degree);
    for (int p = 0; p <= degree; ++p)
      coefficients[static_cast<std::size_t>((degree - p) * kMaxWidth + k)] =
          static_cast<double>(powers[static_cast<std::size_t>(p)]);
  }
}

std::vector<double> SpreadingKernel::transform(Index first, Index count, Index n_fine) const {
  const Rule rule = gauss_legendre(2 * (12 + 3 * width / 4));
  std::vector<double> hat;
  for (Index n = first; n < first + count; ++n) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      sum += rule.weights[i] * semicircle(beta, rule.nodes[i]) *
             std::cos(kPi * width * n / static_cast<long double>(n_fine) * rule.nodes[i]);
    hat.push_back(static_cast<double>(sum * width / 2.0L));
  }
  return hat;
}

}  // namespace gwrm
