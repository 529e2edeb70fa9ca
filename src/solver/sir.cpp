// The semi-implicit root solver with sub-iterations (Scheffel and Hakansson, Applied Numerical Mathematics 59, 2009).
//
// For x = phi(x), f = x - phi, J = f':   Phi(x) = alpha f(x) + phi(x) = x - (I - R) J^{-1} f(x),
//                                        alpha = I - (I - R) J^{-1}.
// R is diagonal, starts at 0.9999 and falls by 0.8 an iteration: a damped Newton step for every component, full at
// last. A step is looked at again if the largest |f_i| grows, or f is not finite there. Its components with
//   max_j |alpha_ij| >= 2,   or   S_i < -0.05,   S = (x0 - x1) (x1 - Phi(x1)): the next step with this alpha turns
//   back,
// get R_i <- (3 R_i + 1)/4, a step 3/4 as long, with the same J, until none is left. R stays raised, but for its decay.
// The test of -0.05 is on the unknowns as they are: it means something where they are of order one.
//
// What has to grow is a choice. The authors' program compares each component of the step with that of the last
// iteration; R falls so fast at first that nearly every step is then looked at. On the cosine systems both measures do
// equally well. In the windows of a differential equation rows of J^{-1} are large for good: R rises to 1 and stays
// there unless steps that do no harm are left alone (docs/root-solvers.md).
//
// The papers stop on the length of the damped step. Here the full Newton correction has to meet the tolerance, and is
// then applied: a small R says nothing of the distance to the root.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/newton_steps.hpp"

namespace gwrm {
namespace {

constexpr double kStart = 0.9999;
constexpr double kDecay = 0.8;
constexpr double kLargeAlpha = 2.0;
constexpr double kTurnsBack = -0.05;
// 0.75^130 is below the spacing of the numbers at 1: R_i = 1 by then, and the component stands still.
constexpr int kMaxSubIterations = 130;

double largest(const std::vector<double>& v) {
  double result = 0.0;
  for (double value : v) result = std::max(result, std::abs(value));
  return result;
}

// Per row i of J^{-1}: the entry (i, i) and the largest of the others. It takes n solves, three times the
// factorisation.
struct InverseRows {
  std::vector<double> diagonal, off_diagonal;

  InverseRows(const DenseLu& lu, std::size_t n) : diagonal(n), off_diagonal(n, 0.0) {
    std::vector<double> column(n);
    for (std::size_t j = 0; j < n; ++j) {
      std::fill(column.begin(), column.end(), 0.0);
      column[j] = 1.0;
      lu.solve(column);
      diagonal[j] = std::exchange(column[j], 0.0);
      for (std::size_t i = 0; i < n; ++i) off_diagonal[i] = std::max(off_diagonal[i], std::abs(column[i]));
    }
  }
  // max_j |alpha_ij|
  double largest_alpha(std::size_t i, double r) const {
    return std::max(std::abs(1.0 - (1.0 - r) * diagonal[i]), (1.0 - r) * off_diagonal[i]);
  }
};

// One iteration's step from x0: R, where it leads, and the residual there.
struct SirStep {
  NewtonSteps& steps;
  const std::vector<double>& x0;
  const std::vector<double>& dx;  // -J^{-1} f(x0)
  std::vector<double>& r;
  std::vector<double> x1, f1;
  bool finite = false;

  void take() {
    x1 = x0;
    for (std::size_t i = 0; i < r.size(); ++i) x1[i] += (1.0 - r[i]) * dx[i];
    finite = steps.residual(x1, f1);
  }
  // Raises R_i where the step goes too far; false if nowhere.
  bool raise(const InverseRows& inverse) {
    const std::vector<double> next = finite ? steps.apply_preconditioner(f1) : std::vector<double>();  // -J^{-1} f(x1)
    bool raised = false;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const bool turns_back = !finite || (x1[i] - x0[i]) * (1.0 - r[i]) * next[i] < kTurnsBack;
      if (!turns_back && inverse.largest_alpha(i, r[i]) < kLargeAlpha) continue;
      r[i] = (3.0 * r[i] + 1.0) / 4.0;
      raised = true;
    }
    return raised;
  }
  void sub_iterate(const InverseRows& inverse) {
    for (int sub = 0; sub < kMaxSubIterations && raise(inverse); ++sub) take();
  }
};

}  // namespace

NewtonResult sir(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, DenseSolver& solver,
                 const std::function<bool()>& interrupted) {
  NewtonResult result;
  NewtonSteps steps(system, solver, result);
  const std::size_t n = x.size();
  std::vector<double> f, r(n, kStart);
  double last_norm = std::numeric_limits<double>::infinity();
  if (!steps.residual(x, f)) {
    steps.fail_not_finite(x);
    return result;
  }
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (interrupted && interrupted()) {
      result.status = NewtonStatus::interrupted;
      return result;
    }
    if (!steps.linearise(x, true)) return result;
    const std::vector<double> dx = steps.apply_preconditioner(f);
    const double dx_norm = steps.norm(dx, x);
    result.iterations.push_back({root_mean_square(f), dx_norm, 1.0});
    if (dx_norm <= options.tolerance) {
      add_scaled(x, 1.0, dx);
      result.status = NewtonStatus::converged;
      return result;
    }
    if (dx_norm <= steps.roundoff_level() && dx_norm >= last_norm) {
      result.status = NewtonStatus::converged_at_roundoff;
      return result;
    }

    SirStep step{steps, x, dx, r, {}, {}};
    step.take();
    if (!step.finite || largest(step.f1) > largest(f)) step.sub_iterate(InverseRows(solver.lu(), n));
    for (double value : r) result.iterations.back().damping = std::min(result.iterations.back().damping, 1.0 - value);
    if (!step.finite) {
      steps.fail_not_finite(step.x1);
      return result;
    }
    last_norm = dx_norm;
    x = std::move(step.x1);
    f = std::move(step.f1);
    for (double& value : r) value *= kDecay;
  }
  result.status = NewtonStatus::iteration_limit;
  result.detail = fmt::format("{} SIR iterations, last correction {:.1e}, wanted {:.1e}", options.max_iterations,
                              result.iterations.back().correction_norm, options.tolerance);
  return result;
}

}  // namespace gwrm
