#include "solver/krylov_outcome.hpp"

#include <fmt/format.h>

#include "solver/newton_loop.hpp"

namespace gwrm {

LinearOutcome krylov_outcome(const GmresResult& gmres, double good_enough) {
  if (gmres.interrupted) return {LinearStatus::interrupted, gmres.iterations, {}};
  if (!gmres.finite) return {LinearStatus::not_finite, gmres.iterations, "NaN or Inf in the linear iteration"};
  if (gmres.converged || gmres.relative_residual <= good_enough)
    return {LinearStatus::solved, gmres.iterations, {}, gmres.converged};
  return {LinearStatus::no_convergence, gmres.iterations,
          fmt::format("GMRES reached a relative residual of {:.1e} in {} iterations, wanted {:.1e}",
                      gmres.relative_residual, gmres.iterations, gmres.wanted)};
}

bool goes_on(const LinearOutcome& outcome, NewtonResult& result) {
  switch (outcome.status) {
    case LinearStatus::solved:
      return true;
    case LinearStatus::singular:
      result.status = NewtonStatus::singular;
      break;
    case LinearStatus::not_finite:
      result.status = NewtonStatus::not_finite;
      break;
    case LinearStatus::no_convergence:
      result.status = NewtonStatus::linear_failed;
      break;
    case LinearStatus::interrupted:
      result.status = NewtonStatus::interrupted;
      break;
  }
  result.detail = outcome.detail;
  return false;
}

bool goes_on(const LinearOutcome& outcome, CorrectionEffort& effort, NewtonResult& result) {
  effort.iterations += outcome.iterations;
  effort.to_tolerance = outcome.to_tolerance;
  return goes_on(outcome, result);
}

}  // namespace gwrm
