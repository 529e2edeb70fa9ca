#include "problems/eigenvalue/modes.hpp"

#include "solver/arnoldi.hpp"  // before other headers of Eigen

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "kernels/linear_algebra/eigenvectors.hpp"
#include "problems/eigenvalue/arnoldi_modes.hpp"

namespace gwrm {
namespace {

using Number = std::complex<double>;

constexpr int kMostTriedShifts = 4;
constexpr double kNearestShift = 1e5;
constexpr std::size_t kMostHiding = 2;

// -Q_0^{-1} Q_1 and, where there is one, -Q_0^{-1} Q_2, side by side.
std::optional<Eigen::MatrixXd> inverse_times(const Pencil& pencil, double shift) {
  const Index n = pencil.size();
  const Eigen::MatrixXd p0 = pencil.matrix(0), p1 = pencil.matrix(1);
  Eigen::MatrixXd q0 = p0 + shift * p1, right = p1;
  if (pencil.is_quadratic()) {
    const Eigen::MatrixXd p2 = pencil.matrix(2);
    q0 += shift * shift * p2;
    right.resize(n, 2 * n);
    right << p1 + 2.0 * shift * p2, p2;
  }
  const auto lu = cpu::make_dense_lu();
  if (lu->factor(std::span<const double>(q0.data(), static_cast<std::size_t>(q0.size())), n) != LuStatus::regular)
    return {};
  right = -right;
  for (Index j = 0; j < right.cols(); ++j)
    lu->solve(std::span<double>(right.col(j).data(), static_cast<std::size_t>(n)));
  return right;
}

// The companion form: M itself, or twice its size.
Eigen::MatrixXd companion(const Eigen::MatrixXd& m) {
  const Index n = m.rows();
  if (m.cols() == n) return m;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  result.topRows(n) = m;
  result.bottomLeftCorner(n, n).setIdentity();
  return result;
}

Eigen::VectorXd twice(const Eigen::VectorXd& v) {
  Eigen::VectorXd result(2 * v.size());
  result << v, v;
  return result;
}

// All mu, the largest first, and the modes within reach; nothing where the shift is an eigenvalue.
struct AllModes {
  std::vector<Number> mu;
  std::vector<Mode> modes;
};

std::optional<AllModes> all_at(const Pencil& pencil, double shift) {
  const Index n = pencil.size();
  const std::optional<Eigen::MatrixXd> m = inverse_times(pencil, shift);
  if (!m) return {};
  const Eigenvectors found = eigenvectors(companion(*m));
  if (!found.converged) return {};
  const Eigen::VectorXd shares = pencil.is_quadratic() ? twice(pencil.shares()) : pencil.shares();
  std::vector<Index> order;
  for (Index k = 0; k < found.values.size(); ++k)
    if (found.values(k).imag() <= 0.0) order.push_back(k);  // 1/mu turns the sign
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(found.values(a)) > std::abs(found.values(b)); });
  AllModes all;
  for (Index k : order) {
    const Number mu = found.values(k);
    all.mu.push_back(mu);
    if (!(std::abs(mu) > std::abs(found.values(order.front())) / kReach)) continue;
    all.modes.push_back(
        {shift + 1.0 / mu, found.right.col(k).tail(n), condition_of(found.right.col(k), found.left.col(k), shares)});
  }
  return all;
}

}  // namespace

double condition_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left, const Eigen::VectorXd& shares) {
  const double x = std::sqrt((shares.array() * right.array().abs2()).sum());
  const double z = std::sqrt((left.array().abs2() / shares.array()).sum());
  const double product = std::abs(left.dot(right));
  return product == 0.0 ? std::numeric_limits<double>::infinity() : x * z / product;
}

void add_others(std::vector<Mode>& modes, double shift, const std::vector<Mode>& others) {
  const std::size_t n = modes.size();
  for (const Mode& other : others)
    if (std::none_of(modes.begin(), modes.begin() + static_cast<std::ptrdiff_t>(n), [&](const Mode& mode) {
          return std::abs(other.value - mode.value) <= std::abs(mode.value - shift) / kReach;
        }))
      modes.push_back(other);
}

std::vector<Mode> all_modes(const Pencil& pencil, double shift) {
  const LogTime time("all eigenvalues");
  std::vector<Mode> modes;  // those beside earlier shifts
  for (int attempt = 0; attempt < kMostTriedShifts; ++attempt) {
    const std::optional<AllModes> all = all_at(pencil, shift);
    if (!all) {
      shift += 0.01 * std::max(1.0, std::abs(shift));
      continue;
    }
    // So near eigenvalues, one or two, that the rounding of their mu hides the others: between them and the next.
    const std::vector<Number>& mu = all->mu;
    std::size_t n_near = 1;
    while (n_near < mu.size() && n_near <= kMostHiding &&
           !(std::abs(mu[n_near - 1]) > kNearestShift * std::abs(mu[n_near])))
      ++n_near;
    const bool hidden = n_near < mu.size() && n_near <= kMostHiding && mu[n_near] != 0.0;
    if (!hidden || attempt + 1 == kMostTriedShifts) {
      add_others(modes, shift, all->modes);
      break;
    }
    const auto end = all->modes.begin() + static_cast<std::ptrdiff_t>(std::min(n_near, all->modes.size()));
    add_others(modes, shift, {all->modes.begin(), end});
    shift += 0.4 / std::abs(mu[n_near]);
  }
  return modes;
}

std::vector<Mode> modes_near(const Pencil& pencil, double shift, const ShiftInverse& inverse, std::size_t wanted,
                             double tolerance, const std::function<bool()>& interrupted) {
  const LogTime time("eigenvalues near the shift");
  const Index n = pencil.size(), size = pencil.is_quadratic() ? 2 * n : n;
  // w = M v; its second half, of the squared problem, is the first of v.
  const auto multiply = [&](const Eigen::VectorXd& v, Eigen::VectorXd& w) {
    const auto q1 = [&](const Eigen::VectorXd& part) -> Eigen::VectorXd {
      Eigen::VectorXd result = pencil.apply(1, part);
      if (pencil.is_quadratic()) result += 2.0 * shift * pencil.apply(2, part);
      return result;
    };
    Eigen::VectorXd upper = q1(v.head(n));
    if (pencil.is_quadratic()) upper += pencil.apply(2, v.tail(n));
    if (!inverse(upper)) return false;
    w.resize(size);
    w.head(n) = -upper;
    if (pencil.is_quadratic()) w.tail(n) = v.head(n);
    return true;
  };
  // 1/mu turns the sign of the imaginary part.
  const auto add = [&](const RitzPair& pair, const Eigen::VectorXcd& vector, std::vector<Mode>& modes) {
    modes.push_back({shift + 1.0 / std::conj(pair.value), vector.conjugate().tail(n), 0.0});
  };
  return arnoldi_modes(size, multiply, add, wanted, tolerance, interrupted);
}

}  // namespace gwrm
