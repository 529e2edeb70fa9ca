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

// Of those whose factors ranks can share at all; tensor stands for none.
SpatialMethod spatial_method(LinearMethod method) {
  return method == LinearMethod::wavenumber ? SpatialMethod::wavenumber : SpatialMethod::tensor;
}

NewtonResult solve(Communicator& ranks, Window& window, LinearMethod method, const NewtonOptions& options,
                   const std::function<bool()>& interrupted) {
  NewtonOptions own = options;
  own.trusts_known_factors = false;  // each window has its own
  const SingleThreadedBlas single;
  SharedWindow shared(window.system, ranks);
  std::vector<double> x(static_cast<std::size_t>(shared.unknowns().size_of(ranks.rank())));
  shared.unknowns().take(ranks.rank(), window.x(), x);
  own.truncation = {};
  if (own.loosest_tolerance > own.tolerance)
    own.truncation = [&] {
      shared.unknowns().gather(ranks, x, window.change_x());
      return truncation_level(window);
    };
  const NewtonResult result = shared_newton(window.system, shared, ranks, spatial_method(method), x, own,
                                            [&] { return interrupted && interrupted(); });
  shared.unknowns().gather(ranks, x, window.change_x());
  return result;
}

}  // namespace

bool has_shared_factors(LinearMethod method) {
  return method == LinearMethod::tensor || method == LinearMethod::wavenumber;
}

std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory) {
  if (memory.device != nullptr) return "a device solves it";
  if (!has_shared_factors(method)) return "its linear solver is neither `tensor` nor `wavenumber`";
  if (options.globalisation != Globalisation::natural && options.globalisation != Globalisation::none)
    return "its Newton iteration is globalised otherwise than as `natural`";
  return shared_newton_unsupported_reason(window.system, spatial_method(method));
}

std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, LinearMethod method,
                                           const NewtonOptions& options, const std::function<bool()>& interrupted) {
  if (ranks.agree(window == nullptr ? 1 : 0) != 0) return {};
  try {
    return solve(ranks, *window, method, options, interrupted);
  } catch (const std::bad_alloc&) {
    end_all(ranks.rank(), "no memory for its share of a window", ExitStatus::resources);
  } catch (const Error& error) {
    end_all(ranks.rank(), error.what(), error.status());
  } catch (const std::exception& error) {
    end_all(ranks.rank(), error.what(), ExitStatus::internal_error);
  }
}

}  // namespace gwrm
