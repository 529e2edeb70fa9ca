#include "problems/time_spectral/shared_windows.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "weighted_residual/preconditioner/multipliers_at_end.hpp"
#include "weighted_residual/preconditioner/shared_newton.hpp"

namespace gwrm {
namespace {

// Of those whose factors ranks can share at all; tensor stands for none.
SpatialMethod spatial_method(LinearMethod method) {
  return method == LinearMethod::wavenumber ? SpatialMethod::wavenumber : SpatialMethod::tensor;
}

// As the window of a run, but for the degrees in space.
std::unique_ptr<Window> small_window(const Context& context, const Model& model, const SystemPlan& plan,
                                     std::vector<AxisDescription> subdomains) {
  constexpr int kEnough = 4;  // beside what conditions take
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    int taken = 0;
    for (const EquationModel& equation : model.equations)
      taken = std::max({taken, equation.n_conditions[at(axis)], equation.orders[at(axis)]});
    int& degree = subdomains[at(axis)].degree;
    degree = std::min(degree, taken + kEnough);
  }
  const std::vector<double> point = parameter_points(model).front();
  const bool in_time = !model.window_edges.empty();
  const double start = in_time ? model.window_edges[0] : 0.0, end = in_time ? model.window_edges[1] : 1.0;
  State state = initial_state(context, model, Discretisation(model, subdomains, point, start, end));
  return std::make_unique<Window>(context, model, plan, subdomains, point, start, end, std::move(state));
}

// Rank 0's unknowns are whole before and after, nobody's meanwhile.
NewtonResult solve(Communicator& ranks, Window& window, LinearMethod method, const NewtonOptions& options,
                   const std::function<bool()>& interrupted, SolverMemory& memory) {
  const KnownFactors known = known_factors(window, memory);
  memory.factored_length = 0.0;
  NewtonOptions own = options;
  own.trusts_known_factors &= known.same_shape;
  FactorsOfWindows factors{known.same_matrix || (known.same_shape && memory.lends_factors) ? memory.shared : nullptr,
                           known.same_matrix};
  memory.shared.reset();
  const SingleThreadedBlas single;
  const auto by_any = [&] { return interrupted && interrupted(); };
  const WindowSystem& fewer_points = window.on_fewer_points();
  auto shared = std::make_unique<SharedWindow>(window.system, ranks, &fewer_points);
  const SharedVectors unknowns = shared->unknowns();
  std::vector<double> start(static_cast<std::size_t>(unknowns.size_of(ranks.rank())));
  unknowns.hand_out(ranks, window.x(), start);
  std::vector<double>().swap(window.change_x());
  std::vector<double> x = start;
  // Rank 0 has the whole iterate for it.
  own.truncation = {};
  if (own.loosest_tolerance > own.tolerance)
    own.truncation = [&] {
      if (ranks.rank() == 0) window.change_x().resize(static_cast<std::size_t>(unknowns.size()));
      unknowns.collect(ranks, x, window.change_x());
      double level = ranks.rank() == 0 ? truncation_level(window) : 0.0;
      ranks.broadcast(reinterpret_cast<std::byte*>(&level), sizeof(level), 0);
      return level;
    };
  NewtonResult result = shared_newton(window.system, *shared, ranks, spatial_method(method), x, own, by_any, &factors);
  if (&fewer_points != &window.system && !succeeded(result.status) && result.status != NewtonStatus::interrupted) {
    // Perhaps it is aliasing in J v that it failed by, as in solve_window().
    const int in_vain = result.n_factorisations;
    shared.reset();
    shared = std::make_unique<SharedWindow>(window.system, ranks);
    x = start;
    factors.factors.reset();
    result = shared_newton(window.system, *shared, ranks, spatial_method(method), x, own, by_any, &factors);
    result.n_factorisations += in_vain;
  }
  shared.reset();
  if (ranks.rank() == 0) window.change_x().resize(static_cast<std::size_t>(unknowns.size()));
  unknowns.collect(ranks, x, window.change_x());
  if (!succeeded(result.status)) return result;
  keep_factors(window, memory);
  memory.shared = std::move(factors.factors);
  if (!window.system.model().multipliers.empty()) {
    const LogTime time("of this, multipliers at its end");
    set_multipliers_at_end(window.system, window.change_x(), ranks);
  }
  return result;
}

bool holds_integrals_or_jumps(const WindowSystem& system) {
  return !system.plan().integrals.empty() || system.plan().residual_tape.has_integral() ||
         std::any_of(system.rows().begin(), system.rows().end(),
                     [](const RowBlock& row) { return row.line_axis >= 0; });
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

void prepare_together(Communicator& ranks, DeviceSolver* device) {
  if (ranks.size() > 1 && ranks.agree(device == nullptr ? 1 : 0) == 0) device->prepare_together(ranks);
}

void end_all_ranks(int rank, const std::string& what, ExitStatus status) {
  logger().error("rank {}: {}", rank, what);
  std::_Exit(static_cast<int>(status));
}

SharedChoice choose_shared_method(const Case& the_case, const Model& model, const SystemPlan& plan,
                                  const std::vector<AxisDescription>& subdomains, const LinearChoice& of_one_process,
                                  const NewtonOptions& options) {
  const Context context = Context::of_one_thread();
  const std::unique_ptr<Window> window = small_window(context, model, plan, subdomains);
  const auto reason = [&](LinearMethod method) { return sharing_unsupported_reason(*window, method, options, {}, 1); };
  SharedChoice result{of_one_process, reason(of_one_process.method)};
  if (result.reason.empty() || the_case.solver.linear != LinearSolverChoice::automatic) return result;
  result.reason = reason(LinearMethod::tensor);
  for (const LinearMethod method : {LinearMethod::tensor, LinearMethod::wavenumber})
    if (reason(method).empty()) return {{method, "windows are shared among ranks"}, {}};
  return result;
}

bool has_shared_factors(LinearMethod method) {
  return method == LinearMethod::tensor || method == LinearMethod::wavenumber;
}

std::string sharing_unsupported_reason(const Window& window, LinearMethod method, const NewtonOptions& options,
                                       const SolverMemory& memory, int n_ranks) {
  if (!has_shared_factors(method)) return "its linear solver is neither `tensor` nor `wavenumber`";
  if (options.globalisation != Globalisation::natural && options.globalisation != Globalisation::none)
    return "its Newton iteration is globalised otherwise than as `natural`";
  if (memory.device != nullptr) {
    if (n_ranks == 1) return "one GPU solves it";
    if (method != LinearMethod::tensor || window.system.model().time_axis() < 0)
      return "on GPUs ranks share windows in time whose linear solver is `tensor`";
    if (n_ranks > window.system.discretisation().n_points(0))
      return "on GPUs a window is shared by as many ranks as it has points in time, at most";
    if (holds_integrals_or_jumps(window.system)) return "on GPUs ranks share no windows with subdomains or integrals";
  }
  return shared_newton_unsupported_reason(window.system, spatial_method(method));
}

std::optional<NewtonResult> solve_together(Communicator& ranks, Window* window, LinearMethod method,
                                           const NewtonOptions& options, const std::function<bool()>& interrupted,
                                           DeviceSolver* device, SolverMemory& memory) {
  if (ranks.agree(window == nullptr ? 1 : 0) != 0) return {};
  const bool on_devices = ranks.agree(device != nullptr ? 1 : 0) != 0;
  if (on_devices) begin_on_devices(ranks, *window, device);
  try {
    if (on_devices) {
      NewtonOptions own = options;
      own.truncation = {};
      return device->solve_together(ranks, window->system, window->change_x(), own, interrupted);
    }
    return solve(ranks, *window, method, options, interrupted, memory);
  } catch (const std::bad_alloc&) {
    end_all_ranks(ranks.rank(), "no memory for its share of a window", ExitStatus::resources);
  } catch (const Error& error) {
    end_all_ranks(ranks.rank(), error.what(), error.status());
  } catch (const std::exception& error) {
    end_all_ranks(ranks.rank(), error.what(), ExitStatus::internal_error);
  }
}

}  // namespace gwrm
