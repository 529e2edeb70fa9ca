// Corrections by the LU factorisation of the whole Jacobian.
#pragma once

#include "kernels/linear_algebra/dense_lu.hpp"
#include "solver/linear_solver.hpp"
#include "solver/nonlinear_system.hpp"

namespace gwrm {

class DenseSolver : public LinearSolver {
 public:
  // `lu` may hold the factors of this very system's Jacobian (a linear system: they are then kept for good).
  DenseSolver(NonlinearSystem& system, DenseLu& lu, bool already_factored = false)
      : system_(system), lu_(lu), factored_(already_factored) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override { lu_.solve(v); }
  bool is_direct() const override { return true; }
  double reciprocal_condition() const override { return lu_.reciprocal_condition(); }
  const DenseLu& lu() const { return lu_; }

 private:
  std::string dependency() const;

  NonlinearSystem& system_;
  DenseLu& lu_;
  bool factored_ = false;
};

}  // namespace gwrm
