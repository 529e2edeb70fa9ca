#include "weighted_residual/preconditioner/shared_preconditioner.hpp"

#include "weighted_residual/preconditioner/shared_average.hpp"
#include "weighted_residual/preconditioner/shared_wavenumbers.hpp"

namespace gwrm {

std::unique_ptr<SharedPreconditioner> make_shared_preconditioner(SpatialMethod method, const WindowSystem& system,
                                                                 SharedWindow& window, Communicator& ranks) {
  if (method == SpatialMethod::wavenumber) return std::make_unique<SharedWavenumbers>(system, window, ranks);
  return std::make_unique<SharedAverage>(system, window, ranks);
}

std::string shared_method_unsupported_reason(SpatialMethod method, const WindowSystem& system) {
  if (method == SpatialMethod::wavenumber) return wavenumber_unsupported_reason(system.model(), system.plan());
  if (method != SpatialMethod::tensor) return "its linear solver is neither `tensor` nor `wavenumber`";
  if (!system.model().multipliers.empty()) return "it has constraints, and is not solved wavenumber by wavenumber";
  for (const RowBlock& row : system.rows())
    if (row.kind == RowBlock::Kind::mean) return "a condition fixes a mean";
  return {};
}

}  // namespace gwrm
