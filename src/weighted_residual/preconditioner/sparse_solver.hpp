// Newton corrections of systems of ordinary differential equations by the LU of the sparse Jacobian.
//
// Matrix   one dense block of K x K numbers (K unknowns in time) for every unknown in every equation: entries grow with
//          the couplings, n fields of which each meets c others have c n K^2.
// Method   columns ordered against fill (COLAMD), once for all windows with the same pattern; supernodal LU with
// partial
//          pivoting, Eigen's SparseLU (after Demmel, Eisenstat, Gilbert, Li and Liu, SIAM J. Matrix Anal. Appl. 20
//          (1999) 720). Newton converges as with the dense Jacobian: it is the same matrix.
#pragma once

#include <memory>
#include <string>

#include "solver/linear_solver.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Why a window has no sparse Jacobian; empty if it has one.
std::string sparse_unsupported_reason(const Model& model, const SystemPlan& plan);

// Entries of the Jacobian where it has one, with n_times unknowns in time of each field that depends on it.
double sparse_entries(const Model& model, const SystemPlan& plan, double n_times);

// The ordering and the factors, kept from window to window.
class SparseFactors;
std::shared_ptr<SparseFactors> make_sparse_factors();

class SparseSolver : public LinearSolver {
 public:
  // `factors` may hold those of this very system's Jacobian (a linear system: they are then kept for good).
  SparseSolver(const WindowSystem& system, SparseFactors& factors, bool already_factored)
      : system_(system), factors_(factors), factored_(already_factored) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override;
  bool is_direct() const override { return true; }
  double reciprocal_condition() const override { return 0.0; }

 private:
  const WindowSystem& system_;
  SparseFactors& factors_;
  bool factored_;
};

}  // namespace gwrm
