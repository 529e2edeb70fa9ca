#include "kernels/linear_algebra/lu_null_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gwrm {
namespace {

using Values = std::vector<double>;

double largest(const Values& x) {
  double value = 0.0;
  for (double entry : x) value = std::max(value, std::abs(entry));
  return value;
}

void to_unit_norm(Values& x) {
  const double norm = largest(x);
  if (norm > 0.0)
    for (double& entry : x) entry /= norm;
}

// Triangular solves that scale the whole vector down before an entry can overflow: each tiny pivot may bring a factor
// 1/eps, and a Jacobian with a field forgotten in all its equations has hundreds of them. Only the direction counts.
class NullVectorSolver {
 public:
  NullVectorSolver(std::span<const double> lu, std::span<const Index> pivots)
      : lu_(lu), pivots_(pivots), n_(static_cast<Index>(pivots.size())) {
    double largest_pivot_row = 0.0;
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i <= j; ++i) largest_pivot_row = std::max(largest_pivot_row, std::abs(at(i, j)));
    floor_ = std::numeric_limits<double>::epsilon() * (largest_pivot_row > 0.0 ? largest_pivot_row : 1.0);
  }

  // x <- direction of S^-1 x.
  void solve(Values& x) const {
    for (Index i = 0; i < n_; ++i) std::swap(entry(x, i), entry(x, pivots_[static_cast<std::size_t>(i)]));
    for (Index j = 0; j < n_; ++j) {
      guard(x, j);
      for (Index i = j + 1; i < n_; ++i) entry(x, i) -= at(i, j) * entry(x, j);
    }
    for (Index j = n_ - 1; j >= 0; --j) {
      entry(x, j) /= pivot(j);
      guard(x, j);
      for (Index i = 0; i < j; ++i) entry(x, i) -= at(i, j) * entry(x, j);
    }
    to_unit_norm(x);
  }

  // x <- direction of S^-T x.
  void solve_transposed(Values& x) const {
    for (Index j = 0; j < n_; ++j) {
      for (Index i = 0; i < j; ++i) entry(x, j) -= at(i, j) * entry(x, i);
      entry(x, j) /= pivot(j);
      guard(x, j);
    }
    for (Index j = n_ - 1; j >= 0; --j) {
      for (Index i = j + 1; i < n_; ++i) entry(x, j) -= at(i, j) * entry(x, i);
      guard(x, j);
    }
    for (Index i = n_ - 1; i >= 0; --i) std::swap(entry(x, i), entry(x, pivots_[static_cast<std::size_t>(i)]));
    to_unit_norm(x);
  }

 private:
  static double& entry(Values& x, Index i) { return x[static_cast<std::size_t>(i)]; }
  double at(Index i, Index j) const { return lu_[static_cast<std::size_t>(i + j * n_)]; }

  double pivot(Index j) const {
    const double value = at(j, j);
    return std::abs(value) >= floor_ ? value : std::copysign(floor_, value);
  }

  static void guard(Values& x, Index j) {
    constexpr double kLimit = 1e150;
    if (std::abs(entry(x, j)) > kLimit) to_unit_norm(x);
  }

  std::span<const double> lu_;
  std::span<const Index> pivots_;
  Index n_;
  double floor_ = 0.0;
};

std::vector<double> scaled(const Values& x, std::span<const double> scale) {
  Values result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] * scale[i];
  to_unit_norm(result);
  return result;
}

}  // namespace

Dependency lu_null_vectors(std::span<const double> lu, std::span<const Index> pivots, std::span<const double> row_scale,
                           std::span<const double> column_scale) {
  const NullVectorSolver solver(lu, pivots);
  Values right(pivots.size()), left;
  // Any start that is not orthogonal to the null vector does; these irrational-looking numbers are in no pattern.
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = 1.0 + 0.5 * std::sin(static_cast<double>(i * i + 1));
  for (int step = 0; step < 2; ++step) {
    left = right;
    solver.solve_transposed(left);
    right = left;
    solver.solve(right);
  }
  return {scaled(left, row_scale), scaled(right, column_scale)};
}

}  // namespace gwrm
