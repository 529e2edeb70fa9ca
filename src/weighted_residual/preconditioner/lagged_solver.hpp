// Newton corrections of a window by GMRES with products J v, preconditioned by the LU of an earlier Jacobian: that of
// the window's first iterate, until GMRES needs more than `refresh_above` iterations.
//
// Against solver/dense_solver.hpp this saves all matrices but one and pays a few J v for each correction. Source:
// inexact Newton methods, Knoll and Keyes, J. Comput. Phys. 193 (2004) 357, section 3.
#pragma once

#include "solver/dense_solver.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

class LaggedSolver : public LinearSolver {
 public:
  // `lu` may hold the factors of this very system's Jacobian (a linear system: they are then kept for good).
  LaggedSolver(WindowSystem& system, DenseLu& lu, bool already_factored = false)
      : system_(system), lu_(lu), factored_(already_factored), first_(system, lu, already_factored) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override { lu_.solve(v); }
  bool is_direct() const override { return false; }
  int refresh_above() const override { return kRefreshAbove; }
  double reciprocal_condition() const override { return lu_.reciprocal_condition(); }

 private:
  WindowSystem& system_;
  DenseLu& lu_;
  bool factored_, linearised_ = false;
  DenseSolver first_;
  Linearisation at_x_;
};

}  // namespace gwrm
