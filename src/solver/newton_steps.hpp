// What the root solvers share: residual, corrections and norms of one nonlinear system, with the failures typed.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solver/dense_correction.hpp"
#include "solver/newton.hpp"

namespace gwrm {

class NewtonSteps {
 public:
  NewtonSteps(NonlinearSystem& system, CorrectionSolver& solver, NewtonResult& result)
      : system_(system), solver_(solver), result_(result) {}

  // f(x); false if a value is not finite.
  bool residual(std::span<const double> x, std::vector<double>& f);
  // Prepares corrections at x. On failure the result holds status and detail, and false is returned.
  bool linearise(std::span<const double> x, bool fresh);
  // dx = -J^{-1} f to the relative tolerance. On failure as above; `iterations` counts in any case.
  bool correction(std::span<const double> f, double tolerance, std::vector<double>& dx, int& iterations);
  // -M^{-1} f: a correction without iterations (a direct solver: the simplified correction itself).
  std::vector<double> estimate(std::span<const double> f);
  // Root mean square of v_i / w_i with the weights of x.
  double norm(std::span<const double> v, std::span<const double> x);
  // Corrections below this are noise of the linear solve.
  double roundoff_level() const;
  void fail_not_finite(std::span<const double> x);

 private:
  bool take(const LinearOutcome& outcome);

  NonlinearSystem& system_;
  CorrectionSolver& solver_;
  NewtonResult& result_;
  std::vector<double> weights_;
};

double root_mean_square(std::span<const double> v);
void add_scaled(std::vector<double>& x, double factor, const std::vector<double>& dx);

// The iterations behind newton() with Globalisation::sir and ::anderson.
NewtonResult sir(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, DenseCorrection& solver,
                 const std::function<bool()>& interrupted);
NewtonResult anderson(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options,
                      CorrectionSolver& solver, const std::function<bool()>& interrupted);

}  // namespace gwrm
