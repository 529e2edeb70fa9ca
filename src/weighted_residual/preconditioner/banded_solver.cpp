#include "weighted_residual/preconditioner/banded_solver.hpp"

#include <fmt/format.h>

#include "solver/gmres.hpp"
#include "solver/krylov_outcome.hpp"

namespace gwrm {
namespace {

// What GMRES may leave for Newton's next iteration. Above, the factors are not those of the Jacobian.
constexpr double kBandedTolerance = 1e-3;

}  // namespace

LinearOutcome BandedSolver::linearise(std::span<const double> x, bool) {
  if (at_x_.coefficients.empty()) at_x_ = system_.linearise(x);
  if (factors_ != nullptr) return {};
  std::optional<BandedRows> rows = banded_rows(system_, BandedLayout(system_), at_x_);
  if (!rows)
    return {LinearStatus::singular, 0,
            fmt::format("a coefficient of the equations is not finite, or no polynomial of degree {} or less along {}",
                        kHighestCoefficientDegree, system_.model().axes[system_.plan().banded_axis].name)};
  auto factors = std::make_shared<BandedFactors>();
  ++n_factorisations_;
  switch (factors->factor(system_, std::move(*rows))) {
    case LuStatus::regular:
      factors_ = std::move(factors);
      return {};
    case LuStatus::not_finite:
      return {LinearStatus::not_finite, 0, "the Jacobian holds NaN or Inf"};
    case LuStatus::singular:
      break;
  }
  return {LinearStatus::singular, 0, "the banded part of the Jacobian, or its Schur complement, is singular"};
}

void BandedSolver::apply_preconditioner(std::span<double> v) {
  const std::vector<double> right(v.begin(), v.end());
  factors_->solve(system_, right, v);
}

LinearOutcome BandedSolver::solve(std::span<double> v, const KrylovTolerance& tolerance) {
  const std::vector<double> right(v.begin(), v.end());
  return krylov_outcome(
      gmres([&](std::span<const double> a, std::span<double> b) { system_.apply_jacobian(at_x_, a, b); },
            [&](std::span<const double> a, std::span<double> b) { factors_->solve(system_, a, b); }, right, v,
            tolerance, {kMaxIterations, interruption()}),
      kBandedTolerance);
}

}  // namespace gwrm
