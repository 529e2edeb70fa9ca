// The semi-implicit root solver of Scheffel and Hakansson (2009) with sub-iterations.
//
// For x = phi(x), phi = x - f, J = f':   alpha = I + (R - I) J^{-1},   x1 = alpha (x0 - phi0) + phi0 = x0 - (I - R)
// J^{-1} f. R is diagonal, starts at 0.9999 and falls by 0.8 an iteration, so that the path bends from the pseudo-time
// flow into Newton. A component whose row of alpha is large, or which overshoots its root, has its R_i raised to (3 R_i
// + 1)/4 and the step is repeated with the same Jacobian.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/newton_steps.hpp"

namespace gwrm {
namespace {

constexpr double kStart = 0.9999;
constexpr double kDecay = 0.8;
constexpr double kNewtonBelow = 1e-3;  // from here on R = 0: plain Newton, quadratic convergence
constexpr double kLargeAlpha = 2.0;
constexpr double kOvershoot = -0.05;
constexpr int kMaxSubIterations = 40;

// max_j |(J^{-1})_ij| per row needs the inverse: n solves, kept as its rows' values of interest.
struct InverseRows {
  std::vector<double> off_diagonal;  // max over j != i of |(J^{-1})_ij|
  std::vector<double> diagonal;      // (J^{-1})_ii
};

InverseRows inverse_rows(const DenseLu& lu, std::size_t n) {
  InverseRows rows{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  std::vector<double> column(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    column[j] = 1.0;
    lu.solve(column);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == j)
        rows.diagonal[i] = column[i];
      else
        rows.off_diagonal[i] = std::max(rows.off_diagonal[i], std::abs(column[i]));
    }
  }
  return rows;
}

double largest_alpha(const InverseRows& inverse, std::size_t i, double r) {
  return std::max(std::abs(1.0 + (r - 1.0) * inverse.diagonal[i]), (1.0 - r) * inverse.off_diagonal[i]);
}

}  // namespace

NewtonResult sir(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, DenseCorrection& solver,
                 const std::function<bool()>& interrupted) {
  NewtonResult result;
  NewtonSteps steps(system, solver, result);
  const std::size_t n = x.size();
  std::vector<double> f, f_new, x_new(n), r(n, kStart);
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
    const std::vector<double> dx = steps.estimate(f);
    const double dx_norm = steps.norm(dx, x);
    const double f_norm = root_mean_square(f);
    const bool damped = std::any_of(r.begin(), r.end(), [](double value) { return value > 0.0; });
    InverseRows inverse;
    for (int sub = 0;; ++sub) {
      for (std::size_t i = 0; i < n; ++i) x_new[i] = x[i] + (1.0 - r[i]) * dx[i];
      const bool finite = steps.residual(x_new, f_new);
      if (finite && (!damped || sub == kMaxSubIterations || root_mean_square(f_new) <= f_norm)) break;
      if (!finite && sub == kMaxSubIterations) {
        steps.fail_not_finite(x_new);
        return result;
      }
      if (!damped && !finite) {
        steps.fail_not_finite(x_new);
        return result;
      }
      if (inverse.diagonal.empty()) inverse = inverse_rows(solver.lu(), n);
      bool changed = false;
      for (std::size_t i = 0; i < n; ++i) {
        const bool overshoots = !std::isfinite(f_new[i]) || (x[i] - x_new[i]) * f_new[i] < kOvershoot;
        if (!overshoots && largest_alpha(inverse, i, r[i]) < kLargeAlpha) continue;
        r[i] = (3.0 * r[i] + 1.0) / 4.0;
        changed = true;
      }
      if (!changed) break;
    }
    double smallest_step = 1.0;
    for (double value : r) smallest_step = std::min(smallest_step, 1.0 - value);
    result.iterations.push_back({f_norm, dx_norm, smallest_step});
    x = x_new;
    f = f_new;
    if (!damped && dx_norm <= options.tolerance) {
      result.status = NewtonStatus::converged;
      return result;
    }
    // Small undamped corrections end the pseudo-time phase early: what follows is Newton.
    for (double& value : r) value = (value * kDecay < kNewtonBelow || dx_norm <= 1e-6) ? 0.0 : value * kDecay;
  }
  result.status = NewtonStatus::iteration_limit;
  result.detail = fmt::format("{} SIR iterations, last correction {:.1e}, wanted {:.1e}", options.max_iterations,
                              result.iterations.back().correction_norm, options.tolerance);
  return result;
}

}  // namespace gwrm
