#include "weighted_residual/preconditioner/tensor_pivots.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel_loop.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// Of the n + 1 smallest magnitudes the last.
double magnitude_behind(const Eigen::VectorXcd& values, int n) {
  if (values.size() == 0) return 0.0;
  Vector magnitudes = values.cwiseAbs();
  const auto found = magnitudes.begin() + std::min<Index>(n, magnitudes.size() - 1);
  std::nth_element(magnitudes.begin(), found, magnitudes.end());
  return *found;
}

// min |a_i + b_j|^2 of finite numbers.
double smallest_sum(const std::vector<Complex>& a, const Eigen::VectorXcd& b) {
  double smallest = std::numeric_limits<double>::infinity();
  for (Complex first : a)
    for (Complex second : b) {
      const double re = first.real() + second.real(), im = first.imag() + second.imag();
      smallest = std::min(smallest, re * re + im * im);
    }
  return smallest;
}

// m + t_a + t_b + .. for all combinations of one eigenvalue from each axis; of the last axis only the smallest sum. One
// that is small beside the largest may be right: of a fourth derivative on narrow subdomains the largest is 1e16 times
// the smallest, which has its digits since the columns of A_a are graded. An axis of order p leaves at most p modes
// undetermined, so that the next eigenvalue is the measure of a smooth mode that is determined.
bool is_regular(const TensorField& solver, const std::vector<int>& orders, std::size_t k, Complex z) {
  std::vector<Complex> pivots{solver.mass[k]};
  double largest = std::abs(solver.mass[k]), smallest = std::norm(solver.mass[k]), determined = 0.0;
  for (std::size_t d = 0; d < solver.axes.size(); ++d) {
    const TensorAxis& axis = solver.axes[d];
    const Eigen::VectorXcd diagonal = axis.scale(z) * axis.triangle[axis.form(k)].diagonal();
    if (!diagonal.allFinite()) return false;
    largest = std::max(largest, diagonal.cwiseAbs().maxCoeff());
    determined = std::max(determined, magnitude_behind(diagonal, orders[d]));
    if (d + 1 == solver.axes.size()) {
      smallest = smallest_sum(pivots, diagonal);
      break;
    }
    std::vector<Complex> sums;
    sums.reserve(pivots.size() * static_cast<std::size_t>(diagonal.size()));
    for (Complex pivot : pivots)
      for (Complex value : diagonal) sums.push_back(pivot + value);
    pivots = std::move(sums);
  }
  return std::sqrt(smallest) > std::min(1e-13 * largest, 1e-3 * determined);
}

}  // namespace

bool pivots_are_regular(const std::vector<TensorField>& fields, const std::vector<std::vector<int>>& orders,
                        const std::vector<Complex>& z, int n_threads) {
  const auto n_modes = std::ssize(z), n_all = std::ssize(fields) * n_modes;
  std::atomic<bool> regular = true;
  for_each_index_dynamically(n_all, n_threads > 1 && n_all > 1, n_threads, [&](Index i) {
    const auto f = static_cast<std::size_t>(i / n_modes), k = static_cast<std::size_t>(i % n_modes);
    if (regular && !is_regular(fields[f], orders[f], k, z[k])) regular = false;
  });
  return regular;
}

}  // namespace gwrm
