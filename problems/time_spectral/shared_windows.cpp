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

}  // namespace

void end_all_ranks(int rank, const std::string& what, ExitStatus status) {
  logger().error("rank {}: {}", rank, what);
  std::_Exit(static_cast<int>(status));
}

std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory) {
  if (memory.device != nullptr) return "a device solves it";
  if (method != LinearMethod::tensor) return "its linear solver is not `tensor`";
  if (options.globalisation != Globalisation::natural && options.globalisation != Globalisation::none)
    return "its Newton iteration is globalised otherwise than as `natural`";
  return shared_newton_unsupported_reason(window.system);
}

std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, const NewtonOptions& options,
                                           const std::function<bool()>& interrupted) {
  if (ranks.agree(window == nullptr ? 1 : 0) != 0) return {};
  try {
    return solve(ranks, *window, options, interrupted);
  } catch (const std::bad_alloc&) {
    end_all_ranks(ranks.rank(), "no memory for its share of a window", ExitStatus::resources);
  } catch (const Error& error) {
    end_all_ranks(ranks.rank(), error.what(), error.status());
  } catch (const std::exception& error) {
    end_all_ranks(ranks.rank(), error.what(), ExitStatus::internal_error);
  }
}

}  // namespace gwrm
