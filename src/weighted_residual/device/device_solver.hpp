// Windows solved on the device: Newton, GMRES, preconditioner, residual and Jacobian-vector product there, the steps
// of newton_loop.hpp and averaged_solver.hpp as on the CPU. What crosses is the first guess, the state at the start
// and small matrices on the way there; norms, profiles of the averaged coefficients and the solution on the way back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/communicator.hpp"
#include "core/context.hpp"
#include "kernels/device/device_profile.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// The preconditioner of a window, in the device's memory. It must not outlive the DeviceSolver that made it.
class DeviceFactors {
 public:
  virtual ~DeviceFactors() = default;
};

class DeviceSolver {
 public:
  virtual ~DeviceSolver() = default;
  // Improves x from its values on, by a method that has no device_unsupported_reason(). factors: those of a window with
  // the same averaged Jacobian and method, or null; afterwards those of this one (null where the first guess was the
  // solution). They are the caller's, as several march through one device: a run and the estimate of its error.
  // MemoryError with the estimate before anything is allocated if the device has no room. Globalisation: natural or
  // none.
  virtual NewtonResult solve(WindowSystem& system, std::vector<double>& x, SpatialMethod method,
                             const NewtonOptions& options, std::shared_ptr<DeviceFactors>& factors,
                             const std::function<bool()>& interrupted) = 0;
  // By all ranks, before they solve windows together: begins the link between their GPUs, which takes most of a second,
  // beside whatever the caller does next. What fails comes out of the first solve.
  virtual void prepare_together(Communicator& ranks) = 0;
  // The same by the GPUs of all ranks together, one of each, by the tensor method; called by all of them. x is that of
  // rank 0, whole before and after. The system has no shared_newton_unsupported_reason(), no subdomains and no
  // integrals, and there are no more ranks than points in time. `ranks` are the same at every call. DeviceError where
  // NCCL fails, or a rank does not answer.
  virtual NewtonResult solve_together(Communicator& ranks, WindowSystem& system, std::vector<double>& x,
                                      const NewtonOptions& options, const std::function<bool()>& interrupted) = 0;
  // MemoryError if this rank's GPU has no room for its share of the window.
  virtual void check_room_together(const WindowSystem& system, int n_ranks) const = 0;
  // f.f of the residual at x; infinite where it is not finite. method: by which the window will be solved.
  virtual double residual_size(WindowSystem& system, SpatialMethod method, const std::vector<double>& x) = 0;
  // The equations of a short window: on the device where `method` has factors for one z there (wavenumber), else on
  // the CPU. The solver is to outlive it. MemoryError: no room.
  virtual std::unique_ptr<InstantaneousSystem> instantaneous(WindowSystem& system, const SpatialLayout& layout,
                                                             SpatialMethod method) = 0;
  virtual DeviceUse use() = 0;
};

// memory_limit: bytes that a window may take; 0: what the device has free. DeviceError in a build without CUDA.
std::unique_ptr<DeviceSolver> make_device_solver(const Context& device, double memory_limit = 0.0);

// Why windows of these equations are not solved on the device with this preconditioner (tensor, wavenumber or saddle);
// empty if they are.
std::string device_unsupported_reason(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains, SpatialMethod method);

// Bytes that a window takes on the device, at most.
double device_memory_of(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                        SpatialMethod method);

// The usual guess of a first window; ranks that help with one have nothing. Read in threads: it may be gigabytes.
bool is_zero(const std::vector<double>& x);

// One warning a process.
void say_that_equations_are_interpreted(const std::string& why);

namespace cuda {
std::unique_ptr<DeviceSolver> make_device_solver(const Context& device, double memory_limit);
}

}  // namespace gwrm
