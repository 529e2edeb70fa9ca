// The contract between a problem and the root solvers: f(x) = 0 with a dense Jacobian, and names for what fails.
// The solvers know nothing of equations, windows or polynomials.
#pragma once

#include <span>
#include <string>

#include "core/array.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"

namespace gwrm {

class NonlinearSystem {
 public:
  virtual ~NonlinearSystem() = default;
  virtual Index size() const = 0;
  // True if f is affine in x: one Jacobian serves for good.
  virtual bool is_linear() const { return false; }
  virtual void residual(std::span<const double> x, std::span<double> f) = 0;
  // df_i/dx_j at matrix[i + j * size()] (column-major).
  virtual void jacobian(std::span<const double> x, std::span<double> matrix) = 0;
  // Factors the Jacobian at x. Default: by way of the host's memory.
  virtual LuStatus factor_jacobian(std::span<const double> x, DenseLu& lu);
  // Sizes against which corrections of x are judged: one positive weight per unknown (solver/newton.hpp). Default: the
  // root mean square of x for every unknown.
  virtual void weights(std::span<const double> x, std::span<double> w) const;
  // "equation 2 (u), modes t 3, x 17": for messages.
  virtual std::string describe_row(Index row) const { return "row " + std::to_string(row); }
  virtual std::string describe_unknown(Index column) const { return "unknown " + std::to_string(column); }
  // Where the residual at x stops being finite: equation, field, point. Called only after residual() gave a NaN or Inf.
  virtual std::string locate_not_finite(std::span<const double>) { return "the residual is not finite"; }
};

}  // namespace gwrm
