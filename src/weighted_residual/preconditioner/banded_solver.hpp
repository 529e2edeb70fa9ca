// Newton corrections of a linear window on one high-degree interval by a banded LU (banded_factors.hpp).
//
// The factors are those of the Jacobian itself but for round-off, so that GMRES with the exact matrix-free Jacobian,
// which they precondition from the right, ends after one or two iterations; where it does not (a core that is nearly
// singular although the problem is not) the outcome says so.
#pragma once

#include <memory>

#include "solver/linear_solver.hpp"
#include "weighted_residual/preconditioner/banded_factors.hpp"

namespace gwrm {

class BandedSolver : public LinearSolver {
 public:
  // The system has the banded form (banded_unsupported_reason).
  explicit BandedSolver(const WindowSystem& system) : system_(system) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override;
  bool is_direct() const override { return false; }
  // The system is linear: fresh factors would be the same.
  int refresh_above() const override { return kMaxIterations; }
  double reciprocal_condition() const override { return 0.0; }

  // The factors, for a later window with the same Jacobian.
  std::shared_ptr<const BandedFactors> factors() const { return factors_; }
  void reuse(std::shared_ptr<const BandedFactors> factors) { factors_ = std::move(factors); }

 private:
  static constexpr int kMaxIterations = 10;

  const WindowSystem& system_;
  Linearisation at_x_;
  std::shared_ptr<const BandedFactors> factors_;
};

}  // namespace gwrm
