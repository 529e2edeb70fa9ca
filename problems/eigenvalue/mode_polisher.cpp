#include "problems/eigenvalue/mode_polisher.hpp"

#include <cmath>
#include <limits>

#include "kernels/linear_algebra/wide_lu.hpp"

namespace gwrm {
namespace {

using Number = std::complex<double>;

constexpr int kMostInverseSteps = 30;
constexpr double kSettled = 1e-6, kRounding = 1e-15;  // of the distance from the factors' place, and of that
constexpr double kTurned = 1e-13;                     // sine of the angle by which a step turns the vector
constexpr double kBeside = 1e-6;  // equal eigenvalues, which rounding parts, are then still equally near

}  // namespace

ModePolisher::ModePolisher(const Pencil& pencil) : pencil_(pencil) {
  for (int power = 0; power < (pencil.is_quadratic() ? 3 : 2); ++power) matrices_[power] = pencil.matrix(power);
}

Eigen::MatrixXcd ModePolisher::at(Number l) const {
  Eigen::MatrixXcd p = matrices_[0] + l * matrices_[1];
  if (pencil_.is_quadratic()) p += l * l * matrices_[2];
  return p;
}

// From beside the eigenvalue, where the factors are regular.
std::optional<Mode> ModePolisher::nearest(const Mode& mode) const {
  Number l = mode.value * (1.0 + kBeside);
  WideLu lu;
  if (lu.factor(at(l), Precision::double_complex) != LuStatus::regular) {
    l = mode.value + kBeside * matrices_[0].norm() / matrices_[1].norm();
    if (lu.factor(at(l), Precision::double_complex) != LuStatus::regular) return {};
  }
  Eigen::MatrixXcd slope = matrices_[1].cast<Number>();
  if (pencil_.is_quadratic()) slope += 2.0 * l * matrices_[2];
  Eigen::VectorXcd v = mode.vector.normalized(), w(v.size());
  Number distance = std::numeric_limits<double>::infinity();
  double turned_before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostInverseSteps; ++step) {
    const Eigen::VectorXcd right = slope * v;
    lu.solve(std::span<const Number>(right.data(), static_cast<std::size_t>(right.size())),
             std::span<Number>(w.data(), static_cast<std::size_t>(w.size())));
    if (!w.allFinite() || w.squaredNorm() == 0.0) return {};
    const Number before = distance;
    distance = -w.dot(v) / w.squaredNorm();
    w.normalize();
    const double turned = (w - v.dot(w) * v).norm();
    v = w;
    const bool settled = std::abs(distance - before) <= kSettled * std::abs(distance) + kRounding * std::abs(l);
    if (!settled || (turned > kTurned && turned < 0.5 * turned_before)) {
      turned_before = turned;
      continue;
    }
    // Squared, P(l + d) is P + d P' but for d^2: once more from there, where d is no rounding.
    if (pencil_.is_quadratic() && std::abs(distance) > 2.0 * kBeside * std::abs(l) && mode.condition >= 0.0)
      return nearest({l + distance, v, -1.0});
    return Mode{l + distance, v, mode.condition};
  }
  return {};
}

}  // namespace gwrm
