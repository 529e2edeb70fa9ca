#include "problems/time_spectral/growing_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "kernels/linear_algebra/eigenvectors.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/dense_rows.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kLeastGrowth = 1.5;  // to the end: below, a mode is an oscillation, whose growth may be rounding
constexpr double kFollowed = 0.1;
constexpr double kShorter = 0.9;       // of lengths tried one after the other
constexpr Index kMostRows = 300;       // an eigenvalue problem of more takes longer than a window
constexpr double kInfinite = 1e-10;    // sigma/|lambda - sigma| of an infinite lambda
constexpr double kChange = 1e-12;      // of the matrix, relative,
constexpr double kMovedBy = 0.1;       // moves no eigenvalue that counts by more, relative
constexpr int kNodes = 4;              // of a window at which modes are looked for
constexpr double kLeastLength = 1e-6;  // of a window, relative: windows that short are no way

// At one node: extent 1 along time.
std::vector<Array> at_node(const WindowSystem& system, const Linearisation& at_x, Index node) {
  const int time = system.model().time_axis();
  Vector only = Vector::Zero(system.discretisation().time()->n_points());
  only(node) = 1.0;
  std::vector<Array> values;
  for (const Array& coefficient : at_x.coefficients)
    values.push_back(coefficient.shape[at(time)] == 1 ? coefficient : weighted_sum(coefficient, at(time), only));
  return values;
}

// Appends the growing ones of sum_p B_p lambda^-p, B_p of these coefficients.
void add_modes(const WindowSystem& system, const std::vector<Array>& coefficients, double sigma,
               std::vector<std::complex<double>>& modes) {
  const int order = highest_power(system);
  const Index n = SpatialLayout(system).size;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(order * n, order * n), e = Eigen::MatrixXd::Identity(order * n, order * n);
  // Unknowns (lambda/sigma)^(order-1) v, .., v.
  e.topLeftCorner(n, n) = averaged_operator(system, coefficients, 0);
  for (int p = 1; p <= order; ++p)
    a.block(0, (p - 1) * n, n, n) = -averaged_operator(system, coefficients, p) / std::pow(sigma, p);
  for (Index i = n; i < order * n; ++i) a(i, i - n) = 1.0;
  const Eigen::MatrixXd m = (a - e).partialPivLu().solve(e);
  if (!m.allFinite()) return;  // sigma is an eigenvalue to rounding, or the equations are singular
  const double size = m.norm();
  const Eigenvectors found = eigenvectors(m);
  if (!found.converged) return;
  for (Index k = 0; k < found.values.size(); ++k) {
    const std::complex<double> theta = found.values(k);
    const double condition = 1.0 / std::abs(found.left.col(k).dot(found.right.col(k)));
    if (!(std::abs(theta) > kInfinite) || !(kChange * size * condition < kMovedBy * std::abs(theta))) continue;
    const std::complex<double> lambda = sigma * (1.0 + 1.0 / theta);
    if (lambda.real() > 0.0 && lambda.imag() >= 0.0) modes.push_back(lambda);  // one of each pair
  }
}

bool has_known_modes(const Window& window) {
  const WindowSystem& system = window.system;
  const Model& model = system.model();
  if (model.time_axis() < 0 || model.whole_time || system.plan().series || highest_power(system) == 0 ||
      SpatialLayout(system).size * highest_power(system) > kMostRows ||
      !averaging_unsupported_reason(model, system.plan()).empty())
    return false;
  if (model.n_modal_axes() > 0 && !model.autonomous_jacobian) return false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && !make_basis(window.discretisation.subdomains(axis))->is_periodic()) return false;
  return true;
}

}  // namespace

bool is_followed(std::complex<double> z, int n_nodes) {
  const int n = n_nodes;
  std::complex<double> p = 0.0, q = 0.0, power = 1.0;
  double of_p = 1.0, of_q = 1.0;  // c_j(K - 1), c_j(K)
  for (int j = 0; j <= n; ++j) {
    p += of_p * power;
    q += (j % 2 == 0 ? of_q : -of_q) * power;
    power *= z;
    of_p *= (n - 1.0 - j) / ((2.0 * n - 1.0 - j) * (j + 1.0));
    of_q *= static_cast<double>(n - j) / ((2.0 * n - 1.0 - j) * (j + 1.0));
  }
  return std::abs(p / q * std::exp(-z) - 1.0) <= kFollowed * std::min(1.0, z.real());
}

const std::vector<std::complex<double>>& GrowingModes::at(const std::vector<std::unique_ptr<Window>>& windows) {
  const WindowSystem& first = windows.front()->system;
  if (!has_known_modes(*windows.front())) {
    modes_.clear();
    return modes_;
  }
  const bool keeps = first.model().autonomous_jacobian;
  const Index size = SpatialLayout(first).size;
  if (keeps && known_size_ == size) return modes_;
  modes_.clear();
  const Index n_times = first.discretisation().time()->n_points();
  const Index n_nodes = keeps ? 1 : std::min<Index>(kNodes, n_times);
  for (const auto& window : windows) {
    const Linearisation at_x = window->system.linearise(window->x());
    for (Index k = 1; k <= n_nodes; ++k)
      add_modes(window->system, at_node(window->system, at_x, n_times * k / n_nodes - 1), 1.0 / window->length(),
                modes_);
  }
  known_size_ = keeps ? size : -1;
  return modes_;
}

double GrowingModes::constant_rate() const {
  double rate = 0.0;
  if (known_size_ >= 0)
    for (const std::complex<double>& lambda : modes_) rate = std::max(rate, lambda.real());
  return rate;
}

FollowedLength followed_length(const std::vector<std::complex<double>>& modes, double length, int n_nodes, double ahead,
                               double factor) {
  FollowedLength result{length, 0.0};
  for (const std::complex<double>& lambda : modes)
    if (lambda.real() * ahead > std::log(std::max(factor, kLeastGrowth)))
      while (!is_followed(result.length * lambda, n_nodes) && result.length > kLeastLength * length) {
        result.length *= kShorter;
        result.rate = lambda.real();
      }
  return result;
}

}  // namespace gwrm
