#include "problems/time_spectral/shared_windows.hpp"

#include <cstdlib>
#include <exception>
#include <new>

#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "weighted_residual/preconditioner/shared_newton.hpp"

namespace gwrm {
namespace {

// The others wait for what this rank was to send: only the launcher can end them.
[[noreturn]] void end_all(int rank, const std::string& what, ExitStatus status) {
  logger().error("rank {}: {}", rank, what);
  std::_Exit(static_cast<int>(status));
}

NewtonResult solve(Communicator& ranks, Window& window, const NewtonOptions& options,
                   const std::function<bool()>& interrupted) {
  NewtonOptions own = options;
  own.trusts_known_factors = false;  // each window has its own
  own.truncation = {};
  const SingleThreadedBlas single;
  SharedWindow shared(window.system, ranks);
  std::vector<double> x(static_cast<std::size_t>(shared.unknowns().size_of(ranks.rank())));
  shared.unknowns().take(ranks.rank(), window.x(), x);
  const NewtonResult result =
      shared_newton(window.system, shared, ranks, x, own, [&] { return interrupted && interrupted(); });
  shared.unknowns().gather(ranks, x, window.change_x());
  return result;
}

// What one of the ranks cannot do none of them begins.
void begin_on_devices(Communicator& ranks, const Window& window, const DeviceSolver* device) {
  std::exception_ptr failed;
  try {
    if (device == nullptr) throw DeviceError("it has no GPU for its share of a window");
    device->check_room_together(window.system, ranks.size());
  } catch (...) {
    failed = std::current_exception();
  }
  if (ranks.agree(failed ? 1 : 0) == 0) return;
  if (failed) std::rethrow_exception(failed);
  throw DeviceError("another rank has no GPU, or no room, for its share of a window");
}

}  // namespace

std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory, int n_ranks) {
  if (method != LinearMethod::tensor) return "its linear solver is not `tensor`";
  if (options.globalisation != Globalisation::natural && options.globalisation != Globalisation::none)
    return "its Newton iteration is globalised otherwise than as `natural`";
  if (memory.device != nullptr && n_ranks > window.system.discretisation().n_points(0))
    return "on GPUs a window is shared by as many ranks as it has points in time, at most";
  return shared_newton_unsupported_reason(window.system);
}

std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, const NewtonOptions& options,
                                           const std::function<bool()>& interrupted, DeviceSolver* device) {
  if (ranks.agree(window == nullptr ? 1 : 0) != 0) return {};
  const bool on_devices = ranks.agree(device != nullptr ? 1 : 0) != 0;
  if (on_devices) begin_on_devices(ranks, *window, device);
  try {
    if (on_devices) {
      NewtonOptions own = options;
      own.truncation = {};
      return device->solve_together(ranks, window->system, window->change_x(), own, interrupted);
    }
    return solve(ranks, *window, options, interrupted);
  } catch (const std::bad_alloc&) {
    end_all(ranks.rank(), "no memory for its share of a window", ExitStatus::resources);
  } catch (const Error& error) {
    end_all(ranks.rank(), error.what(), error.status());
  } catch (const std::exception& error) {
    end_all(ranks.rank(), error.what(), ExitStatus::internal_error);
  }
}

}  // namespace gwrm
