#include "problems/eigenvalue/point_spectrum.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "problems/eigenvalue/mode_solution.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

// Eigenvalues this near, relative to their sizes, are one but for rounding; so are those over whose distance rounding
// turns the modes by more than the tolerance.
constexpr double kEqualCandidates = 1e-9, kRotation = 1e-14, kMostEqual = 1e-5;

// Of a large pencil.
constexpr double kWithin = 0.9;        // of the distance of the furthest that was found: there all of them are known
constexpr double kShiftBeside = 1e-2;  // of the distance from `near`: a shift beside an eigenvalue
constexpr std::size_t kAroundOne = 4;  // modes sought around one that is followed
constexpr double kSameCandidateCosine = 0.99;  // cosine

using Number = std::complex<double>;

}  // namespace

PointSpectrum::PointSpectrum(const Context& context, const Case& at_point, int refinements,
                             const std::vector<Number>& followed, const RunControl& control)
    : context_(context), case_(at_point), problem_(case_), control_(control) {
  pencil_ = problem_.pencil(context, problem_.subdomains(refinements));
  finer_ = problem_.pencil(context, problem_.subdomains(refinements + 1));
  if (problem_.is_large(*pencil_)) {
    candidates_ = found_around(*pencil_, followed);
  } else {
    own_ = std::make_unique<const ModePolisher>(*pencil_);
    candidates_ = problem_.candidates(context, *pencil_, control);
  }
  const std::size_t n = candidates_.size();
  for (std::size_t k = 0; k < n; ++k)
    if (candidates_[k].value.imag() != 0.0)
      candidates_.push_back({std::conj(candidates_[k].value), candidates_[k].vector.conjugate(), 0.0});
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const double size = size_of(candidates_, k);
    const double equal = std::clamp(kRotation / case_.verification.tolerance, kEqualCandidates, kMostEqual);
    const auto holds = [&](const std::vector<std::size_t>& cluster) {
      return std::any_of(cluster.begin(), cluster.end(), [&](std::size_t other) {
        return std::abs(candidates_[other].value - candidates_[k].value) <= equal * size;
      });
    };
    const auto cluster = std::find_if(clusters_.begin(), clusters_.end(), holds);
    if (cluster == clusters_.end())
      clusters_.push_back({k});
    else
      cluster->push_back(k);
  }
  if (is_large() && !candidates_.empty()) set_duals();
}

// Near `near` and, where values lie beyond what was found there, around each of them.
std::vector<Mode> PointSpectrum::found_around(const Pencil& pencil, const std::vector<Number>& values) const {
  std::vector<Mode> found = problem_.candidates(context_, pencil, control_);
  const auto is_there = [&](const Mode& mode) {
    return std::any_of(found.begin(), found.end(), [&](const Mode& other) {
      return std::abs(other.value - mode.value) <= kEqualCandidates * std::abs(mode.value) &&
             std::abs(other.vector.dot(mode.vector)) > kSameCandidateCosine * other.vector.norm() * mode.vector.norm();
    });
  };
  double reach = 0.0;
  for (const Mode& mode : found) reach = std::max(reach, std::abs(mode.value - problem_.near()));
  std::vector<Number> covered;
  for (const Number given : values) {
    const Number value(given.real(), std::abs(given.imag()));
    const auto is_near = [&](const Number other) { return std::abs(value - other) <= kShiftBeside * std::abs(value); };
    if (std::abs(value - problem_.near()) <= kWithin * reach || std::any_of(covered.begin(), covered.end(), is_near))
      continue;
    if (control_.interrupted && control_.interrupted()) break;
    covered.push_back(value);
    // Not at the eigenvalue itself, where the equations have no solution.
    const Number shift = value + kShiftBeside * (value - problem_.near());
    for (const Mode& mode : problem_.candidates_near(context_, pencil, shift, kAroundOne, control_))
      if (!is_there(mode)) found.push_back(mode);
  }
  return found;
}

// Of a squared eigenvalue for the vectors (x, l x) of the companion form: l and its conjugate may have the same x.
void PointSpectrum::set_duals() {
  const Index n = pencil_->size(), n_modes = static_cast<Index>(candidates_.size());
  double largest = 0.0;
  for (const Mode& mode : candidates_) largest = std::max(largest, std::abs(mode.value));
  const bool squared = pencil_->is_quadratic() && largest > 0.0;
  Eigen::MatrixXcd modes(squared ? 2 * n : n, n_modes);
  for (Index k = 0; k < n_modes; ++k) {
    const Mode& mode = candidates_[static_cast<std::size_t>(k)];
    modes.col(k).head(n) = mode.vector;
    if (squared) modes.col(k).tail(n) = mode.value / largest * mode.vector;
  }
  Eigen::VectorXd shares(modes.rows());
  shares << pencil_->shares(), (squared ? pencil_->shares() : Eigen::VectorXd());
  const Eigen::MatrixXcd weighted = shares.asDiagonal() * modes;
  const Eigen::MatrixXcd gram = modes.adjoint() * weighted;
  Eigen::MatrixXcd duals = weighted * gram.completeOrthogonalDecomposition().pseudoInverse();
  if (squared) duals.bottomRows(n) /= largest;
  for (Index k = 0; k < n_modes; ++k) candidates_[static_cast<std::size_t>(k)].dual = duals.col(k);
}

// The mode and the others: itself is the nearest of the candidates.
std::vector<Mode> PointSpectrum::neighbours(const Mode& mode) const {
  std::vector<Mode> result = {mode};
  std::size_t own = 0;
  for (std::size_t k = 1; k < candidates_.size(); ++k)
    if (std::abs(candidates_[k].value - mode.value) < std::abs(candidates_[own].value - mode.value)) own = k;
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    if (k != own) result.push_back({candidates_[k].value, {}, 0.0});
  return result;
}

bool PointSpectrum::is_of_equations(const JudgedMode& judged) const {
  return judged.error <= std::max(kBeyondLinear * separation_of(neighbours(judged.mode), 0),
                                  case_.verification.tolerance * judged.size);
}

Mode PointSpectrum::polished(const Mode& mode) const {
  Mode result = is_large() ? mode : own_->nearest(mode, size_of(neighbours(mode), 0)).value_or(mode);
  if (mode.value.imag() == 0.0) result.value = result.value.real();
  normalise(*pencil_, result);
  return result;
}

// The same mode on the finer subdomains.
std::optional<Mode> PointSpectrum::counterpart(const Mode& mode, double size) const {
  const Eigen::VectorXcd vector = carried(*pencil_, mode.vector, *finer_);
  if (!is_large()) {
    if (!other_) other_ = std::make_unique<const ModePolisher>(*finer_);
    return other_->nearest({mode.value, vector, 0.0}, size);
  }
  if (finer_candidates_.empty()) {
    std::vector<Number> values;
    for (const Mode& candidate : candidates_) values.push_back(candidate.value);
    finer_candidates_ = found_around(*finer_, values);
    for (std::size_t k = 0, n = finer_candidates_.size(); k < n; ++k)
      if (const Mode other = finer_candidates_[k]; other.value.imag() != 0.0)
        finer_candidates_.push_back({std::conj(other.value), other.vector.conjugate(), 0.0});
  }
  // Of those that are as near as the nearest one, but for what separates eigenvalues, the one that looks like it.
  double nearest = HUGE_VAL;
  for (const Mode& other : finer_candidates_) nearest = std::min(nearest, std::abs(other.value - mode.value));
  const double within = std::max(2.0 * nearest, case_.verification.tolerance * size);
  std::optional<Mode> result;
  double most = -1.0;
  for (const Mode& other : finer_candidates_) {
    if (std::abs(other.value - mode.value) > within) continue;
    const Number product = (other.vector.conjugate().array() * finer_->shares().array() * vector.array()).sum();
    const double alike = std::norm(product) / (finer_->shares().array() * other.vector.array().abs2()).sum();
    if (alike > most) most = alike, result = other;
  }
  return result;
}

JudgedMode PointSpectrum::judged(const Mode& mode) const {
  JudgedMode judged{mode};
  judged.size = size_of(neighbours(mode), 0);
  const std::optional<Mode> near = counterpart(mode, judged.size);
  judged.error = near ? std::abs(near->value - mode.value) + rounding_of(neighbours(mode), 0).value : HUGE_VAL;
  judged.finer_value = near ? near->value : mode.value;
  judged.moved.assign(pencil_->system().model().fields.size() - 1, HUGE_VAL);
  if (near) judged.moved = distances(*pencil_, mode, *finer_, *near);
  return judged;
}

double PointSpectrum::gap(const Mode& mode) const {
  std::vector<double> distances;
  for (const Mode& candidate : candidates_) distances.push_back(std::abs(candidate.value - mode.value));
  if (distances.size() < 2) return HUGE_VAL;
  std::nth_element(distances.begin(), distances.begin() + 1, distances.end());
  return distances[1];
}

std::vector<Eigen::VectorXcd> PointSpectrum::functionals(const Mode& mode) const {
  const Index n = pencil_->size();
  if (mode.dual.size() == 2 * n) {  // z_0 . x + l_x z_1 . x as the (l + l_x) P2 of left modes has it
    const Eigen::VectorXcd of_second = mode.dual.tail(n);
    return {mode.dual.head(n) - std::conj(mode.value) * of_second, of_second};
  }
  if (mode.dual.size() > 0) return {mode.dual};
  if (is_large() || mode.left.size() == 0) return {};
  return own_->functionals(mode.left);
}

}  // namespace gwrm
