// What Newton's iteration of a shared window (shared_newton.hpp) preconditions with: M^-1 of M near the Jacobian.
#pragma once

#include <memory>
#include <span>

#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

class SharedPreconditioner {
 public:
  virtual ~SharedPreconditioner() = default;
  // By all ranks, as every operation. x: the rank's unknowns, at_x: the window linearised there. All ranks come to the
  // same status.
  virtual LuStatus factor(std::span<const double> x, const SharedLinearisation& at_x) = 0;
  // result = M^-1 v, v of rows, the result of unknowns.
  virtual void apply(std::span<const double> v, std::span<double> result) = 0;
};

// Of a method without a shared_method_unsupported_reason(). By all ranks.
std::unique_ptr<SharedPreconditioner> make_shared_preconditioner(SpatialMethod method, const WindowSystem& system,
                                                                 SharedWindow& window, Communicator& ranks);
// Why ranks do not share the factors of this method; empty if they do.
std::string shared_method_unsupported_reason(SpatialMethod method, const WindowSystem& system);

}  // namespace gwrm
