// What Newton and SIR share: residual, Jacobian, linear solve and norms of one nonlinear system, with the failures
// typed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/newton.hpp"

namespace gwrm {

class NewtonSteps {
 public:
  NewtonSteps(NonlinearSystem& system, DenseLu& lu, NewtonResult& result) : system_(system), lu_(lu), result_(result) {}

  // f(x); false if a value is not finite.
  bool residual(std::span<const double> x, std::vector<double>& f);
  // Evaluates and factors J(x). On failure the result holds status and detail, and false is returned.
  bool factor(std::span<const double> x);
  // -J^{-1} f
  std::vector<double> correction(std::span<const double> f) const;
  // Root mean square of v_i / w_i with the weights of x.
  double norm(std::span<const double> v, std::span<const double> x);
  // Corrections below this are noise of the linear solve.
  double roundoff_level() const;
  void fail_not_finite(std::span<const double> x);

 private:
  void describe_dependency();

  NonlinearSystem& system_;
  DenseLu& lu_;
  NewtonResult& result_;
  std::vector<double> weights_;
};

double root_mean_square(std::span<const double> v);

// The SIR iteration behind newton() with Globalisation::sir.
NewtonResult sir(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, DenseLu& lu,
                 const std::function<bool()>& interrupted);

}  // namespace gwrm
