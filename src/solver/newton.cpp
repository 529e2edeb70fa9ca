#include "solver/newton.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "core/errors.hpp"
#include "solver/newton_loop.hpp"
#include "solver/newton_steps.hpp"

namespace gwrm {

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

std::string damping_failed_text(double correction, double smallest_damping) {
  return fmt::format("the correction is {:.1e} and no damping down to 1/{:.0f} makes it fall", correction,
                     1.0 / smallest_damping);
}

std::string iteration_limit_text(int iterations, double correction, double tolerance) {
  return fmt::format("{}, last correction {:.1e}, wanted {:.1e}", counted(iterations, "iteration"), correction,
                     tolerance);
}

NewtonResult newton(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, LinearSolver& solver,
                    const std::function<bool()>& interrupted) {
  if (options.globalisation == Globalisation::sir) {
    auto* dense = dynamic_cast<DenseSolver*>(&solver);
    if (dense == nullptr) throw ShapeError("SIR needs the dense Jacobian");
    return sir(system, x, options, *dense, interrupted);
  }
  if (options.globalisation == Globalisation::anderson) return anderson(system, x, options, solver, interrupted);

  const InterruptedSolver asked(solver, interrupted);
  NewtonResult result;
  NewtonSteps steps(system, solver, result);
  newton_loop(steps, x, options, interrupted, result);
  return result;
}

}  // namespace gwrm
