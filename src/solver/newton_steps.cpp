#include "solver/newton_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vector_clones.hpp"
#include "core/weighted_sum.hpp"
#include "solver/krylov_outcome.hpp"
#include "solver/newton_loop.hpp"

namespace gwrm {
namespace {

bool all_finite(std::span<const double> v) {
  return std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); });
}

// sum (v_i / w_i)^2, eight sums side by side
GWRM_VECTOR_CLONES double sum_of_squared_ratios(const double* v, const double* w, std::size_t n) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) {
      const double ratio = v[i + k] / w[i + k];
      sums[k] += ratio * ratio;
    }
  for (std::size_t k = 0; i + k < n; ++k) {
    const double ratio = v[i + k] / w[i + k];
    sums[k] += ratio * ratio;
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

double root_mean_square(std::span<const double> v) {
  const double sum = sum_of_products(v.data(), v.data(), static_cast<Index>(v.size()));
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

bool NewtonSteps::linearise(std::span<const double> x, bool fresh) {
  const bool good = goes_on(solver_.linearise(x, fresh), result_);
  result_.n_factorisations = solver_.n_factorisations();
  if (good) result_.reciprocal_condition = solver_.reciprocal_condition();
  return good;
}

bool NewtonSteps::correction(std::span<const double> f, const KrylovTolerance::OfDirection& tolerance,
                             std::vector<double>& dx, CorrectionEffort& effort) {
  dx.resize(f.size());
  std::transform(f.begin(), f.end(), dx.begin(), [](double value) { return -value; });
  const LinearOutcome outcome = solver_.solve(dx, tolerance);
  result_.n_factorisations = solver_.n_factorisations();  // borrowed factors may have given way
  return goes_on(outcome, effort, result_);
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
  const double sum = sum_of_squared_ratios(v.data(), weights_.data(), v.size());
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
