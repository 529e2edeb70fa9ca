// Newton's iteration itself (newton.hpp says what it does), for vectors wherever they lie.
//
// Steps gives the operations: a type Vector (default-constructible, movable) and
//   bool residual(x, f); bool linearise(x, fresh); bool correction(f, tolerance(-M^{-1} f), dx, effort); Vector
//   apply_preconditioner(f); double norm(v, x); double roundoff_level(); void fail_not_finite(x);       as NewtonSteps
//   has them, Vector moved(x, a, dx) = x + a dx;  void add(x, a, dx): x += a dx;  double root_mean_square(f); bool
//   is_linear();  int refresh_above();                                    those of its solver and system.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "solver/newton.hpp"

namespace gwrm {

// A Krylov solver knows no condition number: corrections of this size that do not fall any more are taken for noise.
inline constexpr double kUnknownRoundoff = 1e-9;

// Two corrections in turn within round-off of which the second is larger than this share of the first: noise. (At a
// double root they halve.)
inline constexpr double kStillFalls = 0.7;

// How accurately a Krylov solver need know a correction of this size: the square of the step is lost anyhow, and digits
// below the Newton tolerance are not wanted. A linear system loses nothing: one step is to be enough.
inline double forcing_term(double step, const NewtonOptions& options, bool linear) {
  const double most = options.linear_tolerance;
  const double wanted = std::clamp(0.1 * options.tolerance / step, 1e-13, most);
  return linear ? wanted : std::max(std::clamp(0.1 * step, 1e-8, most), wanted);
}

// Of what the discretisation leaves out: a correction of this share does not show in any digit of the error.
inline constexpr double kBelowTruncation = 1e-3;

// Whether an iteration may end with a correction of this size.
inline bool is_small_enough(double correction, const NewtonOptions& options) {
  if (correction <= options.tolerance) return true;
  return correction <= options.loosest_tolerance && options.truncation &&
         correction <= kBelowTruncation * options.truncation();
}

std::string damping_failed_text(double correction, double smallest_damping);
std::string iteration_limit_text(int iterations, double correction, double tolerance);

// What a correction took of a Krylov solver, and whether it came to its tolerance.
struct CorrectionEffort {
  int iterations = 0;
  bool to_tolerance = true;
};

template <class Steps>
struct NewtonTrial {
  typename Steps::Vector x, f, simplified;  // simplified: -J^{-1} f(x) with the Jacobian of the step, or its estimate
  double simplified_norm = 0.0;
  double damping = 1.0;
  bool accepted = false;
  bool finite = false;  // some trial had a finite residual
};

// Halves the damping until the natural monotonicity test holds; without globalisation the full step is taken.
template <class Steps, class Vector>
NewtonTrial<Steps> damped_step(Steps& steps, const Vector& x, const Vector& dx, double dx_norm,
                               const NewtonOptions& options) {
  const Globalisation globalisation = options.globalisation;
  NewtonTrial<Steps> trial;
  for (double damping = 1.0; damping >= options.smallest_damping; damping /= 2.0) {
    trial.damping = damping;
    trial.x = steps.moved(x, damping, dx);
    if (steps.residual(trial.x, trial.f)) {
      trial.finite = true;
      trial.simplified = steps.apply_preconditioner(trial.f);
      // Both sides of the test in the weights of x: an iterate that runs away must not look better for being large.
      trial.accepted =
          globalisation == Globalisation::none || steps.norm(trial.simplified, x) <= (1.0 - damping / 4.0) * dx_norm;
      trial.simplified_norm = steps.norm(trial.simplified, trial.x);
      if (trial.accepted) return trial;
    }
    if (globalisation == Globalisation::none) break;
  }
  return trial;
}

// Improves x in place; status, iterations and detail go to `result`.
template <class Steps, class Vector>
void newton_loop(Steps& steps, Vector& x, const NewtonOptions& options, const std::function<bool()>& interrupted,
                 NewtonResult& result) {
  typename Steps::Vector f, dx;
  if (!steps.residual(x, f)) {
    steps.fail_not_finite(x);
    return;
  }
  bool fresh = true;
  double last_norm = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (interrupted && interrupted()) {
      result.status = NewtonStatus::interrupted;
      return;
    }
    if (!steps.linearise(x, fresh)) return;
    // What a Krylov solver is to come to, by the size of the step as its preconditioner sees it.
    const auto accuracy = [&](const auto& preconditioned) {
      return forcing_term(steps.norm(preconditioned, x), options, steps.is_linear());
    };
    CorrectionEffort effort;
    if (!steps.correction(f, accuracy, dx, effort)) {
      // A lagged preconditioner gets a second chance at this iterate.
      if (result.status != NewtonStatus::linear_failed || fresh) return;
      if (!steps.linearise(x, true)) return;
      const int in_vain = std::exchange(effort.iterations, 0);
      const bool solved = steps.correction(f, accuracy, dx, effort);
      fresh = effort.iterations > steps.refresh_above();
      effort.iterations += in_vain;
      if (!solved) return;
    } else {
      fresh = effort.iterations > steps.refresh_above();
    }
    const int linear_iterations = effort.iterations;

    const double dx_norm = steps.norm(dx, x);
    const double residual_norm = steps.root_mean_square(f);
    const bool is_right =
        options.trusts_known_factors && steps.is_linear() && effort.to_tolerance && result.n_factorisations == 0;
    if (is_right || is_small_enough(dx_norm, options)) {
      steps.add(x, 1.0, dx);
      result.iterations.push_back({residual_norm, dx_norm, 1.0, linear_iterations});
      result.status = NewtonStatus::converged;
      return;
    }
    if (std::max(dx_norm, last_norm) <= steps.roundoff_level() && dx_norm > kStillFalls * last_norm) {
      result.iterations.push_back({residual_norm, dx_norm, 1.0, linear_iterations});
      result.status = NewtonStatus::converged_at_roundoff;
      result.remaining = dx_norm;
      return;
    }
    last_norm = dx_norm;

    NewtonTrial<Steps> trial = damped_step(steps, x, dx, dx_norm, options);
    result.iterations.push_back({residual_norm, dx_norm, trial.damping, linear_iterations});
    if (!trial.accepted) {
      if (dx_norm <= steps.roundoff_level()) {
        result.status = NewtonStatus::converged_at_roundoff;
        result.remaining = dx_norm;
      } else if (!trial.finite) {
        steps.fail_not_finite(trial.x);
      } else {
        result.status = NewtonStatus::damping_failed;
        result.detail = damping_failed_text(dx_norm, options.smallest_damping);
      }
      return;
    }
    x = std::move(trial.x);
    f = std::move(trial.f);
    if (trial.damping == 1.0 && is_small_enough(trial.simplified_norm, options)) {
      steps.add(x, 1.0, trial.simplified);
      result.status = NewtonStatus::converged;
      result.remaining = trial.simplified_norm;
      return;
    }
  }
  result.status = NewtonStatus::iteration_limit;
  result.detail =
      iteration_limit_text(options.max_iterations, result.iterations.back().correction_norm, options.tolerance);
}

}  // namespace gwrm
