// Anderson acceleration of the fixed-point iteration x <- x - M^{-1} f(x) with a single preconditioner M.
//
// With g_k = -M^{-1} f(x_k), and the last m differences of x and g as columns of dX and dG:
//   gamma = argmin || g_k - dG gamma ||,   x_{k+1} = x_k + g_k - (dX + dG) gamma.
// Source: Walker and Ni, SIAM J. Numer. Anal. 49 (2011). One preconditioner for the whole solve and no Jacobian: good
// for short windows, where M is nearly the Jacobian everywhere; diverges on long ones (docs/numerics.md 7).
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <deque>

#include "solver/newton_steps.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kDepth = 5;
constexpr double kDiverged = 1e3;  // a step this much larger than the first: give up

}  // namespace

NewtonResult anderson(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options,
                      LinearSolver& solver, const std::function<bool()>& interrupted) {
  NewtonResult result;
  NewtonSteps steps(system, solver, result);
  std::vector<double> f;
  if (!steps.residual(x, f)) {
    steps.fail_not_finite(x);
    return result;
  }
  if (!steps.linearise(x, true)) return result;
  const auto n = static_cast<Eigen::Index>(x.size());
  std::deque<Eigen::VectorXd> x_differences, g_differences;
  Eigen::VectorXd last_x, last_g;
  double first_norm = 0.0;
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (interrupted && interrupted()) {
      result.status = NewtonStatus::interrupted;
      return result;
    }
    const std::vector<double> step = steps.apply_preconditioner(f);
    const double norm = steps.norm(step, x);
    result.iterations.push_back({root_mean_square(f), norm, 1.0, 0});
    if (norm <= options.tolerance) {
      add_scaled(x, 1.0, step);
      result.status = NewtonStatus::converged;
      return result;
    }
    if (iteration == 0) first_norm = norm;
    if (!(norm <= kDiverged * first_norm)) break;
    const Eigen::VectorXd g = Eigen::Map<const Eigen::VectorXd>(step.data(), n);
    const Eigen::VectorXd now = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
    if (iteration > 0) {
      x_differences.push_back(now - last_x);
      g_differences.push_back(g - last_g);
      if (x_differences.size() > kDepth) x_differences.pop_front(), g_differences.pop_front();
    }
    Eigen::VectorXd next = now + g;
    if (!g_differences.empty()) {
      const auto m = static_cast<Eigen::Index>(g_differences.size());
      Eigen::MatrixXd differences(n, m);
      for (Eigen::Index j = 0; j < m; ++j) differences.col(j) = g_differences[static_cast<std::size_t>(j)];
      const Eigen::VectorXd gamma = differences.colPivHouseholderQr().solve(g);
      for (Eigen::Index j = 0; j < m; ++j)
        next -= gamma(j) * (x_differences[static_cast<std::size_t>(j)] + g_differences[static_cast<std::size_t>(j)]);
    }
    last_x = now;
    last_g = g;
    x.assign(next.begin(), next.end());
    if (!steps.residual(x, f)) {
      steps.fail_not_finite(x);
      return result;
    }
  }
  result.status = NewtonStatus::iteration_limit;
  result.detail = fmt::format("{} Anderson iterations, last correction {:.1e}, wanted {:.1e}", result.iterations.size(),
                              result.iterations.back().correction_norm, options.tolerance);
  return result;
}

}  // namespace gwrm
