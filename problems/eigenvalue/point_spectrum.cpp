#include "problems/eigenvalue/point_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "problems/eigenvalue/mode_solution.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

// Eigenvalues this near, relative to their sizes, are one but for rounding; so are those over whose distance rounding
// turns the modes by more than the tolerance.
constexpr double kEqual = 1e-9, kTurn = 1e-14, kMostEqual = 1e-5;

}  // namespace

PointSpectrum::PointSpectrum(const Context& context, const Case& at_point, int refinements, const RunControl& control)
    : case_(at_point), problem_(case_) {
  const std::vector<AxisDescription> subdomains = problem_.subdomains(refinements);
  pencil_ = problem_.pencil(context, subdomains);
  finer_ = problem_.pencil(context, problem_.subdomains(refinements + 1));
  own_ = std::make_unique<const ModePolisher>(*pencil_);
  candidates_ = problem_.candidates(context, *pencil_, control);
  const std::size_t n = candidates_.size();
  for (std::size_t k = 0; k < n; ++k)
    if (candidates_[k].value.imag() != 0.0)
      candidates_.push_back({std::conj(candidates_[k].value), candidates_[k].vector.conjugate(), 0.0});
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const double size = size_of(candidates_, k);
    const double equal = std::clamp(kTurn / case_.verification.tolerance, kEqual, kMostEqual);
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
  Mode result = own_->nearest(mode, size_of(neighbours(mode), 0)).value_or(mode);
  if (mode.value.imag() == 0.0) result.value = result.value.real();
  normalise(*pencil_, result);
  return result;
}

JudgedMode PointSpectrum::judged(const Mode& mode) const {
  if (!other_) other_ = std::make_unique<const ModePolisher>(*finer_);
  JudgedMode judged{mode};
  const std::optional<Mode> near =
      other_->nearest({mode.value, carried(*pencil_, mode.vector, *finer_), 0.0}, size_of(neighbours(mode), 0));
  judged.size = size_of(neighbours(mode), 0);
  judged.error = near ? std::abs(near->value - mode.value) : HUGE_VAL;
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

std::vector<Eigen::VectorXcd> PointSpectrum::functionals(const Eigen::VectorXcd& left) const {
  return own_->functionals(left);
}

}  // namespace gwrm
