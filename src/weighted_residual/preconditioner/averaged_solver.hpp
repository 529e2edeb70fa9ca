// Newton corrections of a window by GMRES, preconditioned with its time-averaged Jacobian.
//
// M = sum_p (h/2)^p Q^p (x) B_p (averaged_rows.hpp) decouples over the eigenvalues of Q (or, above 16 nodes, is solved
// backwards through its Schur form): one small complex system S(z_k) per conjugate pair. M differs from J by the
// variation of the coefficients over the window only, so that GMRES takes a few iterations whatever the resolution in
// space. The preconditioner is built at the first iterate of a window and kept until GMRES needs more than
// `refresh_above` iterations. Where it does not converge with condensed factors in single precision, it begins again
// with those in double precision: a potential on subdomains of very different lengths has a condition above 1e7.
// Source: docs/numerics.md 4.
#pragma once

#include <memory>

#include "basis/time_modes.hpp"
#include "core/buffer.hpp"
#include "solver/linear_solver.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

// Of the factors for these modes of time; null: a steady problem.
Precision averaged_precision(const TimeModes* modes);

class AveragedSolver : public LinearSolver {
 public:
  // The system must have averages (averaging_unsupported_reason); condensed, wavenumber: these serve it.
  AveragedSolver(const WindowSystem& system, SpatialMethod method);

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override;
  bool is_direct() const override { return false; }
  int refresh_above() const override { return method_ == SpatialMethod::saddle ? kSaddleRefreshAbove : kRefreshAbove; }
  double reciprocal_condition() const override { return 0.0; }

  // The factors, for a later window of equal length and subdomains: of the same averaged Jacobian (linear, autonomous),
  // or of one near by, which precondition until they cost too many iterations.
  std::shared_ptr<const SpatialFactors> factors() const { return factors_; }
  void reuse(std::shared_ptr<const SpatialFactors> factors, bool same_jacobian) {
    factors_ = std::move(factors);
    borrowed_ = factors_ != nullptr && !same_jacobian;
  }
  // They do not precondition this window as its own would.
  bool factors_are_stale() const { return stale_; }

 private:
  LinearOutcome factor_anew();
  int max_iterations() const;
  LinearOutcome iterate(std::span<const double> right, std::span<double> v, const KrylovTolerance& tolerance) const;
  FactorResult factor(const std::vector<Array>& averages, const std::vector<std::complex<double>>& z) const;
  void precondition(std::span<const double> v, std::span<double> result) const;
  void solve_diagonal(std::span<const double> v, std::span<double> result) const;
  void solve_triangular(const Matrix& right, Matrix& solution) const;

  const WindowSystem& system_;
  SpatialMethod method_;
  SpatialLayout layout_;
  const TimeModes* modes_ = nullptr;  // null: steady
  double half_ = 1.0;                 // h/2
  Linearisation at_x_;
  std::shared_ptr<const SpatialFactors> factors_;
  Precision precision_;                                      // of the next factors
  bool borrowed_ = false, stale_ = false;                    // factors_ are another window's, and have grown old
  mutable BufferOf<std::complex<double>> right_, solution_;  // of the time modes
};

}  // namespace gwrm
