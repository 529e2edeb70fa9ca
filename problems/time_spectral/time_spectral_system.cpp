// The linear system of a time-spectral case with one window, for other programs, and its solution read back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"
#include "output/linear_system.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/time_spectral.hpp"
#include "weighted_residual/window/jacobian_blocks.hpp"

namespace gwrm {
namespace {

constexpr double kSparseBytes = 40.0;  // an entry in a row of its own and in the matrix made of the rows

// What projecting values at points leaves of zeros: products of the two matrices along an axis that cancel. Half of a
// Laplacian's entries in Chebyshev polynomials, nearly all of one's in Fourier series.
constexpr double kEntryRounding = 64.0 * std::numeric_limits<double>::epsilon();  // of the largest in row and column

// Column-major entries of which those by rounding alone are zero.
void clear_rounding(std::vector<double>& matrix, std::size_t n) {
  std::vector<double> in_row(n, 0.0), in_column(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::abs(matrix[i + j * n]);
      in_row[i] = std::max(in_row[i], size);
      in_column[j] = std::max(in_column[j], size);
    }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(matrix[i + j * n]) < kEntryRounding * std::min(in_row[i], in_column[j])) matrix[i + j * n] = 0.0;
}

// A (size x size) of a window whose equations are affine. Blocks where they exist, else by way of a dense matrix.
CsrMatrix matrix_of(WindowSystem& system) {
  const auto n = static_cast<std::size_t>(system.size());
  const std::vector<double> anywhere(n, 0.0);
  if (sparse_unsupported_reason(system.model(), system.plan()).empty()) {
    std::vector<RowEntries> rows(n);
    for_each_jacobian_block(system, system.linearise(anywhere), [&](const JacobianBlock& block) {
      for (Index j = 0; j < block.n_columns; ++j)
        for (Index i = 0; i < block.n_rows; ++i)
          if (const double value = block.values[at(i + j * block.n_rows)]; value != 0.0)
            rows[at(block.row + i)].emplace_back(block.column + j, value);
    });
    return assemble_csr(system.size(), [&](Index i, RowEntries& entries) { entries = rows[at(i)]; });
  }
  std::vector<double> dense(n * n);  // column-major
  system.jacobian(anywhere, dense);
  clear_rounding(dense, n);
  return assemble_csr(system.size(), [&](Index i, RowEntries& entries) {
    for (std::size_t j = 0; j < n; ++j)
      if (const double value = dense[at(i) + j * n]; value != 0.0) entries.emplace_back(static_cast<Index>(j), value);
  });
}

double bytes_of_matrix(const Model& model, const SystemPlan& plan, double n_unknowns) {
  if (!sparse_unsupported_reason(model, plan).empty()) return (sizeof(double) + 12.0) * n_unknowns * n_unknowns;
  const int time = model.time_axis();
  return kSparseBytes *
         sparse_entries(model, plan, time < 0 ? 1.0 : static_cast<double>(model.subdomains[time].degree));
}

UnknownAxis axis_of(const WindowSystem& system, int axis) {
  const Discretisation& discretisation = system.discretisation();
  UnknownAxis result;
  result.name = system.model().axes[axis].name;
  result.n_entries = discretisation.n_unknowns(axis);
  const TimeBasis* time = axis == system.model().time_axis() ? discretisation.time() : nullptr;
  if (time != nullptr && time->nodal()) {
    result.entries = "nodes";
    result.coordinates.assign(time->points().begin(), time->points().end());
    return result;
  }
  result.entries = "coefficients";
  result.meaning = discretisation.basis(axis).mode_name();
  result.edges = discretisation.subdomains(axis).edges;
  return result;
}

UnknownBlock unknowns_of(const WindowSystem& system, int f) {
  const Model& model = system.model();
  const FieldModel& field = model.fields[f];
  UnknownBlock block;
  block.field = field.name;
  block.meaning = field.time_order == 0 ? "the field itself"
                                        : fmt::format(
                                              "its time derivative of order {}, from which the field follows by "
                                              "integration from the initial values",
                                              field.time_order);
  block.first = system.layouts()[f].offset;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (system.layouts()[f].extents[axis] > 1) block.axes.push_back(axis_of(system, axis));
  return block;
}

}  // namespace

std::string TimeSpectral::no_linear_system() const {
  if (!model_.linear)
    return "its equations are nonlinear, and the solution of one linear system would be one step of Newton's method "
           "only";
  if (case_.resolution.automatic())
    return "with resolution.tolerance the program chooses windows and degrees as it goes: give resolution.degree in "
           "its "
           "place";
  if (model_.window_edges.size() > 2)
    return fmt::format(
        "it has {} time windows, each of which begins with the end of the one before: take one, --set "
        "resolution.domains.{}=1 with a higher degree, or a shorter time",
        model_.window_edges.size() - 1, model_.axes[model_.time_axis()].name);
  if (const std::size_t n = parameter_points(model_).size(); n > 1)
    return fmt::format("it is {} systems, one for each point of the parameters: make them constants", n);
  return {};
}

// As the march makes it.
std::unique_ptr<Window> TimeSpectral::only_window(const Context& context) const {
  const std::vector<std::vector<double>> points = parameter_points(model_);
  MarchSettings settings;
  settings.newton = newton_options(case_);
  settings.resolution = case_.resolution;
  const MarchInput input{context, case_, model_, plan_, settings, points, choice_, {}, {}};
  const bool is_timed = !model_.window_edges.empty();
  return PointSolver(input).probe(Origin(), 0, model_.subdomains, is_timed ? model_.window_edges.front() : 0.0,
                                  is_timed ? model_.window_edges.back() : 1.0);
}

LinearSystem TimeSpectral::linear_system(const Context& given) const {
  const double needed = bytes_of_matrix(model_, plan_, static_cast<double>(summary_.n_unknowns));
  const double limit =
      case_.solver.memory_gb > 0.0 ? case_.solver.memory_gb * 1e9 : static_cast<double>(available_memory());
  if (needed > limit)
    throw MemoryError(
        fmt::format("not enough memory: the matrix of {} unknowns, whose entries in spectral series are "
                    "mostly not zero, needs {}, there are {}: take lower degrees",
                    summary_.n_unknowns, format_bytes(static_cast<std::size_t>(std::min(needed, 9e18))),
                    format_bytes(static_cast<std::size_t>(limit))));
  const Context context = given.without_device();
  const std::unique_ptr<Window> window = only_window(context);
  LinearSystem system;
  system.a = matrix_of(window->system);
  const std::vector<double> zero(static_cast<std::size_t>(window->system.size()), 0.0);
  system.b.resize(zero.size());
  window->system.residual(zero, system.b);
  for (double& value : system.b) value = value == 0.0 ? 0.0 : -value;
  system.rows =
      "coefficients of the residual of every equation, then of its conditions and of continuity between subdomains "
      "(docs/method.md); A x - b is the residual of the unknowns x";
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f)
    system.unknowns.push_back(unknowns_of(window->system, f));
  return system;
}

Check TimeSpectral::check_given(const Context& given, const GivenSolution& solution) const {
  const Context context = given.without_device();
  const std::unique_ptr<Window> window = only_window(context);
  check_size(solution, window->system.size());
  const auto norm_at = [&](const std::vector<double>& x) {
    std::vector<double> f(x.size());
    window->system.residual(x, f);
    double sum = 0.0;
    for (const double value : f) sum += value * value;
    return std::sqrt(sum);
  };
  const double right = norm_at(std::vector<double>(solution.x.size(), 0.0));
  return {"system", "A x = b", norm_at(solution.x) / (right > 0.0 ? right : 1.0), case_.verification.residual, true};
}

}  // namespace gwrm
