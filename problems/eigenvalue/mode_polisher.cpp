#include "problems/eigenvalue/mode_polisher.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linear_algebra/wide_lu.hpp"

namespace gwrm {
namespace {

using Number = std::complex<double>;

constexpr int kMostInverseSteps = 30;
constexpr double kSettled = 1e-6, kRounding = 1e-15;  // of the distance from the factors' place, and of that
constexpr double kMostTurned = 0.1;                   // likewise: more is no mode
constexpr double kTurned = 1e-13;                     // sine of the angle by which a step turns the vector
// Where the factors are made, from the eigenvalue. Equal eigenvalues, which rounding parts, are at 1e-6 still equally
// near; where rounding of the factors is more than that (high derivatives), further away.
constexpr double kShiftsBeside[] = {1e-6, 1e-4, 1e-2};
constexpr Index kMostLeft = 1000;  // unknowns: as of those of which all eigenvalues are found
constexpr int kLeftSteps = 3;
constexpr double kSameModeCosine = 0.5;         // cosine of the vectors: the mode that it was
constexpr double kMostPolishedCondition = 1e8;  // beyond it there may be no left mode
constexpr double kRowRounding = 1e-13;          // of a row, beside its magnitudes times the largest coefficient
constexpr double kCorrection = 1e-4;            // of the eigenvalue: more is no rounding

std::span<const Number> view(const Eigen::VectorXcd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

std::span<Number> view(Eigen::VectorXcd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// P^{-1} b, refined once.
Eigen::VectorXcd refined_solution(const WideLu& lu, const Eigen::MatrixXcd& p, const Eigen::VectorXcd& b) {
  Eigen::VectorXcd x(b.size()), correction(b.size());
  lu.solve(view(b), view(x));
  const Eigen::VectorXcd residual = b - p * x;
  lu.solve(view(residual), view(correction));
  return x + correction;
}

}  // namespace

ModePolisher::ModePolisher(const Pencil& pencil) : pencil_(pencil) {
  for (int power = 0; power < (pencil.is_quadratic() ? 3 : 2); ++power) matrices_[power] = pencil.matrix(power);
}

Eigen::MatrixXcd ModePolisher::at(Number l) const {
  Eigen::MatrixXcd p = matrices_[0] + l * matrices_[1];
  if (pencil_.is_quadratic()) p += l * l * matrices_[2];
  return p;
}

Eigen::MatrixXcd ModePolisher::slope_at(Number l) const {
  Eigen::MatrixXcd slope = matrices_[1].cast<Number>();
  if (pencil_.is_quadratic()) slope += 2.0 * l * matrices_[2];
  return slope;
}

std::vector<Eigen::VectorXcd> ModePolisher::functionals(const Eigen::VectorXcd& left) const {
  std::vector<Eigen::VectorXcd> result;
  for (int power = 1; power < (pencil_.is_quadratic() ? 3 : 2); ++power)
    result.emplace_back(matrices_[power].adjoint() * left);
  return result;
}

double ModePolisher::residual(const Mode& mode) const {
  const Eigen::VectorXd magnitudes = mode.vector.cwiseAbs();
  const Eigen::VectorXd largest = Eigen::VectorXd::Constant(pencil_.size(), magnitudes.maxCoeff());
  Eigen::VectorXcd rest = Eigen::VectorXcd::Zero(pencil_.size());
  Eigen::VectorXd terms = Eigen::VectorXd::Zero(pencil_.size()), rounding = terms;
  Number factor = 1.0;
  for (int power = 0; power < (pencil_.is_quadratic() ? 3 : 2); ++power, factor *= mode.value) {
    const Eigen::MatrixXd sizes = std::abs(factor) * matrices_[power].cwiseAbs();
    rest += factor * (matrices_[power] * mode.vector);
    terms += sizes * magnitudes;
    rounding += kRowRounding * (sizes * largest);
  }
  double worst = 0.0;
  for (const RowBlock& block : pencil_.system().rows()) {
    const auto last = static_cast<int>(pencil_.system().model().equations.size()) - 1;
    if (block.kind == RowBlock::Kind::equation && block.index == last) continue;  // the eigenvalue's own
    Index n = 1;
    for (const Index extent : block.extents) n *= extent;
    double beyond = 0.0, size = 0.0;
    for (Index i = 0; i < n; ++i) {
      const Index row = pencil_.row_of(pencil_.system().place_of(block, i));
      beyond = std::hypot(beyond, std::max(0.0, std::abs(rest(row)) - rounding(row)));
      size = std::hypot(size, terms(row));
    }
    if (beyond > 0.0) worst = std::max(worst, beyond / size);
  }
  return worst;
}

// The left mode, and the eigenvalue from both.
void ModePolisher::finish(const Eigen::MatrixXcd& p, const Eigen::MatrixXcd& slope, double distance, Mode& mode) const {
  const Eigen::VectorXcd& v = mode.vector;
  const Eigen::MatrixXcd adjoint = p.adjoint();
  WideLu lu;
  if (lu.factor(adjoint, Precision::double_complex) != LuStatus::regular) return;
  Eigen::VectorXcd right = pencil_.shares().cwiseProduct(v);
  for (int step = 0; step < kLeftSteps; ++step) {
    const Eigen::VectorXcd left = refined_solution(lu, adjoint, right);
    if (!left.allFinite() || left.squaredNorm() == 0.0) return;
    mode.left = left.normalized();
    right = slope.adjoint() * mode.left;
  }
  const Eigen::VectorXcd functional = slope_at(mode.value).adjoint() * mode.left;
  const double condition = condition_of(v, functional, pencil_.shares());
  if (!pencil_.is_quadratic()) mode.condition = condition;  // of a squared one it is that of the companion form
  if (!(condition <= kMostPolishedCondition)) return;
  Eigen::VectorXcd residual = matrices_[0] * v + mode.value * (matrices_[1] * v);
  if (pencil_.is_quadratic()) residual += mode.value * mode.value * (matrices_[2] * v);
  const Number correction = -mode.left.dot(residual) / functional.dot(v);
  if (std::abs(correction) <= std::max(kCorrection * std::abs(mode.value), distance)) mode.value += correction;
}

std::optional<Mode> ModePolisher::nearest(const Mode& mode, double size) const {
  const auto is_same = [&](const std::optional<Mode>& found) {
    return found &&
           std::abs(found->vector.dot(mode.vector)) > kSameModeCosine * found->vector.norm() * mode.vector.norm();
  };
  const double magnitude = std::abs(mode.value);
  const Number direction = magnitude > 0.0 ? mode.value / magnitude : 1.0;
  for (const double beside : kShiftsBeside)
    if (std::optional<Mode> found =
            nearest_from(mode.value + beside * std::max(magnitude, size) * direction, mode, size);
        is_same(found))
      return found;
  std::optional<Mode> found =
      nearest_from(mode.value + kShiftsBeside[0] * matrices_[0].norm() / matrices_[1].norm(), mode, size);
  return is_same(found) ? found : std::nullopt;
}

// l: beside the eigenvalue, where the factors are regular.
std::optional<Mode> ModePolisher::nearest_from(Number l, const Mode& mode, double size) const {
  const Eigen::MatrixXcd p = at(l);
  WideLu lu;
  if (lu.factor(p, Precision::double_complex) != LuStatus::regular) return {};
  const Eigen::MatrixXcd slope = slope_at(l);
  Eigen::VectorXcd v = mode.vector.normalized(), w(v.size());
  Number distance = std::numeric_limits<double>::infinity();
  double turned_before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostInverseSteps; ++step) {
    w = refined_solution(lu, p, slope * v);
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
    // Between the two of a complex pair a real vector turns by a right angle in every step.
    if (turned > kMostTurned) return {};
    // Squared, P(l + d) is P + d P' but for d^2: once more from there, where d is no rounding.
    if (pencil_.is_quadratic() && std::abs(distance) > 2.0 * kShiftsBeside[0] * std::max(std::abs(l), size) &&
        mode.condition >= 0.0) {
      std::optional<Mode> better = nearest({l + distance, v, -1.0}, size);
      if (better) better->condition = mode.condition;
      return better;
    }
    Mode better{l + distance, v, mode.condition};
    if (pencil_.size() <= kMostLeft) finish(p, slope, std::abs(distance), better);
    return better;
  }
  return {};
}

}  // namespace gwrm
