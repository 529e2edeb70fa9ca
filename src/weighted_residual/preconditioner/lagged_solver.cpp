#include "weighted_residual/preconditioner/lagged_solver.hpp"

#include <algorithm>
#include <vector>

#include "solver/gmres.hpp"
#include "solver/krylov_outcome.hpp"

namespace gwrm {

LinearOutcome LaggedSolver::linearise(std::span<const double> x, bool fresh) {
  if (!linearised_ || !system_.is_linear()) system_.linearise(x, at_x_);
  linearised_ = true;
  if (factored_ && (!fresh || system_.is_linear())) return {};
  factored_ = true;
  const LinearOutcome outcome = first_.linearise(x, true);
  n_factorisations_ = first_.n_factorisations();
  return outcome;
}

LinearOutcome LaggedSolver::solve(std::span<double> v, const KrylovTolerance& tolerance) {
  const std::vector<double> right(v.begin(), v.end());
  return krylov_outcome(
      gmres([&](std::span<const double> a, std::span<double> b) { system_.apply_jacobian(at_x_, a, b); },
            [&](std::span<const double> a, std::span<double> b) {
              std::copy(a.begin(), a.end(), b.begin());
              lu_.solve(b);
            },
            right, v, tolerance, {kMaxKrylovIterations, interruption()}, system_.context().n_threads()));
}

}  // namespace gwrm
