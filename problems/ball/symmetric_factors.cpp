#include "problems/ball/symmetric_factors.hpp"

#include <cmath>

namespace gwrm::ball {

SymmetricFactors symmetric_factors(const std::array<std::vector<std::complex<double>>, 3>& diagonals) {
  const auto& [diagonal, upper, second] = diagonals;
  const std::size_t n = diagonal.size();
  SymmetricFactors factors;
  for (auto* values : {&factors.inverse_pivots, &factors.first, &factors.second}) values->assign(n, 0.0);
  std::vector<std::complex<double>> pivots(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::complex<double>& l1 = factors.first[i];
    std::complex<double>& l2 = factors.second[i];
    pivots[i] = diagonal[i];
    if (i > 1 && !second.empty()) {
      l2 = second[i - 2] / pivots[i - 2];
      pivots[i] -= l2 * second[i - 2];
    }
    if (i > 0 && !upper.empty()) {
      const std::complex<double> rest = upper[i - 1] - (i > 1 ? l2 * pivots[i - 2] * factors.first[i - 1] : 0.0);
      l1 = rest / pivots[i - 1];
      pivots[i] -= l1 * rest;
    }
    factors.inverse_pivots[i] = 1.0 / pivots[i];
    factors.regular = factors.regular && std::abs(pivots[i]) > 0.0 && std::isfinite(std::abs(pivots[i]));
  }
  return factors;
}

void solve(const SymmetricFactors& factors, std::complex<double>* x) {
  const std::size_t n = factors.inverse_pivots.size();
  for (std::size_t i = 1; i < n; ++i) {
    x[i] -= factors.first[i] * x[i - 1];
    if (i > 1) x[i] -= factors.second[i] * x[i - 2];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] *= factors.inverse_pivots[i];
    if (i + 1 < n) x[i] -= factors.first[i + 1] * x[i + 1];
    if (i + 2 < n) x[i] -= factors.second[i + 2] * x[i + 2];
  }
}

}  // namespace gwrm::ball
