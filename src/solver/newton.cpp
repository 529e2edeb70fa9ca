#include "solver/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"

#include "solver/newton_steps.hpp"

namespace gwrm {
namespace {

// Below this damping the iterate is far from any root that Newton can reach (numerics.md 8: halve the window instead).
constexpr double kSmallestDamping = 1.0 / 16.0;

struct Trial {
  std::vector<double> x, f, simplified;  // simplified: -J^{-1} f(x) with the Jacobian of the step, or its estimate
  double simplified_norm = 0.0;
  double damping = 1.0;
  bool accepted = false;
  bool finite = false;  // some trial had a finite residual
};

// Halves the damping until the natural monotonicity test holds; without globalisation the full step is taken.
Trial damped_step(NewtonSteps& steps, const std::vector<double>& x, const std::vector<double>& dx, double dx_norm,
                  Globalisation globalisation) {
  Trial trial;
  for (double damping = 1.0; damping >= kSmallestDamping; damping /= 2.0) {
    trial.damping = damping;
    trial.x = x;
    add_scaled(trial.x, damping, dx);
    if (steps.residual(trial.x, trial.f)) {
      trial.finite = true;
      trial.simplified = steps.estimate(trial.f);
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

// How accurately a Krylov solver need know a correction of this size: the square of the step is lost anyhow, and digits
// below the Newton tolerance are not wanted. A linear system loses nothing: one step is to be enough.
double forcing_term(double step, double tolerance, bool linear) {
  const double wanted = std::clamp(0.1 * tolerance / step, 1e-13, 1e-2);
  return linear ? wanted : std::max(std::clamp(0.1 * step, 1e-8, 1e-2), wanted);
}

}  // namespace

bool succeeded(NewtonStatus status) {
  return status == NewtonStatus::converged || status == NewtonStatus::converged_at_roundoff;
}

std::string to_string(NewtonStatus status) {
  switch (status) {
    case NewtonStatus::converged:
      return "converged";
    case NewtonStatus::converged_at_roundoff:
      return "converged at round-off";
    case NewtonStatus::iteration_limit:
      return "iteration limit reached";
    case NewtonStatus::damping_failed:
      return "no damped step reduces the correction";
    case NewtonStatus::singular:
      return "singular Jacobian";
    case NewtonStatus::linear_failed:
      return "linear iteration did not converge";
    case NewtonStatus::not_finite:
      return "NaN or Inf";
    case NewtonStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

NewtonResult newton(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options,
                    CorrectionSolver& solver, const std::function<bool()>& interrupted) {
  if (options.globalisation == Globalisation::sir) {
    auto* dense = dynamic_cast<DenseCorrection*>(&solver);
    if (dense == nullptr) throw ShapeError("SIR needs the dense Jacobian");
    return sir(system, x, options, *dense, interrupted);
  }
  if (options.globalisation == Globalisation::anderson) return anderson(system, x, options, solver, interrupted);

  NewtonResult result;
  NewtonSteps steps(system, solver, result);
  std::vector<double> f, dx;
  if (!steps.residual(x, f)) {
    steps.fail_not_finite(x);
    return result;
  }
  bool fresh = true;
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (interrupted && interrupted()) {
      result.status = NewtonStatus::interrupted;
      return result;
    }
    if (!steps.linearise(x, fresh)) return result;
    const double accuracy = solver.is_direct()
                                ? 0.0
                                : forcing_term(steps.norm(steps.estimate(f), x), options.tolerance, system.is_linear());
    int linear_iterations = 0;
    if (!steps.correction(f, accuracy, dx, linear_iterations)) {
      // A lagged preconditioner gets a second chance at this iterate.
      if (result.status != NewtonStatus::linear_failed || fresh) return result;
      if (!steps.linearise(x, true)) return result;
      int again = 0;
      const bool solved = steps.correction(f, accuracy, dx, again);
      linear_iterations += again;
      if (!solved) return result;
      fresh = again > solver.refresh_above();
    } else {
      fresh = linear_iterations > solver.refresh_above();
    }

    const double dx_norm = steps.norm(dx, x);
    const double residual_norm = root_mean_square(f);
    if (dx_norm <= options.tolerance) {
      add_scaled(x, 1.0, dx);
      result.iterations.push_back({residual_norm, dx_norm, 1.0, linear_iterations});
      result.status = NewtonStatus::converged;
      return result;
    }

    Trial trial = damped_step(steps, x, dx, dx_norm, options.globalisation);
    result.iterations.push_back({residual_norm, dx_norm, trial.damping, linear_iterations});
    if (!trial.accepted) {
      if (dx_norm <= steps.roundoff_level()) {
        result.status = NewtonStatus::converged_at_roundoff;
      } else if (!trial.finite) {
        steps.fail_not_finite(trial.x);
      } else {
        result.status = NewtonStatus::damping_failed;
        result.detail = fmt::format("the correction is {:.1e} and no damping down to 1/16 makes it fall", dx_norm);
      }
      return result;
    }
    x = std::move(trial.x);
    f = std::move(trial.f);
    if (trial.damping == 1.0 && trial.simplified_norm <= options.tolerance) {
      add_scaled(x, 1.0, trial.simplified);
      result.status = NewtonStatus::converged;
      return result;
    }
  }
  result.status = NewtonStatus::iteration_limit;
  result.detail = fmt::format("{} iterations, last correction {:.1e}, wanted {:.1e}", options.max_iterations,
                              result.iterations.back().correction_norm, options.tolerance);
  return result;
}

}  // namespace gwrm
