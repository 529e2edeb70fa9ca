#include "solver/nonlinear_system.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gwrm {

LuStatus NonlinearSystem::factor_jacobian(std::span<const double> x, DenseLu& lu) {
  std::vector<double> matrix(static_cast<std::size_t>(size() * size()), 0.0);
  jacobian(x, matrix);
  return lu.factor(matrix, size());
}

void NonlinearSystem::weights(std::span<const double> x, std::span<double> w) const {
  double sum = 0.0;
  for (double value : x) sum += value * value;
  const double size = x.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(x.size()));
  std::fill(w.begin(), w.end(), size > 0.0 ? size : 1.0);
}

}  // namespace gwrm
