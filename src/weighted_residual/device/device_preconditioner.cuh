// The preconditioner of a window on the device: rows to unknowns, the time-averaged Jacobian inverted, or its part that
// can be.
//
// Contract: src/weighted_residual/preconditioner/averaged_solver.hpp
#pragma once

#include "kernels/transform/device_modes.cuh"
//
#include <functional>
#include <memory>

#include "basis/time_modes.hpp"
#include "weighted_residual/device/device_atoms.cuh"
#include "weighted_residual/device/device_solver.hpp"
#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

namespace gwrm::cuda {

class DevicePreconditioner : public DeviceFactors {
 public:
  // result = M^{-1} v in two steps, so that GMRES waits for the host once: two numbers on the device that the decisions
  // of the second step depend on, and that step with these numbers on the host.
  virtual void look_at_rows(const double* v, double* facts) = 0;
  virtual void apply(const double* v, const double* facts, double* result) = 0;
  // Both; waits for the host.
  virtual void apply(const double* v, double* result) = 0;
  // Of the device, besides what it has of the pool.
  virtual std::size_t own_bytes() const { return 0; }
};

struct DevicePreconditionerResult {
  std::unique_ptr<DevicePreconditioner> preconditioner;  // null if singular or not finite
  LuStatus status = LuStatus::regular;
};

// null, for a steady problem: one mode that is the one time.
ModeMatrices mode_matrices(const TimeModes* modes);

// Of systems with Fourier axes, for these z. modes: null for a steady problem, or one time of another, z real then and
// vectors those of SpatialLayout. ready: called before products of complex matrices.
DevicePreconditionerResult make_wavenumber_preconditioner(DeviceTools& tools, const WindowSystem& system,
                                                          const WavenumberOperators& operators, const TimeModes* modes,
                                                          const std::vector<std::complex<double>>& z,
                                                          const std::function<void()>& ready);

// Of the window's last linearise(). means: of its coefficients, for the same terms the same. ready: as above.
// shares: null for one GPU; else the method is tensor, and all ranks call it.
DevicePreconditionerResult make_preconditioner(DeviceTools& tools, const WindowSystem& system, SpatialMethod method,
                                               const CoefficientMeans& means, const std::function<void()>& ready,
                                               const DeviceShares* shares = nullptr);

}  // namespace gwrm::cuda
