#include "problems/time_spectral/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/blas.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "problems/time_spectral/tails.hpp"
#include "problems/time_spectral/window_linear_solver.hpp"
#include "solver/dense_solver.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/banded_solver.hpp"
#include "weighted_residual/preconditioner/lagged_solver.hpp"
#include "weighted_residual/preconditioner/multipliers_at_end.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kRoundingOfLengths = 1e-12;  // relative

// The answer of the device; nothing where it does not take the window.
std::optional<NewtonResult> solve_on_device(Window& window, LinearMethod method, const NewtonOptions& options,
                                            SolverMemory& memory, bool same_matrix,
                                            const std::function<bool()>& interrupted) {
  if (memory.device == nullptr) return {};
  const WindowSystem& system = window.system;
  const std::optional<SpatialMethod> on_device =
      device_method(method, system.model(), system.plan(), window.discretisation.subdomains());
  if (!on_device) return {};
  try {
    if (!same_matrix) memory.device_factors.reset();
    NewtonResult answer =
        memory.device->solve(window.system, window.change_x(), *on_device, options, memory.device_factors, interrupted);
    if (!memory.keeps_device_factors || !window.system.model().autonomous_jacobian) memory.device_factors.reset();
    return answer;
  } catch (const MemoryError& error) {
    if (memory.device_required) throw;
    logger().warn("{}; the window is solved on the CPU", error.what());
    memory.device_factors.reset();
    memory.device.reset();
    return {};
  }
}

}  // namespace

namespace {

// Time in it has no edges: the length counts.
std::vector<AxisDescription> shape_of(const Window& window) {
  std::vector<AxisDescription> subdomains = window.discretisation.subdomains();
  if (const int time = window.system.model().time_axis(); time >= 0) subdomains[time].edges.clear();
  return subdomains;
}

// Calls body(solver) with the linear solver of the method, which finds and leaves its factors in `memory`.
// linearised: the window's system, or the one on fewer points, for methods that iterate on J v.
// same_shape: as long as the window that they belong to, on the same subdomains; same_matrix: its Jacobian, too.
template <class Body>
void with_solver(Window& window, const WindowSystem& linearised, LinearMethod method, SolverMemory& memory,
                 bool same_shape, bool same_matrix, const Body& body) {
  if (is_dense(method)) {
    if (memory.lu == nullptr) memory.lu = make_dense_lu(window.system.context());
    if (method == LinearMethod::dense) {
      DenseSolver solver(window.system, *memory.lu, same_matrix);
      body(solver);
    } else {
      LaggedSolver solver(window.system, *memory.lu, same_matrix);
      body(solver);
    }
  } else if (method == LinearMethod::sparse) {
    if (memory.sparse == nullptr) memory.sparse = make_sparse_factors();
    SparseSolver solver(window.system, *memory.sparse, same_matrix);
    body(solver);
  } else if (method == LinearMethod::cells) {
    if (memory.cells == nullptr) memory.cells = std::make_shared<CellTree>();
    CellSolver solver(window.system, *memory.cells, same_matrix);
    body(solver);
  } else if (method == LinearMethod::banded) {
    BandedSolver solver(window.system);
    if (same_matrix) solver.reuse(memory.banded);
    body(solver);
    memory.banded = solver.factors();
  } else {
    // Eigenvalues of time, wavenumbers, and points in time are shared out among our own threads.
    std::optional<SingleThreadedBlas> single;
    if (window.system.model().time_axis() >= 0 || method == LinearMethod::wavenumber) single.emplace();
    AveragedSolver solver(linearised, method == LinearMethod::condensed    ? SpatialMethod::condensed
                                      : method == LinearMethod::tensor     ? SpatialMethod::tensor
                                      : method == LinearMethod::wavenumber ? SpatialMethod::wavenumber
                                      : method == LinearMethod::saddle     ? SpatialMethod::saddle
                                                                           : SpatialMethod::dense);
    if (same_matrix || (same_shape && memory.lends_factors)) solver.reuse(memory.factors, same_matrix);
    body(solver);
    memory.factors = solver.factors_are_stale() ? nullptr : solver.factors();
  }
}

}  // namespace

std::vector<Array> Window::own_coefficients() const {
  if (!coefficients_.empty()) return coefficients_;
  std::vector<Array> found;
  for (int f = 0; f < static_cast<int>(system.model().fields.size()); ++f) found.push_back(system.coefficients(x(), f));
  return found;
}

const std::vector<Array>& Window::coefficients() const {
  if (coefficients_.empty()) coefficients_ = own_coefficients();
  return coefficients_;
}

const std::vector<double>& Window::sizes_in_time(int field) const {
  const Model& model = system.model();
  sizes_in_time_.resize(model.fields.size());
  std::vector<double>& sizes = sizes_in_time_[at(field)];
  if (sizes.empty())
    sizes = gwrm::sizes_in_time(system.context(), coefficients()[at(field)], model.time_axis(), model,
                                discretisation.subdomains());
  return sizes;
}

// Where it pays: each transform in two and three dimensions takes a sixth to two fifths less work. In one the points in
// time share matrices, and a linear system is to be solved in one step.
WindowSystem& Window::on_fewer_points() {
  const Model& model = system.model();
  if (model.time_axis() < 0 || model.linear || model.n_modal_axes() < 2 || system.plan().series) return system;
  if (fewer_points_ == nullptr)
    fewer_points_ = std::make_unique<OnFewerPoints>(discretisation.on_fewer_points(model), system, state);
  return fewer_points_->system;
}

InstantaneousPlace instantaneous_place(const SolverMemory& memory, LinearMethod method, const Model& model,
                                       const SystemPlan& plan, const std::vector<AxisDescription>& subdomains) {
  if (memory.device == nullptr) return {};
  const std::optional<SpatialMethod> on_device = device_method(method, model, plan, subdomains);
  if (!on_device) return {};
  return [device = memory.device, on_device](WindowSystem& system, const SpatialLayout& layout) {
    return device->instantaneous(system, layout, *on_device);
  };
}

double truncation_level(const Window& window) {
  FieldScales sizes(window.system.model());
  sizes.update(window);
  const Tails tails = measure_tails(window, sizes);
  double level = tails.time;
  for (const std::vector<double>& axis : tails.space)
    for (double tail : axis) level = std::max(level, tail);
  return level;
}

KnownFactors known_factors(const Window& window, const SolverMemory& memory) {
  const double length = window.length(), rounding = memory.lends_factors ? kRoundingOfLengths * length : 0.0;
  const bool same_shape = memory.factored_length > 0.0 && std::abs(length - memory.factored_length) <= rounding &&
                          shape_of(window) == memory.factored_subdomains;
  return {same_shape, same_shape && window.system.model().autonomous_jacobian};
}

void keep_factors(const Window& window, SolverMemory& memory) {
  memory.factored_length = window.length();
  memory.factored_subdomains = shape_of(window);
  memory.served = true;
}

NewtonResult solve_window(Window& window, LinearMethod method, const NewtonOptions& options, SolverMemory& memory,
                          const std::function<bool()>& interrupted, const std::function<void(LinearSolver&)>& then) {
  const KnownFactors known = known_factors(window, memory);
  memory.factored_length = 0.0;
  NewtonOptions own = options;
  own.trusts_known_factors &= known.same_shape && memory.served;
  NewtonResult result;
  if (std::optional<NewtonResult> answer =
          solve_on_device(window, method, own, memory, known.same_matrix, interrupted)) {
    result = std::move(*answer);
  } else {
    const auto solve = [&](const WindowSystem& linearised) {
      with_solver(window, linearised, method, memory, known.same_shape, known.same_matrix, [&](LinearSolver& solver) {
        // Steps of a direct solver cost too little beside the tails.
        if (own.loosest_tolerance > own.tolerance && !solver.is_direct())
          own.truncation = [&window] {
            window.change_x();  // by the steps since
            return truncation_level(window);
          };
        result = newton(window.system, window.change_x(), own, solver, interrupted);
        if (then && succeeded(result.status)) then(solver);
      });
    };
    const bool iterates = !is_dense(method) && method != LinearMethod::sparse && method != LinearMethod::cells &&
                          method != LinearMethod::banded;
    const WindowSystem& linearised = iterates ? window.on_fewer_points() : window.system;
    const bool inexact = &linearised != &window.system;
    const std::vector<double> start = inexact ? window.x() : std::vector<double>();
    solve(linearised);
    if (inexact && !succeeded(result.status) && result.status != NewtonStatus::interrupted) {
      // Perhaps it is aliasing in J v that it failed by.
      const int in_vain = result.n_factorisations;
      window.change_x() = start;
      solve(window.system);
      result.n_factorisations += in_vain;
    }
  }
  window.change_x();  // the last time
  if (succeeded(result.status)) {
    {
      const LogTime time("of this, multipliers at its end");
      const SingleThreadedBlas single;  // wavenumbers are shared out among our own threads
      set_multipliers_at_end(window.system, window.change_x(),
                             instantaneous_place(memory, method, window.system.model(), window.system.plan(),
                                                 window.discretisation.subdomains()));
    }
    keep_factors(window, memory);
  }
  return result;
}

NewtonResult take_solution(Window& window, const std::vector<double>& x) {
  window.change_x() = x;
  NewtonResult result;
  result.status = NewtonStatus::converged;
  std::vector<double> f(x.size());
  window.system.residual(x, f);
  double sum = 0.0;
  for (const double value : f) sum += value * value;
  result.iterations.push_back({std::sqrt(sum / static_cast<double>(f.size()))});
  set_multipliers_at_end(window.system, window.change_x());
  return result;
}

void with_linear_solver(Window& window, LinearMethod method, SolverMemory& memory,
                        const std::function<void(LinearSolver&)>& body) {
  // A device keeps its factors to itself.
  const KnownFactors known = memory.device == nullptr ? known_factors(window, memory) : KnownFactors();
  with_solver(window, window.on_fewer_points(), method, memory, known.same_shape, known.same_matrix, body);
}

void factor_ahead(Window& window, LinearMethod method, SolverMemory& memory) {
  if (!window.system.model().autonomous_jacobian || memory.device != nullptr) return;
  memory.factored_length = 0.0;
  const std::vector<double> anywhere(static_cast<std::size_t>(window.system.size()), 0.0);
  with_solver(window, window.system, method, memory, false, false, [&](LinearSolver& solver) {
    if (solver.linearise(anywhere, true).status != LinearStatus::solved) return;
    keep_factors(window, memory);
    memory.served = false;
  });
}

std::string locate_bad_data(const Model& model, const Discretisation& discretisation) {
  const auto look = [&](expression::Expr data, const std::string& what) -> std::string {
    if (data == nullptr) return {};
    const Array values = discretisation.data_at_points(*model.pool, data);
    for (std::size_t k = 0; k < values.data.size(); ++k) {
      if (std::isfinite(values.data[k])) continue;
      const std::vector<Index> index = unravel(values.shape, static_cast<Index>(k));
      std::string point;
      for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
        if (values.shape[axis] > 1)
          point += fmt::format("{}{} = {:.6g}", point.empty() ? " at " : ", ", model.axes[axis].name,
                               discretisation.points(axis)(index[axis]));
      return fmt::format("{} is {}{}", what, values.data[k], point);
    }
    return {};
  };
  for (const FieldModel& field : model.fields) {
    std::string text = look(field.guess, "the guess of " + field.name);
    for (std::size_t m = 0; m < field.initial.size() && text.empty(); ++m)
      text = look(field.initial[m],
                  fmt::format("the initial value of {}", m == 0 ? field.name : "a time derivative of " + field.name));
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace gwrm
