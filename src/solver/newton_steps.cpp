#include "solver/newton_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/newton_loop.hpp"

namespace gwrm {
namespace {

bool all_finite(std::span<const double> v) {
  return std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

double root_mean_square(std::span<const double> v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return v.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(v.size()));
}

void add_scaled(std::vector<double>& x, double factor, const std::vector<double>& dx) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * dx[i];
}

bool NewtonSteps::residual(std::span<const double> x, std::vector<double>& f) {
  f.resize(x.size());
  system_.residual(x, f);
  return all_finite(f);
}

bool NewtonSteps::take(const LinearOutcome& outcome) {
  switch (outcome.status) {
    case LinearStatus::solved:
      return true;
    case LinearStatus::singular:
      result_.status = NewtonStatus::singular;
      break;
    case LinearStatus::not_finite:
      result_.status = NewtonStatus::not_finite;
      break;
    case LinearStatus::no_convergence:
      result_.status = NewtonStatus::linear_failed;
      break;
    case LinearStatus::interrupted:
      result_.status = NewtonStatus::interrupted;
      break;
  }
  result_.detail = outcome.detail;
  return false;
}

bool NewtonSteps::linearise(std::span<const double> x, bool fresh) {
  const bool good = take(solver_.linearise(x, fresh));
  result_.n_factorisations = solver_.n_factorisations();
  if (good) result_.reciprocal_condition = solver_.reciprocal_condition();
  return good;
}

bool NewtonSteps::correction(std::span<const double> f, const KrylovTolerance::OfDirection& tolerance,
                             std::vector<double>& dx, CorrectionEffort& effort) {
  dx.resize(f.size());
  std::transform(f.begin(), f.end(), dx.begin(), [](double value) { return -value; });
  const LinearOutcome outcome = solver_.solve(dx, tolerance);
  effort.iterations += outcome.iterations;
  effort.to_tolerance = outcome.to_tolerance;
  result_.n_factorisations = solver_.n_factorisations();  // borrowed factors may have given way
  return take(outcome);
}

std::vector<double> NewtonSteps::apply_preconditioner(std::span<const double> f) {
  std::vector<double> dx(f.size());
  std::transform(f.begin(), f.end(), dx.begin(), [](double value) { return -value; });
  solver_.apply_preconditioner(dx);
  return dx;
}

double NewtonSteps::norm(std::span<const double> v, std::span<const double> x) {
  weights_.resize(x.size());
  system_.weights(x, weights_);
  // An iterate so large that its weights overflow must not make a correction look small.
  if (!all_finite(weights_)) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += (v[i] / weights_[i]) * (v[i] / weights_[i]);
  return v.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(v.size()));
}

double NewtonSteps::roundoff_level() const {
  // Behind the first one the corrections of a linear system are rounding: more than cond says in an unknown that is
  // zero.
  constexpr double kMost = 1e-5;
  if (is_linear()) return kMost;
  if (!solver_.is_direct()) return kUnknownRoundoff;
  const double eps = std::numeric_limits<double>::epsilon();
  return std::min(kMost, 1000.0 * eps / std::max(result_.reciprocal_condition, eps));
}

void NewtonSteps::fail_not_finite(std::span<const double> x) {
  result_.status = NewtonStatus::not_finite;
  result_.detail = system_.locate_not_finite(x);
}

}  // namespace gwrm
