#include "solver/bordered_system.hpp"

#include <algorithm>

namespace gwrm {

BorderedSystem::BorderedSystem(NonlinearSystem& system, Index row)
    : system_(system),
      row_(static_cast<std::size_t>(row)),
      border_(static_cast<std::size_t>(system.size()), 0.0),
      reference_(border_) {}

void BorderedSystem::set_border(std::vector<double> border, std::vector<double> reference) {
  border_ = std::move(border);
  reference_ = std::move(reference);
}

void BorderedSystem::residual(std::span<const double> x, std::span<double> f) {
  system_.residual(x, f);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += border_[i] * (x[i] - reference_[i]);
  f[row_] = sum;
}

void BorderedSystem::jacobian(std::span<const double> x, std::span<double> matrix) {
  system_.jacobian(x, matrix);
  for (std::size_t column = 0; column < x.size(); ++column) matrix[row_ + column * x.size()] = border_[column];
}

void BorderedSystem::weights(std::span<const double> x, std::span<double> w) const {
  system_.weights(x, w);
  for (std::size_t i = 0; i < least_weights_.size(); ++i) w[i] = std::max(w[i], least_weights_[i]);
}

std::string BorderedSystem::describe_row(Index row) const {
  return row == static_cast<Index>(row_) ? "the place on the branch" : system_.describe_row(row);
}

}  // namespace gwrm
