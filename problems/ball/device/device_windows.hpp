// Windows of a sphere solved on a device: the linear iteration, or Newton's with it, of window_solver.hpp. The host
// forms right-hand sides and sources, decides, and keeps the answer; what crosses is a window's unknowns there and
// back and a few numbers an iteration.
//
// On the device   products on points (grid_products.hpp), terms within a degree, mass and diffusion, the
//                 preconditioner, GMRES and Newton's method. Reactions, diffusion alone (which is solved directly) and
//                 windows that GMRES does not solve (direct_windows.hpp) are the CPU's.
// Memory          krylov_memory.hpp.
// Determinism     sums in a fixed order: two runs on one device give the same bits.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "kernels/device/device_profile.hpp"
#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "solver/gmres.hpp"
#include "solver/newton.hpp"

namespace gwrm::ball {

// What a window's sources and start are to Newton's iteration on the device.
struct DeviceWindowData {
  double length = 0.0;
  const std::vector<double>& state;
  const Matrix& sources;  // nodes x unknowns; no rows: none
};

// The windows of one space. Not for several threads.
class DeviceWindows {
 public:
  virtual ~DeviceWindows() = default;

  // (mass + (h/2) Q (diffusion - linear terms)) d = r; r, d: nodes x unknowns.
  virtual GmresResult solve(double window_length, const double* r, double* d, double tolerance, int max_iterations) = 0;
  // -M^{-1} f(x), Newton's correction as the preconditioner has it.
  virtual Vector first_correction(const DeviceWindowData& window, const std::vector<double>& x) = 0;
  // Improves x in place; n_iterations: of GMRES, are added.
  virtual NewtonResult newton(const DeviceWindowData& window, std::vector<double>& x, const NewtonOptions& options,
                              const std::function<bool()>& interrupted, int& n_iterations) = 0;
};

// The device of a run, which outlives its windows.
class WindowDevice {
 public:
  virtual ~WindowDevice() = default;
  // MemoryError if the windows of this space have no room, with the estimate.
  virtual void check_memory(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving) const = 0;
  // MemoryError with the estimate before anything is allocated if the device has no room.
  virtual std::unique_ptr<DeviceWindows> windows(const BallModel& model, const BallSpace& space, const BallTerms& terms,
                                                 const EvolvingTerms& evolving) = 0;
  // Of all windows that are gone.
  virtual DeviceUse use() const = 0;
};

// memory_limit: bytes; 0: what the device has free. DeviceError in a build without CUDA.
std::unique_ptr<WindowDevice> make_window_device(const Context& context, double memory_limit);

// Why the windows of a case are solved on the CPU; empty if a device takes them.
std::string device_refusal(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving);

// Bytes that a window takes on the device.
double device_memory(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving);

}  // namespace gwrm::ball

namespace gwrm::cuda {
std::unique_ptr<ball::WindowDevice> make_window_device(const Context& context, double memory_limit);
}
