// What Newton's iteration of a shared window (shared_newton.hpp) preconditions with: M^-1 of M near the Jacobian.
#pragma once

#include <memory>
#include <span>

#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

// A rank's part of M^-1, which outlives the window that it was made for.
class SharedFactors {
 public:
  virtual ~SharedFactors() = default;
};

class SharedPreconditioner {
 public:
  virtual ~SharedPreconditioner() = default;
  // By all ranks, as every operation. at_x: the window linearised at some iterate. All ranks come to the same status.
  virtual LuStatus factor(const SharedLinearisation& at_x) = 0;
  // result = M^-1 v, v of rows, the result of unknowns.
  virtual void apply(std::span<const double> v, std::span<double> result) = 0;
  // Those of factor(), for a later window of the same method, equal length and subdomains, which takes them in its
  // place.
  virtual std::shared_ptr<SharedFactors> factors() const = 0;
  virtual void reuse(std::shared_ptr<SharedFactors> factors) = 0;
};

// Of a method without a shared_method_unsupported_reason(). By all ranks.
std::unique_ptr<SharedPreconditioner> make_shared_preconditioner(SpatialMethod method, const WindowSystem& system,
                                                                 SharedWindow& window, Communicator& ranks);
// Why ranks do not share the factors of this method; empty if they do.
std::string shared_method_unsupported_reason(SpatialMethod method, const WindowSystem& system);

}  // namespace gwrm
