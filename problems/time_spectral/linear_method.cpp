#include "problems/time_spectral/linear_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/memory.hpp"
#include "core/threads.hpp"
#include "expression/frechet.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "weighted_residual/device/device_solver.hpp"
#include "weighted_residual/preconditioner/cell_solver.hpp"
#include "weighted_residual/preconditioner/sparse_solver.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {
namespace {

// The banded solver is taken where space has at least this many times the half-width of its band in unknowns. (It draws
// level at 1.5 to 1.9 times: a half-width of 216, 12 time nodes and coefficients of degree 16, at degree 330 to 400.)
constexpr double kBandWorthwhile = 2.0;

// Up to this size one dense LU is cheaper than setting up anything else, and it converges quadratically.
constexpr double kDenseUpTo = 250.0;
// A sparse LU is taken from this size on where at most this share of the entries is not zero.
constexpr double kSparseFrom = 500.0;
constexpr double kSparseShare = 0.1;
// Steady flow in a box: up to this size dense LU takes no longer (cavities at Re = 100 and 400), and never stagnates.
constexpr double kSteadyDenseUpTo = 750.0;
// As a last resort up to this size (2 GB).
constexpr double kDenseAtMost = 12000.0;
// The largest spatial system that is factored whole for every time eigenvalue.
constexpr double kAveragedUpTo = 8000.0;

// Of an axis: a subdomain this short leaves the Schur forms of its operators without digits.
constexpr double kTooShort = 1e-4;
// A factorisation cell by cell takes some seconds at most.
constexpr double kCellOperations = 2e11;

// Bytes that a window may take with a system for each wavenumber.
constexpr double kWavenumberAtMost = 4e9;

// Unknowns of a window from which on the device is faster, its start of some tenths of a second included
// (docs/gpu.md): one window of two-dimensional Burgers equations, with one core and with 16; a dense LU.
constexpr double kDeviceTensorFromOneCore = 100000.0;
constexpr double kDeviceTensorFromPerCore = 20000.0;
constexpr double kDeviceTensorFromAtMost = 400000.0;
constexpr double kDeviceDenseFrom = 3000.0;

double device_tensor_from() {
  return std::min(kDeviceTensorFromAtMost,
                  kDeviceTensorFromOneCore + kDeviceTensorFromPerCore * (available_cores() - 1));
}

double entries_of(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains) {
  const int time = model.time_axis();
  const int more = model.weighting == Weighting::radau ? 0 : 1;
  return sparse_entries(model, plan, time < 0 ? 1.0 : subdomains[time].degree + more);
}

// Systems along a bounded axis grow with the third power of all unknowns along it; without one a block has as many rows
// as there are fields, and all blocks together are little beside the vectors of GMRES. Beside a multiplier tensor
// products are no choice, and a matrix of the whole window is larger still.
bool wavenumber_fits(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains) {
  bool bounded = false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    bounded |= model.is_modal(axis) && subdomains[axis].basis != kFourier;
  return !bounded || !model.multipliers.empty() ||
         memory_of(LinearMethod::wavenumber, model, plan, subdomains) <= kWavenumberAtMost;
}

std::string wavenumber_reason(const Model& model, const WindowSize& size) {
  std::string axes, others;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (!model.is_modal(static_cast<int>(axis))) continue;
    std::string& list = model.subdomains[axis].basis == kFourier ? axes : others;
    list += (list.empty() ? "" : ", ") + model.axes[axis].name;
  }
  return others.empty()
             ? fmt::format("{:.0f} unknowns, Fourier along {}", size.unknowns, axes)
             : fmt::format("{:.0f} unknowns, Fourier along {}, systems along {}", size.unknowns, axes, others);
}

// Tensor products invert each unknown's own equation, and the equation of a multiplier does not hold it.
std::string multiplier_reason(const Model& model) {
  return model.fields[static_cast<std::size_t>(model.multipliers.front().field)].name +
         " is the multiplier of a constraint";
}

Index cell_count(const Model& model, const std::vector<AxisDescription>& subdomains) {
  Index count = 1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis)) count *= subdomains[static_cast<std::size_t>(axis)].n_subdomains();
  return count;
}

bool cells_fit(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
               double most_operations = 2.0 / 3.0 * kDenseAtMost * kDenseAtMost * kDenseAtMost) {
  if (!cells_unsupported_reason(model, plan).empty()) return false;
  const CellCost cost = cell_cost(model, subdomains);
  return cost.operations <= most_operations && cost.bytes < static_cast<double>(available_memory());
}

// A coefficient of an unknown in a condition that varies along the side: no product of operators along axes.
bool conditions_vary_along_sides(const Model& model) {
  for (const ConditionModel& condition : model.conditions)
    for (const expression::LinearTerm& term :
         collect(*model.pool, expression::frechet(*model.pool, condition.residual)))
      if (term.coefficient->facts.axes != 0) return true;
  return false;
}

double shortest_share(const Model& model, const std::vector<AxisDescription>& subdomains) {
  double share = 1.0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    const std::vector<double>& edges = subdomains[static_cast<std::size_t>(axis)].edges;
    for (std::size_t p = 0; p + 1 < edges.size(); ++p)
      share = std::min(share, (edges[p + 1] - edges[p]) / (edges.back() - edges.front()));
  }
  return share;
}

// Tensor products invert each unknown's own equation, with conditions that are the same along each side: where these
// are coupled, or vary, their iteration takes longer than a factorisation, or never ends; where subdomains are graded
// toward corners, rounding of the Schur forms along a whole axis keeps it from its end.
bool prefers_cells(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains) {
  if (cell_count(model, subdomains) < 2) return false;
  if (shortest_share(model, subdomains) < kTooShort) return cells_fit(model, plan, subdomains);
  return (model.fields.size() > 1 || conditions_vary_along_sides(model)) &&
         cells_fit(model, plan, subdomains, kCellOperations);
}

// Where the banded solver is faster than one dense complex LU per pair of eigenvalues: measured (docs/performance.md).
bool band_is_narrow(const Model& model, const std::vector<AxisDescription>& subdomains, int coefficient_degree) {
  return kBandWorthwhile * band_half_width(model, subdomains, coefficient_degree) <=
         window_size(model, subdomains).spatial;
}

}  // namespace

double band_half_width(const Model& model, const std::vector<AxisDescription>& subdomains, int coefficient_degree) {
  int axis = 0, order = 0;
  while (!model.is_modal(axis)) ++axis;
  for (const EquationModel& equation : model.equations) order = std::max(order, equation.orders[axis]);
  const double n_times = model.time_axis() < 0 ? 1.0 : subdomains[model.time_axis()].degree;
  return (std::max(1, order) + coefficient_degree) * n_times * static_cast<double>(model.fields.size());
}

WindowSize window_size(const Model& model, const std::vector<AxisDescription>& subdomains) {
  WindowSize size;
  for (const FieldModel& field : model.fields) {
    double spatial = 1.0, times = 1.0;
    for (int axis : field.axes) {
      if (model.axes[axis].kind == AxisKind::time)
        times = subdomains[axis].degree + (model.weighting == Weighting::radau ? 0 : 1);
      else if (model.is_modal(axis))
        spatial *= static_cast<double>(subdomains[axis].n_coefficients());
    }
    size.spatial += spatial;
    size.unknowns += spatial * times;
  }
  return size;
}

LinearChoice choose_linear_method(const Case& the_case, const Model& model, const SystemPlan& plan,
                                  const std::vector<AxisDescription>& subdomains) {
  const std::string no_average = averaging_unsupported_reason(model, plan);
  const std::string not_condensed = condensation_unsupported_reason(model, plan);
  const std::string not_by_wavenumber = wavenumber_unsupported_reason(model, plan);
  const std::string not_by_blocks = saddle_unsupported_reason(model, subdomains);
  const WindowSize size = window_size(model, subdomains);
  const auto refuse = [&](const std::string& why) {
    throw CaseError(
        fmt::format("{}: solver.linear: this solver cannot serve these equations: {}; use auto", the_case.path, why));
  };
  const bool sir = the_case.solver.newton.globalisation == GlobalisationChoice::sir;
  switch (the_case.solver.linear) {
    case LinearSolverChoice::dense:
      return {LinearMethod::dense, "asked for"};
    case LinearSolverChoice::lagged:
      if (sir) refuse("SIR needs the dense Jacobian");
      return {LinearMethod::lagged, "asked for"};
    case LinearSolverChoice::averaged:
      if (!no_average.empty()) refuse(no_average);
      if (sir) refuse("SIR needs the dense Jacobian");
      return {not_condensed.empty() ? LinearMethod::condensed : LinearMethod::averaged, "asked for"};
    case LinearSolverChoice::tensor:
      if (!no_average.empty()) refuse(no_average);
      if (sir) refuse("SIR needs the dense Jacobian");
      if (model.n_modal_axes() < 2) refuse("it needs two or more axes of space");
      if (!model.multipliers.empty()) refuse(multiplier_reason(model));
      return {LinearMethod::tensor, "asked for"};
    case LinearSolverChoice::banded: {
      if (const std::string unsupported_reason = banded_unsupported_reason(model, plan, subdomains);
          !unsupported_reason.empty())
        refuse(unsupported_reason);
      if (sir) refuse("SIR needs the dense Jacobian");
      const std::optional<int> degree = coefficient_degree(model, plan, subdomains);
      if (!degree)
        refuse(fmt::format("a coefficient is no polynomial of degree {} or less", kHighestCoefficientDegree));
      return {LinearMethod::banded, "asked for", *degree};
    }
    case LinearSolverChoice::sparse:
      if (cells_unsupported_reason(model, plan).empty() && !sir) return {LinearMethod::cells, "asked for"};
      if (const std::string unsupported_reason = sparse_unsupported_reason(model, plan); !unsupported_reason.empty())
        refuse(unsupported_reason);
      if (sir) refuse("SIR needs the dense Jacobian");
      return {LinearMethod::sparse, "asked for"};
    case LinearSolverChoice::wavenumber:
      if (!no_average.empty()) refuse(no_average);
      if (sir) refuse("SIR needs the dense Jacobian");
      if (!not_by_wavenumber.empty()) refuse(not_by_wavenumber);
      return {LinearMethod::wavenumber, "asked for"};
    case LinearSolverChoice::saddle:
      if (!no_average.empty()) refuse(no_average);
      if (sir) refuse("SIR needs the dense Jacobian");
      if (!not_by_blocks.empty()) refuse(not_by_blocks);
      return {LinearMethod::saddle, "asked for"};
    case LinearSolverChoice::automatic:
      break;
  }
  if (sir) return {LinearMethod::dense, "SIR needs the dense Jacobian"};
  if (sparse_unsupported_reason(model, plan).empty() && size.unknowns >= kSparseFrom) {
    const double share = entries_of(model, plan, subdomains) / (size.unknowns * size.unknowns);
    if (share <= kSparseShare)
      return {LinearMethod::sparse,
              fmt::format("{:.0f} unknowns, {:.2g} % of the entries are not zero", size.unknowns, 100.0 * share)};
  }
  if (!no_average.empty()) return {LinearMethod::dense, no_average};
  if (size.unknowns <= kDenseUpTo) return {LinearMethod::dense, fmt::format("{:.0f} unknowns are few", size.unknowns)};
  if (model.n_modal_axes() == 0) return {LinearMethod::dense, "there is no space"};
  if (banded_unsupported_reason(model, plan, subdomains).empty())
    if (const std::optional<int> degree = coefficient_degree(model, plan, subdomains);
        degree && band_is_narrow(model, subdomains, *degree))
      return {LinearMethod::banded,
              fmt::format("{:.0f} unknowns, linear, coefficients of degree {}", size.unknowns, *degree), *degree};
  // Without a bounded axis a device keeps no factors; with one the same systems as on the CPU are in its memory.
  const bool on_device = the_case.backend == BackendChoice::cuda &&
                         device_method(LinearMethod::tensor, model, plan, subdomains).has_value();
  const bool by_wavenumber = not_by_wavenumber.empty() && wavenumber_fits(model, plan, subdomains) &&
                             (!on_device || device_method(LinearMethod::wavenumber, model, plan, subdomains));
  if (by_wavenumber) return {LinearMethod::wavenumber, wavenumber_reason(model, size)};
  if (not_condensed.empty())
    return {LinearMethod::condensed, fmt::format("{:.0f} unknowns, one axis of space", size.unknowns)};
  if (prefers_cells(model, plan, subdomains))
    return {LinearMethod::cells,
            fmt::format("{:.0f} unknowns on {} cells", size.unknowns, cell_count(model, subdomains))};
  if (model.n_modal_axes() > 1 && model.multipliers.empty())
    return {LinearMethod::tensor,
            fmt::format("{:.0f} unknowns, {} axes of space", size.unknowns, model.n_modal_axes())};
  const std::string not_eliminated =
      model.multipliers.empty() ? "" : multiplier_reason(model) + (not_by_blocks.empty() ? "" : "; " + not_by_blocks);
  if (not_by_blocks.empty() && (model.time_axis() >= 0 || size.unknowns > kSteadyDenseUpTo))
    return {LinearMethod::saddle, fmt::format("{:.0f} unknowns, {}", size.unknowns, multiplier_reason(model))};
  if (model.time_axis() >= 0 && size.spatial <= kAveragedUpTo)
    return {LinearMethod::averaged, fmt::format("{:.0f} unknowns, {}", size.unknowns,
                                                model.multipliers.empty() ? not_condensed : not_eliminated)};
  return {LinearMethod::dense, model.multipliers.empty() ? not_condensed : not_eliminated};
}

bool more_robust(LinearMethod& method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains) {
  const double free = static_cast<double>(available_memory());
  const WindowSize size = window_size(model, subdomains);
  if (method == LinearMethod::banded) {
    method = LinearMethod::condensed;
    return true;
  }
  if (method == LinearMethod::tensor && wavenumber_unsupported_reason(model, plan).empty() &&
      wavenumber_fits(model, plan, subdomains)) {
    method = LinearMethod::wavenumber;
    return true;
  }
  if ((method == LinearMethod::tensor || method == LinearMethod::saddle) && cell_count(model, subdomains) > 1 &&
      cells_fit(model, plan, subdomains)) {
    method = LinearMethod::cells;
    return true;
  }
  if ((method == LinearMethod::tensor || method == LinearMethod::wavenumber || method == LinearMethod::saddle) &&
      model.time_axis() >= 0 && size.spatial <= kAveragedUpTo &&
      memory_of(LinearMethod::averaged, model, plan, subdomains) < free) {
    method = LinearMethod::averaged;
    return true;
  }
  if (method != LinearMethod::dense && size.unknowns <= kDenseAtMost &&
      memory_of(LinearMethod::dense, model, plan, subdomains) < free) {
    method = LinearMethod::dense;
    return true;
  }
  return false;
}

std::string describe(const LinearChoice& choice) {
  switch (choice.method) {
    case LinearMethod::dense:
      return fmt::format("dense LU ({})", choice.reason);
    case LinearMethod::lagged:
      return fmt::format("GMRES, LU of the first Jacobian ({})", choice.reason);
    case LinearMethod::averaged:
      return fmt::format("GMRES, Jacobian averaged in time, dense in space ({})", choice.reason);
    case LinearMethod::condensed:
      return fmt::format("GMRES, Jacobian averaged in time, subdomains condensed ({})", choice.reason);
    case LinearMethod::tensor:
      return fmt::format("GMRES, tensor products in space ({})", choice.reason);
    case LinearMethod::wavenumber:
      return fmt::format("GMRES, Jacobian averaged in time, wavenumber by wavenumber ({})", choice.reason);
    case LinearMethod::saddle:
      return fmt::format("GMRES, block LU with tensor products and Cahouet-Chabard ({})", choice.reason);
    case LinearMethod::banded:
      return fmt::format("banded LU, time innermost ({})", choice.reason);
    case LinearMethod::sparse:
      return fmt::format("sparse LU ({})", choice.reason);
    case LinearMethod::cells:
      return fmt::format("LU cell by cell ({})", choice.reason);
  }
  return {};
}

// A dense LU gains from two threads above about 1000 unknowns (740 and 780 unknowns: 1.15 and 1.24 times slower, 1728:
// 0.71 times); the solves of the structured methods, one per time eigenvalue, where a solve takes longer than waking a
// thread.
bool one_thread_suffices(LinearMethod method, const Model& model, const std::vector<AxisDescription>& subdomains,
                         std::size_t n_parameter_points) {
  const WindowSize size = window_size(model, subdomains);
  if (n_parameter_points > 1) return size.unknowns * static_cast<double>(n_parameter_points) < 1000.0;
  switch (method) {
    case LinearMethod::dense:
    case LinearMethod::lagged:
      return size.unknowns < 1000.0;
    case LinearMethod::averaged:
      return size.spatial < 500.0;
    case LinearMethod::condensed:
      return size.spatial < 4000.0;
    case LinearMethod::tensor:  // 55 000 unknowns: 0.40 s, with two threads 0.31 s
      return size.unknowns < 50000.0;
    case LinearMethod::wavenumber:
    case LinearMethod::saddle:
      return size.unknowns < 50000.0;
    case LinearMethod::cells:
      return size.unknowns < 5000.0;
    case LinearMethod::banded:
    case LinearMethod::sparse:
      return true;  // these factorisations have one thread
  }
  return false;
}

std::optional<SpatialMethod> device_method(LinearMethod method, const Model& model, const SystemPlan& plan,
                                           const std::vector<AxisDescription>& subdomains) {
  if (method != LinearMethod::tensor && method != LinearMethod::wavenumber && method != LinearMethod::saddle) return {};
  const SpatialMethod result = method == LinearMethod::tensor   ? SpatialMethod::tensor
                               : method == LinearMethod::saddle ? SpatialMethod::saddle
                                                                : SpatialMethod::wavenumber;
  if (!device_unsupported_reason(model, plan, subdomains, result).empty()) return {};
  return result;
}

bool device_pays(LinearMethod method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains) {
  const double unknowns = window_size(model, subdomains).unknowns;
  if (is_dense(method)) return unknowns >= kDeviceDenseFrom;
  if (method == LinearMethod::saddle) return false;  // not measured: where it is asked for alone
  return unknowns >= device_tensor_from() && device_method(method, model, plan, subdomains).has_value();
}

}  // namespace gwrm
