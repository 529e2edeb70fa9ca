#include "problems/time_spectral/growing_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "basis/axis_basis.hpp"
#include "kernels/linear_algebra/eigenvectors.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/dense_rows.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {
namespace {

constexpr double kLeastGrowth = 1.5;  // to the end: below, a mode is an oscillation, whose growth may be rounding
constexpr double kFollowed = 0.1;
constexpr double kShorter = 0.9;                       // of lengths tried one after the other
constexpr Index kMostRows = 300;                       // an eigenvalue problem of more takes longer than a window
constexpr double kInfinite = 1e-10;                    // sigma/|lambda - sigma| of an infinite lambda
constexpr double kChange = 1e-12;                      // of the matrix, relative,
constexpr double kMovedBy = 0.1;                       // moves no eigenvalue that counts by more, relative
constexpr int kNodes = 4;                              // of a window at which modes are looked for
constexpr Index kVectors = 32;                         // of Arnoldi's iteration
constexpr double kConverged = 1e-2;                    // its residual, relative to theta
constexpr double kTopLevels = 0.25, kMostInTop = 0.1;  // of a mode that is resolved
constexpr double kMostOther = 0.25;                    // of the rate on a coarser space
constexpr double kLooks = 8.0, kLooksOfLong = 24.0;    // at modes in space, in the time of the run
constexpr double kLeastLength = 1e-6;                  // of a window, relative: windows that short are no way

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

// A x = (lambda/sigma) E x of the unknowns (lambda/sigma)^(order-1) v, .., v.
struct Pencil {
  Eigen::MatrixXd a, e;
};

Pencil pencil_of(const WindowSystem& system, const std::vector<Array>& coefficients, double sigma) {
  const int order = highest_power(system);
  const Index n = SpatialLayout(system).size;
  Pencil pencil{Eigen::MatrixXd::Zero(order * n, order * n), Eigen::MatrixXd::Identity(order * n, order * n)};
  pencil.e.topLeftCorner(n, n) = averaged_operator(system, coefficients, 0);
  for (int p = 1; p <= order; ++p)
    pencil.a.block(0, (p - 1) * n, n, n) = -averaged_operator(system, coefficients, p) / std::pow(sigma, p);
  for (Index i = n; i < order * n; ++i) pencil.a(i, i - n) = 1.0;
  return pencil;
}

// Appends all growing ones.
void add_all_modes(const Pencil& pencil, double sigma, std::vector<std::complex<double>>& modes) {
  const Eigen::MatrixXd m = (pencil.a - pencil.e).partialPivLu().solve(pencil.e);
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

// Ritz pairs of (A - E)^-1 E that have converged. Source: Saad, Numerical Methods for Large Eigenvalue Problems, VI.2.
struct RitzPair {
  std::complex<double> theta;
  Eigen::VectorXcd x;
};

std::vector<RitzPair> ritz_pairs(const Pencil& pencil) {
  const Index n = pencil.a.rows(), most = std::min(n, kVectors);
  const Eigen::PartialPivLU<Eigen::MatrixXd> factors(pencil.a - pencil.e);
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(n, most + 1), h = Eigen::MatrixXd::Zero(most + 1, most);
  std::minstd_rand random;
  for (Index i = 0; i < n; ++i) v(i, 0) = static_cast<double>(random()) / std::minstd_rand::max() - 0.5;
  v.col(0).normalize();
  Index k = 0;
  while (k < most) {
    Eigen::VectorXd w = factors.solve(pencil.e * v.col(k));
    if (!w.allFinite()) return {};  // sigma is an eigenvalue to rounding, or the equations are singular
    const double size = w.norm();
    for (int twice = 0; twice < 2; ++twice) {
      const Eigen::VectorXd along = v.leftCols(k + 1).transpose() * w;
      w -= v.leftCols(k + 1) * along;
      h.col(k).head(k + 1) += along;
    }
    h(k + 1, k) = w.norm();
    ++k;
    if (!(h(k, k - 1) > std::numeric_limits<double>::epsilon() * size)) break;  // all that there is
    v.col(k) = w / h(k, k - 1);
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> small(h.topLeftCorner(k, k));
  if (small.info() != Eigen::Success) return {};
  std::vector<RitzPair> pairs;
  for (Index i = 0; i < k; ++i) {
    const Eigen::VectorXcd y = small.eigenvectors().col(i).normalized();
    const std::complex<double> theta = small.eigenvalues()(i);
    if (h(k, k - 1) * std::abs(y(k - 1)) <= kConverged * std::abs(theta)) pairs.push_back({theta, v.leftCols(k) * y});
  }
  return pairs;
}

// Which coefficients along an axis, of so many, are those of the last levels of a subdomain.
std::vector<bool> top_levels(const AxisBasis& basis, Index n) {
  const Index first = basis.n_below(static_cast<int>((1.0 - kTopLevels) * (basis.degree() + 1)));
  std::vector<bool> top;
  for (Index k = 0; k < n; ++k) top.push_back(n > 1 && k % basis.n_per_subdomain() >= first);
  return top;
}

// Whether the coefficients of a mode, of all unknowns of a time, are small in their last levels along every axis.
bool is_resolved(const WindowSystem& system, const Eigen::VectorXcd& mode) {
  const Model& model = system.model();
  const SpatialLayout layout(system);
  double all = 0.0, last = 0.0;
  for (std::size_t f = 0; f < system.layouts().size(); ++f) {
    const Shape& extents = system.layouts()[f].extents;
    const Index size = layout.fields[f + 1] - layout.fields[f];
    std::vector<bool> is_last(static_cast<std::size_t>(size), false);
    Index inner = size;  // coefficients for each one along the axis
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      if (static_cast<int>(axis) == model.time_axis()) continue;
      inner /= extents[axis];
      if (!model.is_modal(static_cast<int>(axis))) continue;
      const auto basis = make_basis(system.discretisation().subdomains(static_cast<int>(axis)));
      const std::vector<bool> top = top_levels(*basis, extents[axis]);
      for (Index i = 0; i < size; ++i)
        if (top[at(i / inner % extents[axis])]) is_last[at(i)] = true;
    }
    for (Index i = 0; i < size; ++i) {
      const double square = std::norm(mode(layout.fields[f] + i));
      all += square;
      if (is_last[at(i)]) last += square;
    }
  }
  return last <= kMostInTop * kMostInTop * all;
}

// Of the fastest growing ones those that the space of the window resolves.
std::vector<std::complex<double>> fastest_modes(const WindowSystem& system, const Pencil& pencil, double sigma) {
  const Index n = SpatialLayout(system).size;
  std::vector<std::complex<double>> modes;
  std::vector<RitzPair> moved;
  for (const auto& [theta, x] : ritz_pairs(pencil)) {
    const std::complex<double> lambda = sigma * (1.0 + 1.0 / theta);
    if (!(std::abs(theta) > kInfinite) || !(lambda.real() > 0.0 && lambda.imag() >= 0.0) ||
        !is_resolved(system, x.tail(n)))
      continue;
    if (moved.empty()) {
      Pencil changed = pencil;
      std::minstd_rand random;
      for (double& number : changed.a.reshaped()) number *= 1.0 + (random() % 2 == 0 ? kChange : -kChange);
      moved = ritz_pairs(changed);
    }
    if (std::any_of(moved.begin(), moved.end(), [theta = theta](const RitzPair& other) {
          return std::abs(other.theta - theta) < kMovedBy * std::abs(theta);
        }))
      modes.push_back(lambda);
  }
  return modes;
}

// The window with three quarters of its degrees in space.
std::unique_ptr<Window> coarser_window(const Window& window) {
  const WindowSystem& system = window.system;
  const Model& model = system.model();
  std::vector<AxisDescription> subdomains = window.discretisation.subdomains();
  const std::vector<AxisDescription> own = subdomains;
  std::vector<double> parameters(model.axes.size(), 0.0);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (model.is_modal(axis)) subdomains[at(axis)].degree = 3 * subdomains[at(axis)].degree / 4;
    if (model.is_collocated(axis)) parameters[at(axis)] = window.discretisation.points(axis)(0);
  }
  auto coarser =
      std::make_unique<Window>(system.context(), model, system.plan(), subdomains, parameters, window.start(),
                               window.end(), on_subdomains(system.context(), model, window.state, own, subdomains));
  coarser->change_x() = unknowns_from(coarser->system, window.coefficients(), own);
  return coarser;
}

// Appends those of the fastest growing ones that are those of the equations: a coarser space has them too.
void add_fastest_modes(const Window& window, Index node, std::vector<std::complex<double>>& modes) {
  const double sigma = 1.0 / window.length();
  const auto pencil = [&](const Window& of) {
    return pencil_of(of.system, at_node(of.system, of.system.linearise(of.x()), node), sigma);
  };
  const std::vector<std::complex<double>> found = fastest_modes(window.system, pencil(window), sigma);
  if (found.empty()) return;
  const std::vector<RitzPair> of_coarser = ritz_pairs(pencil(*coarser_window(window)));
  for (const std::complex<double>& lambda : found)
    if (std::any_of(of_coarser.begin(), of_coarser.end(), [&](const RitzPair& pair) {
          const std::complex<double> other = sigma * (1.0 + 1.0 / pair.theta);
          return std::abs(other - lambda) <= kMovedBy * std::abs(lambda) &&
                 std::abs(other.real() - lambda.real()) <= kMostOther * lambda.real();
        }))
      modes.push_back(lambda);
}

bool has_known_modes(const Window& window) {
  const WindowSystem& system = window.system;
  const Model& model = system.model();
  if (model.time_axis() < 0 || model.whole_time || system.plan().series || highest_power(system) == 0 ||
      SpatialLayout(system).size * highest_power(system) > kMostRows ||
      !averaging_unsupported_reason(model, system.plan()).empty())
    return false;
  return true;
}

// Whether all eigenvalues are those of the equations, and are found once: linear on periodic axes.
bool has_constant_modes(const Window& window) {
  const Model& model = window.system.model();
  if (!model.autonomous_jacobian) return false;
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

// Of equations in space.
bool GrowingModes::is_asked_for(const Window& window) const {
  const std::vector<double>& edges = window.system.model().window_edges;
  const double whole = edges.back() - edges.front();
  if (!lends_) return kLooksOfLong * window.length() >= whole;
  const double behind = kLooks * (window.start() - edges.front()) / whole;
  return behind + kLooks * window.length() / whole > std::ceil(behind);
}

const std::vector<std::complex<double>>& GrowingModes::at(const std::vector<std::unique_ptr<Window>>& windows) {
  const WindowSystem& first = windows.front()->system;
  if (!has_known_modes(*windows.front())) {
    modes_.clear();
    return modes_;
  }
  const bool keeps = has_constant_modes(*windows.front());
  const bool in_space = first.model().n_modal_axes() > 0 && !keeps;
  const Index size = SpatialLayout(first).size;
  if (keeps && known_size_ == size) return modes_;
  if (in_space && !is_asked_for(*windows.front())) {
    if (!lends_) modes_.clear();
    return modes_;
  }
  modes_.clear();
  const Index n_times = first.discretisation().time()->n_points();
  const Index n_nodes = keeps ? 1 : std::min<Index>(kNodes, n_times);
  for (const auto& window : windows) {
    if (in_space) {
      add_fastest_modes(*window, n_times - 1, modes_);
      continue;
    }
    const Linearisation at_x = window->system.linearise(window->x());
    const double sigma = 1.0 / window->length();
    for (Index k = 1; k <= n_nodes; ++k)
      add_all_modes(pencil_of(window->system, at_node(window->system, at_x, n_times * k / n_nodes - 1), sigma), sigma,
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
