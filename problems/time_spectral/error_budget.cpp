#include "problems/time_spectral/error_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "basis/axis_basis.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr double kStep = 1e-6;                   // of difference quotients, relative to the fields
constexpr double kBudgetLinearTolerance = 1e-4;  // as of the estimate itself
constexpr int kHighestWavenumber = 5;            // of a perturbation, in half waves along an axis

// The root mean square of a series over the axes it has; along time its degree is that of the coefficients.
double root_mean_square(const Model& model, const FieldModel& field, const Array& series,
                        const std::vector<AxisDescription>& subdomains) {
  std::vector<std::vector<double>> shares(series.shape.size());
  for (std::size_t axis = 0; axis < shares.size(); ++axis)
    shares[axis].assign(static_cast<std::size_t>(series.shape[axis]), 1.0);
  for (int axis : field.axes) {
    if (series.shape[axis] == 1) continue;
    AxisDescription description = subdomains[axis];
    if (axis == model.time_axis()) description = {static_cast<int>(series.shape[axis]) - 1, {-1.0, 1.0}};
    shares[axis] = make_basis(description)->mean_square();
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < series.data.size(); ++i) {
    const std::vector<Index> index = unravel(series.shape, static_cast<Index>(i));
    double share = series.data[i] * series.data[i];
    for (std::size_t axis = 0; axis < shares.size(); ++axis)
      share *= shares[axis][static_cast<std::size_t>(index[axis])];
    sum += share;
  }
  return std::sqrt(sum);
}

// sum_j a_j cos(j pi s + b_j), s from 0 to 1 along the axis, as coefficients of its basis.
Vector random_waves(const AxisDescription& axis, std::mt19937& random) {
  std::uniform_real_distribution<double> amplitude(-1.0, 1.0);
  const auto basis = make_basis(axis);
  const Index n = basis->n_per_subdomain();
  const Vector points = basis->grid(n).points;
  Vector values = Vector::Zero(points.size());
  for (int j = 0; j <= kHighestWavenumber; ++j) {
    const double a = amplitude(random), b = M_PI * amplitude(random);
    for (Index i = 0; i < points.size(); ++i)
      values(i) +=
          a * std::cos(j * M_PI * (points(i) - axis.edges.front()) / (axis.edges.back() - axis.edges.front()) + b);
  }
  return basis->analysis(n).dense() * values;
}

// A product of random waves along all axes of space, of root mean square `size`.
Array random_series(const Model& model, const FieldModel& field, const Shape& shape,
                    const std::vector<AxisDescription>& subdomains, double size, std::mt19937& random) {
  Array series(shape);
  std::fill(series.data.begin(), series.data.end(), 1.0);
  for (int axis : field.axes) {
    if (!model.is_modal(axis)) continue;
    const Vector waves = random_waves(subdomains[axis], random);
    for (std::size_t i = 0; i < series.data.size(); ++i)
      series.data[i] *= waves(unravel(shape, static_cast<Index>(i))[at(axis)]);
  }
  const double factor = size / root_mean_square(model, field, series, subdomains);
  for (double& value : series.data) value *= factor;
  return series;
}

// a + factor b
State sum_of(State a, double factor, const State& b) {
  for (std::size_t f = 0; f < a.size(); ++f)
    for (std::size_t m = 0; m < a[f].size(); ++m)
      for (std::size_t i = 0; i < a[f][m].data.size(); ++i) a[f][m].data[i] += factor * b[f][m].data[i];
  return a;
}

State zero_like(const State& a) {
  return sum_of(a, -1.0, a);
}

double norm_of(const Model& model, const State& state, const std::vector<AxisDescription>& subdomains,
               const std::vector<double>& sizes) {
  double largest = 0.0;
  for (std::size_t f = 0; f < state.size(); ++f)
    if (!state[f].empty())
      largest = std::max(largest, root_mean_square(model, model.fields[f], state[f].front(), subdomains) /
                                      (sizes[f] > 0.0 ? sizes[f] : 1.0));
  return largest;
}

// A window's state for as long as this lives.
class StateFor {
 public:
  StateFor(Window& window, State state) : window_(window), before_(std::exchange(window.state, std::move(state))) {}
  ~StateFor() { window_.state = std::move(before_); }
  StateFor(const StateFor&) = delete;
  StateFor& operator=(const StateFor&) = delete;

 private:
  Window& window_;
  State before_;
};

std::vector<double> residual_with(Window& window, const State& state, const std::vector<double>& x) {
  const StateFor held(window, state);
  std::vector<double> f(x.size());
  window.system.residual(x, f);
  return f;
}

}  // namespace

ErrorBudget::ErrorBudget(const Model& model, std::size_t n_points)
    : model_(model), coupling_(model), points_(n_points), pending_(n_points) {}

// The initial values of the finer space differ from the run's by what its space leaves out.
void ErrorBudget::begin(Point& point, const Window& finer, const State& of_run) const {
  std::mt19937 random(20190527);
  point.states.fill(zero_like(finer.state));
  point.states[kSpace] = sum_of(finer.state, -1.0, of_run);
  point.largest.fill(std::vector<double>(finer.state.size(), 0.0));
  point.begun_with = point.largest;
  for (std::size_t k = kPerturbations; k < kParts; ++k)
    for (std::size_t f = 0; f < finer.state.size(); ++f)
      if (!finer.state[f].empty()) {
        const double size = point.sizes[f] > 0.0 ? point.sizes[f] : 1.0;
        point.begun_with[k][f] = size;
        point.states[k][f].front() =
            random_series(model_, model_.fields[f], finer.state[f].front().shape, point.subdomains, size, random);
      }
  point.begun = true;
}

// The series with these unknowns and the window's state.
void ErrorBudget::measure(Point& point, std::size_t k, const Window& finer, const std::vector<double>& y) const {
  for (std::size_t f = 0; f < model_.fields.size(); ++f) {
    const Array series = finer.system.coefficients(y, static_cast<int>(f));
    point.largest[k][f] =
        std::max(point.largest[k][f], root_mean_square(model_, model_.fields[f], series, point.subdomains));
  }
}

// The rows of the residual that make each share, zero elsewhere.
std::array<std::vector<double>, ErrorBudget::kPerturbations> ErrorBudget::shares(
    const Window& finer, const MarchWindow& run, const std::vector<double>& residual) const {
  std::array<std::vector<double>, kPerturbations> parts;
  parts.fill(std::vector<double>(residual.size(), 0.0));
  for (const RowBlock& row : finer.system.rows()) {
    const Index count = element_count(row.extents);
    for (Index i = 0; i < count; ++i) {
      std::size_t part = kConditions;
      if (row.kind == RowBlock::Kind::equation) {
        part = kTime;
        const std::vector<Index> index = unravel(row.extents, i);
        for (int axis = 0; axis < static_cast<int>(index.size()); ++axis) {
          if (!model_.is_modal(axis) || row.modes[axis].empty()) continue;
          const AxisBasis& basis = finer.discretisation.basis(axis);
          const Index mode = row.modes[axis][static_cast<std::size_t>(index[at(axis)])] % basis.n_per_subdomain();
          if (mode >=
              basis.n_below(run.subdomains[axis].degree + 1) - model_.equations[row.equation].n_conditions[axis])
            part = kSpace;
        }
      }
      const auto place = static_cast<std::size_t>(row.offset + i);
      parts[part][place] = residual[place];
    }
  }
  return parts;
}

void ErrorBudget::carry(std::size_t p, Window& finer, LinearSolver& solver, const MarchWindow& run) {
  pending_[p].reset();
  Point point = points_[p];
  const std::vector<AxisDescription>& subdomains = finer.discretisation.subdomains();
  for (State& state : point.states)
    if (point.begun)
      state = on_subdomains(finer.system.context(), model_, std::move(state), point.subdomains, subdomains);
  point.subdomains = subdomains;
  point.sizes.resize(model_.fields.size(), 0.0);
  for (std::size_t f = 0; f < model_.fields.size(); ++f) {
    const Array series = finer.system.coefficients(finer.x(), static_cast<int>(f));
    point.sizes[f] = std::max(point.sizes[f], root_mean_square(model_, model_.fields[f], series, subdomains));
  }
  const State of_run = model_.time_axis() < 0
                           ? finer.state
                           : on_subdomains(finer.system.context(), model_,
                                           state_at(model_, run.fields[p], run.start, run.end, finer.start()),
                                           run.subdomains, subdomains);
  if (!point.begun) begin(point, finer, of_run);

  const auto parts =
      shares(finer, run, residual_with(finer, of_run, unknowns_from(finer.system, run.fields[p], run.subdomains)));
  const std::vector<double> left = residual_with(finer, finer.state, finer.x());  // by Newton's iteration
  if (solver.linearise(finer.x(), false).status != LinearStatus::solved) return;
  for (std::size_t k = 0; k < kParts; ++k) {
    std::vector<double> y(finer.x().size(), 0.0);
    if (const double size = norm_of(model_, point.states[k], subdomains, point.sizes); size > 0.0) {
      const double step = kStep / size;
      y = residual_with(finer, sum_of(finer.state, step, point.states[k]), finer.x());
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = -(y[i] - left[i]) / step;
    }
    if (k < kPerturbations)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] -= parts[k][i];
    if (std::all_of(y.begin(), y.end(), [](double value) { return value == 0.0; })) continue;
    if (solver.solve(y, kBudgetLinearTolerance).status != LinearStatus::solved) return;
    const StateFor held(finer, point.states[k]);
    measure(point, k, finer, y);
    point.states[k] = finer.system.end_state(y);
  }
  pending_[p] = std::move(point);
}

void ErrorBudget::accept() {
  for (std::size_t p = 0; p < points_.size(); ++p) {
    complete_ &= pending_[p].has_value();
    if (pending_[p]) points_[p] = *std::exchange(pending_[p], std::nullopt);
  }
}

std::optional<ErrorBudgetParts> ErrorBudget::result() const {
  if (!complete_) return std::nullopt;
  std::array<double, kParts> largest{};
  double growth = 0.0;
  for (const Point& point : points_) {
    const auto relative = [&](const std::vector<double>& of_fields) {
      double result = 0.0;
      for (std::size_t f = 0; f < of_fields.size(); ++f) {
        const double size = reference_size(model_, coupling_, point.sizes, f);
        result = std::max(result, relative_error(of_fields[f], size));
      }
      return result;
    };
    for (std::size_t k = 0; k < kParts; ++k) largest[k] = std::max(largest[k], relative(point.largest[k]));
    for (std::size_t k = kPerturbations; k < kParts; ++k)
      if (const double start = relative(point.begun_with[k]); start > 0.0)
        growth = std::max(growth, relative(point.largest[k]) / start);
  }
  ErrorBudgetParts parts{largest[kTime], largest[kSpace], largest[kConditions]};
  if (growth > 0.0) parts.growth = growth;
  return parts;
}

}  // namespace gwrm
