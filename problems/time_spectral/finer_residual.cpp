#include "problems/time_spectral/finer_residual.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/straight_line.hpp"
#include "kernels/transform/fourier_plan.hpp"
#include "output/evaluate.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/left_out_values.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/residual_magnitude.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr double kStillThere = 0.5;         // of U's residual in V's: V lacks the same
constexpr double kHarmlessResidual = 1e-4;  // of the tolerance, relative to the terms
constexpr Index kPointsOfSteady = 1000, kPointsOfWindow = 100, kMostPerMode = 64;
constexpr Index kPointsOfLook2d = 50, kPointsOfLook3d = 24;  // along each axis, for the filter
constexpr double kAboveRounding = 10.0;
constexpr double kNearestToStart = 1e-9, kFarthestFromStart = 2e-4, kStepFromStart = 10.0;  // of the first window
constexpr double kSingular = 0.05;             // fall of log R over log t, and how far it may be off a line
constexpr double kCorrectionTolerance = 1e-2;  // of linear solves: of what is a correction of an estimate
constexpr int kPanelDegree = 7;                // of the points in the parts that lie around a feature
constexpr double kLastLevels = 0.25;           // of a series: those that stand for what is behind it

// One window at one point of the parameters.
Solution solution_of(const Model& model, std::vector<AxisDescription> subdomains, double start, double end,
                     const std::vector<Array>& fields) {
  Solution solution = empty_solution(model);
  if (model.time_axis() >= 0) solution.window_edges = {start, end};
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_collocated(axis)) subdomains[at(axis)].degree = 0;
  if (const int time = model.time_axis(); time >= 0) subdomains[at(time)].edges = {start, end};
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    Array coefficients = fields[f];
    Shape shape;
    for (int axis : model.fields[f].axes) shape.push_back(coefficients.shape[at(axis)]);
    coefficients.shape = std::move(shape);
    solution.fields[f].windows.push_back(std::move(coefficients));
  }
  solution.subdomains.push_back(std::move(subdomains));
  return solution;
}

std::vector<double> numbers(const Vector& v) {
  return {v.begin(), v.end()};
}

// Whether a grid of n points in each subdomain lies on the points of one that has so many modes and that many or a few
// less points.
bool lies_on(Index n, Index n_modes, bool is_periodic) {
  for (Index k = n_modes - 3; k <= n_modes; ++k)
    if (k % n == 0 && (is_periodic || k / n % 2 == 1)) return true;
  return false;
}

// Points that neither U nor V uses: more than V has modes, so that P leaves nothing that a finer projection would keep,
// or for a mere look at most `most` along each axis of several.
CheckGrid independent_points(const Model& model, const std::vector<AxisDescription>& of_run, const Solution& of_finer,
                             const std::vector<double>& parameters, Index most) {
  const std::size_t n_axes = model.axes.size();
  CheckGrid grid{0, 1, GridPoints(n_axes), GridPoints(n_axes)};
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    if (model.is_collocated(static_cast<int>(axis))) {
      grid.points[axis] = {parameters[axis]};
      grid.weights[axis] = {1.0};
      continue;
    }
    const auto basis = make_basis(of_finer.subdomains.front()[axis]);
    const bool is_modal = model.is_modal(static_cast<int>(axis));
    Index per_mode = 1;
    if (model.n_modal_axes() == 1 && is_modal)
      per_mode = model.time_axis() < 0 ? std::clamp(kPointsOfSteady / basis->n_coefficients(), Index{1}, kMostPerMode)
                                       : std::clamp(kPointsOfWindow / basis->n_coefficients(), Index{1}, Index{2});
    const Index n_modes = basis->n_per_subdomain();
    Index n = per_mode * n_modes + 2;
    if (model.n_modal_axes() > 1 && is_modal && n * basis->n_subdomains() > most) {
      n = std::max<Index>(most / basis->n_subdomains(), 4);
      const Index of_u = make_basis(of_run[axis])->n_per_subdomain();
      while (lies_on(n, of_u, basis->is_periodic()) || lies_on(n, n_modes, basis->is_periodic())) ++n;
    } else if (basis->is_periodic()) {
      n = smooth_length(n);
    }
    const AxisGrid points = ascending(basis->grid(n));
    grid.points[axis] = numbers(points.points);
    grid.weights[axis] = numbers(points.weights);
  }
  return grid;
}

// Along axes with features: each subdomain in parts whose points are about as close as those of the grid, and divided
// toward the features.
CheckGrid with_points_toward(const GridPoints& features, CheckGrid grid, const Solution& of_finer) {
  for (std::size_t axis = 0; axis < features.size(); ++axis) {
    if (features[axis].empty()) continue;
    const auto basis = make_basis(of_finer.subdomains.front()[axis]);
    const std::vector<double>& edges = basis->description().edges;
    const Index n = std::ssize(grid.points[axis]) / basis->n_subdomains();
    const Index n_parts = n / ((kPanelDegree + 1) / 2) + 1;
    AxisDescription parts;
    parts.degree = kPanelDegree;
    parts.edges = {edges.front()};
    double narrowest = edges.back() - edges.front();
    for (std::size_t s = 0; s + 1 < edges.size(); ++s) {
      narrowest = std::min(narrowest, edges[s + 1] - edges[s]);
      for (Index i = 1; i <= n_parts; ++i) {
        const double share = to_double(i) / to_double(n_parts);
        parts.edges.push_back(edges[s] +
                              (edges[s + 1] - edges[s]) *
                                  (basis->is_periodic() ? share : 0.5 - 0.5 * std::cos(std::numbers::pi * share)));
      }
      parts.edges.back() = edges[s + 1];
    }
    parts.edges = edges_toward(features[axis], std::move(parts.edges), 2.0 * narrowest / to_double(n));
    const AxisGrid points = ascending(make_basis(parts)->grid(kPanelDegree + 1));
    grid.points[axis] = numbers(points.points);
    grid.weights[axis] = numbers(points.weights);
  }
  return grid;
}

Vector mean_weights(const std::vector<double>& weights) {
  const Vector all = Eigen::Map<const Vector>(weights.data(), std::ssize(weights));
  return all / all.sum();
}

// Root mean squares over all axes but `kept` (-1: none), for each point along that one.
std::vector<double> root_mean_squares(Array values, const CheckGrid& grid, int kept) {
  for (double& value : values.data) value *= value;
  for (std::size_t axis = 0; axis < values.shape.size(); ++axis)
    if (static_cast<int>(axis) != kept && values.shape[axis] > 1)
      values = weighted_sum(values, axis, mean_weights(grid.weights[axis]));
  for (double& value : values.data) value = std::sqrt(value);
  return std::move(values.data);
}

double root_mean_square_of(const Array& values, const CheckGrid& grid) {
  return root_mean_squares(values, grid, -1).front();
}

// The functions of V along one axis, in time of a residual; no more than there are independent points.
std::shared_ptr<const AxisBasis> functions(const Model& model, const Discretisation& finer, int axis,
                                           std::size_t n_independent) {
  AxisDescription description = finer.subdomains(axis);
  if (axis == model.time_axis()) {
    description.degree = static_cast<int>(finer.n_points(axis)) - 1;
    description.edges = {finer.time()->start(), finer.time()->end()};
  }
  auto basis = make_basis(description);
  for (; basis->n_coefficients() > static_cast<Index>(n_independent); basis = make_basis(description))
    --description.degree;
  return basis;
}

// Coefficients from the values at the points of the grid: those of basis.grid() in ascending order, or any others by
// weighted least squares, which tend to the projection with the weights of a quadrature.
BlockMatrix analysis_at(const AxisBasis& basis, const std::vector<double>& points, const std::vector<double>& weights) {
  const Index n = std::ssize(points) / basis.n_subdomains();
  const Vector own = basis.grid(n).points;
  if (own.size() != std::ssize(points) || numbers(ascending(basis.grid(n)).points) != points) {
    const Vector roots = Eigen::Map<const Vector>(weights.data(), std::ssize(weights)).cwiseSqrt();
    const Matrix values = roots.asDiagonal() * basis.at(points).dense();
    return BlockMatrix(values.householderQr().solve(Matrix(roots.asDiagonal())));
  }
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return own(a) < own(b); });
  const Matrix analysis = basis.analysis(n).dense();
  Matrix sorted(analysis.rows(), analysis.cols());
  for (Index i = 0; i < sorted.cols(); ++i) sorted.col(i) = analysis.col(order[at(i)]);
  return BlockMatrix(std::move(sorted));
}

// Random signs in the last levels of each subdomain, at these points: of root mean square 1 over them.
Vector random_last_levels(const AxisBasis& basis, const std::vector<double>& points, std::minstd_rand& random) {
  const Index n = basis.n_per_subdomain();
  const Index first = std::min(n - 1, basis.n_below(static_cast<int>((1.0 - kLastLevels) * (basis.degree() + 1))));
  Vector coefficients = Vector::Zero(basis.n_coefficients());
  for (Index k = 0; k < coefficients.size(); ++k)
    if (k % n >= first) coefficients(k) = random() % 2 == 0 ? 1.0 : -1.0;
  const Vector values = basis.at(points).dense() * coefficients;
  const double size = std::sqrt(values.squaredNorm() / to_double(values.size()));
  return size > 0.0 ? Vector(values / size) : values;
}

// Linear between the points, constant beyond.
double interpolated(const std::vector<double>& z, const std::vector<double>& values, double at) {
  if (values.size() == 1) return values.front();
  const auto right = std::upper_bound(z.begin(), z.end(), at);
  if (right == z.begin()) return values.front();
  if (right == z.end()) return values.back();
  const auto i = static_cast<std::size_t>(right - z.begin());
  const double share = (at - z[i - 1]) / (z[i] - z[i - 1]);
  return (1.0 - share) * values[i - 1] + share * values[i];
}

// Each coefficient changed by the rounding of the largest one, with random signs.
Solution rounded(Solution solution, std::minstd_rand& random) {
  for (FieldSolution& field : solution.fields)
    for (Array& window : field.windows) {
      double largest = 0.0;
      for (double value : window.data) largest = std::max(largest, std::abs(value));
      for (double& value : window.data)
        value += (random() % 2 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::epsilon() * largest;
    }
  return solution;
}

}  // namespace

bool has_independent_points(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && distribution_of(model.subdomains[at(axis)])) return false;
  return true;
}

FinerResidual::FinerResidual(const MarchInput& input)
    : context_(input.context),
      model_(build_model(input.the_case)),
      parameters_(input.points),
      tolerance_(input.the_case.verification.tolerance),
      places_(model_, data_of_equations(model_), tolerance_),
      sizes_(model_.equations.size(), 0.0) {
  for (const EquationModel& equation : model_.equations) {
    residuals_.push_back(equation.residual);
    magnitudes_.push_back(magnitude_of(*model_.pool, model_, equation.residual));
  }
}

std::vector<Array> FinerResidual::residuals(const Solution& solution, const CheckGrid& grid, TrialMatrices& known) {
  std::vector<Array> found = evaluate(*model_.pool, solution, residuals_, grid.points, false, &known);
  mask(found, grid);
  return found;
}

void FinerResidual::mask(std::vector<Array>& values, const CheckGrid& grid) const {
  for (Array& one : values) gwrm::leave_out_corners(corners_, grid.points, one);
}

GridPoints FinerResidual::features_between(const CheckGrid& grid, const Solution& of_finer) {
  std::vector<PointsAlong> axes;
  for (std::size_t axis = 0; axis < grid.points.size(); ++axis) {
    const AxisDescription& description = of_finer.subdomains.front()[axis];
    axes.push_back({grid.points[axis], description.edges, make_basis(description)->is_periodic()});
  }
  return places_.between(axes, false);
}

bool FinerResidual::is_left_out(const Solution& of_run, const Solution& of_finer, const CheckGrid& grid,
                                const std::vector<Array>& of_v) {
  std::vector<std::size_t> suspects;
  std::vector<double> rms;
  for (const Array& of_equation : of_v) rms.push_back(root_mean_square_of(of_equation, grid));
  const auto keep_if = [&](const auto& is_suspect) {
    std::erase_if(suspects, [&](std::size_t i) { return !is_suspect(i); });
    return !suspects.empty();
  };
  const auto is_large = [&](std::size_t i) { return rms[i] > kHarmlessResidual * tolerance_ * sizes_[i]; };
  const auto take_sizes = [&] {
    std::vector<Array> magnitudes = evaluate(*model_.pool, of_finer, magnitudes_, grid.points, false, &of_finer_);
    mask(magnitudes, grid);
    for (std::size_t i = 0; i < of_v.size(); ++i)
      sizes_[i] = std::max(sizes_[i], root_mean_square_of(magnitudes[i], grid));
  };
  if (std::all_of(sizes_.begin(), sizes_.end(), [](double size) { return size == 0.0; })) take_sizes();
  for (std::size_t i = 0; i < of_v.size(); ++i) suspects.push_back(i);
  if (!keep_if(is_large)) return false;
  const std::vector<Array> of_u = residuals(of_run, grid, of_run_);
  if (!keep_if([&](std::size_t i) { return rms[i] > kStillThere * root_mean_square_of(of_u[i], grid); })) return false;
  take_sizes();
  if (!keep_if(is_large)) return false;
  const std::vector<Array> of_rounded = residuals(rounded(of_finer, random_), grid, of_finer_);
  return keep_if([&](std::size_t i) {
    Array change = of_rounded[i];
    for (std::size_t k = 0; k < change.data.size(); ++k) change.data[k] -= of_v[i].data[k];
    return rms[i] > kAboveRounding * root_mean_square_of(change, grid);
  });
}

double FinerResidual::share_at_start(const MarchWindow& run, const PointWindows& finer) {
  if (share_at_start_) return *share_at_start_;
  double& least = share_at_start_.emplace(1.0);
  const int time = model_.time_axis();
  const double length = run.end - run.start;
  if (time < 0 || has_corrected_ ||
      kSingular * kNearestToStart * length < std::numeric_limits<double>::epsilon() * std::abs(run.end))
    return least;
  for (std::size_t p = 0; p < finer.size(); ++p) {
    const Solution of_run = solution_of(model_, run.subdomains, run.start, run.end, run.fields[p]);
    CheckGrid grid = independent_points(model_, run.subdomains, of_run, parameters_[p], kPointsOfLook3d);
    std::vector<double> logs;
    grid.points[at(time)].clear();
    for (double behind = kNearestToStart; behind < kFarthestFromStart; behind *= kStepFromStart) {
      grid.points[at(time)].push_back(run.start + behind * length);
      logs.push_back(std::log(behind));
    }
    const double finer_parts =
        length / finer[p]->length() *
        std::pow(
            static_cast<double>(finer[p]->discretisation.subdomains(time).degree) / run.subdomains[at(time)].degree, 2);
    for (const Array& of_equation : residuals(of_run, grid, of_run_)) {
      if (of_equation.shape[at(time)] == 1) continue;
      std::vector<double> sizes = root_mean_squares(of_equation, grid, time);
      if (*std::min_element(sizes.begin(), sizes.end()) <= 0.0) continue;
      for (double& size : sizes) size = std::log(size);
      const StraightLine line(logs, sizes);
      if (line.slope > -1.0 && line.slope < -kSingular && line.rms < kSingular)
        least = std::min(least, 1.0 - std::pow(finer_parts, -1.0 - line.slope));
    }
  }
  return least;
}

void FinerResidual::correct(const MarchWindow& run, const PointWindows& finer, PointSolver& solver) {
  const Index most = model_.n_modal_axes() == 2 ? kPointsOfLook2d : kPointsOfLook3d;
  for (std::size_t p = 0; p < finer.size(); ++p) {
    Window& window = *finer[p];
    const Solution of_finer = solution_of(model_, window.discretisation.subdomains(), window.start(), window.end(),
                                          window.own_coefficients());
    CheckGrid few = independent_points(model_, run.subdomains, of_finer, parameters_[p], most);
    const GridPoints features = features_between(few, of_finer);
    few = with_points_toward(features, std::move(few), of_finer);
    std::vector<Array> of_v = residuals(of_finer, few, of_finer_);
    const Solution of_run = solution_of(model_, run.subdomains, run.start, run.end, run.fields[p]);
    if (!is_left_out(of_run, of_finer, few, of_v)) continue;
    const CheckGrid all = with_points_toward(
        features,
        independent_points(model_, run.subdomains, of_finer, parameters_[p], std::numeric_limits<Index>::max()),
        of_finer);
    if (all.points != few.points) of_v = residuals(of_finer, all, of_finer_);
    solver.with_linear_solver(p, window, [&](LinearSolver& linear) { correct(window, linear, of_v, all); });
  }
}

void FinerResidual::correct(Window& finer, LinearSolver& solver, const std::vector<Array>& left_out,
                            const CheckGrid& grid) {
  const int time = model_.time_axis();
  std::vector<Array> on_points;  // P R + q at V's points
  for (const Array& of_equation : left_out) {
    Array values = of_equation;  // projected along the axes so far, at the independent points ...
    Array sum = of_equation;     // ... and at V's
    struct Rest {
      std::size_t axis;
      std::shared_ptr<const AxisBasis> basis;
      std::vector<double> sizes;  // root mean squares, of space at each time
    };
    std::vector<Rest> rests;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (of_equation.shape[at(axis)] == 1 || !(axis == time || model_.is_modal(axis))) continue;
      const std::vector<double>& points = grid.points[at(axis)];
      const auto basis = functions(model_, finer.discretisation, axis, points.size());
      const BlockMatrix analysis = analysis_at(*basis, points, grid.weights[at(axis)]);
      const auto transform = [&](const Array& a, const BlockMatrix& m) {
        return block_transform(context_, a, at(axis), m);
      };
      const Array kept = transform(transform(values, analysis), basis->at(points));
      for (std::size_t i = 0; i < values.data.size(); ++i) values.data[i] -= kept.data[i];
      rests.push_back({at(axis), basis, root_mean_squares(values, grid, axis == time ? -1 : time)});
      values = kept;
      sum = transform(transform(sum, analysis), basis->at(numbers(finer.discretisation.points(axis))));
    }
    std::vector<std::size_t> strides(sum.shape.size(), 1);
    for (std::size_t axis = strides.size(); axis-- > 1;)
      strides[axis - 1] = strides[axis] * static_cast<std::size_t>(sum.shape[axis]);
    const auto index_along = [&](std::size_t axis, std::size_t i) {
      return i / strides[axis] % static_cast<std::size_t>(sum.shape[axis]);
    };
    for (const Rest& rest : rests) {
      const Vector waves =
          random_last_levels(*rest.basis, numbers(finer.discretisation.points(static_cast<int>(rest.axis))), random_);
      std::vector<double> sizes = rest.sizes;
      if (sizes.size() > 1) {
        sizes.clear();
        for (double t : finer.discretisation.points(time))
          sizes.push_back(interpolated(grid.points[at(time)], rest.sizes, t));
      }
      for (std::size_t i = 0; i < sum.data.size(); ++i)
        sum.data[i] += (sizes.size() == 1 ? sizes.front() : sizes[index_along(at(time), i)]) *
                       waves(static_cast<Index>(index_along(rest.axis, i)));
    }
    on_points.push_back(std::move(sum));
  }
  std::vector<double> correction(finer.x().size());
  finer.system.project_equations(on_points, correction);
  if (solver.linearise(finer.x(), false).status != LinearStatus::solved ||
      solver.solve(correction, kCorrectionTolerance).status != LinearStatus::solved)
    return;
  std::vector<double>& x = finer.change_x();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= correction[i];
  has_corrected_ = true;
}

}  // namespace gwrm
