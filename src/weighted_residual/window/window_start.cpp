#include "weighted_residual/window/window_start.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "basis/axis_basis.hpp"
#include "core/zeros.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

constexpr Index kExtrapolationPoints = 5;

// Row j: the values at `points` of the polynomials through the nodes, Lagrange's form.
Matrix lagrange(const Vector& nodes, const Vector& points) {
  Matrix values(points.size(), nodes.size());
  for (Index i = 0; i < points.size(); ++i)
    for (Index j = 0; j < nodes.size(); ++j) {
      double product = 1.0;
      for (Index m = 0; m < nodes.size(); ++m)
        if (m != j) product *= (points(i) - nodes(m)) / (nodes(j) - nodes(m));
      values(i, j) = product;
    }
  return values;
}

// One field of the window before with `in_time` applied, on the subdomains of the new window.
Array carried(const WindowSystem& system, const WindowSystem& before, std::span<const double> x, int field,
              const Matrix& in_time) {
  const Model& model = system.model();
  Array values = before.unknowns_of(x, field);
  for (int axis : model.fields[field].axes) {
    if (axis == model.time_axis())
      values = block_transform(system.context(), values, at(axis), BlockMatrix(in_time));
    else if (model.is_modal(axis))
      values =
          block_transform(system.context(), values, at(axis),
                          system.discretisation().basis(axis).conversion_from(before.discretisation().basis(axis)));
  }
  return values;
}

std::vector<double> zeros_for(const WindowSystem& system) {
  return zeros(static_cast<std::size_t>(system.size()), system.context().n_threads());
}

void store(const WindowSystem& system, int field, const Array& values, std::vector<double>& x) {
  std::copy(values.data.begin(), values.data.end(), x.begin() + system.layouts()[field].offset);
}

}  // namespace

State initial_state(const Context& context, const Model& model, const Discretisation& discretisation) {
  State state;
  for (const FieldModel& field : model.fields) {
    state.emplace_back();
    for (expression::Expr initial : field.initial)
      state.back().push_back(discretisation.project(context, *model.pool, initial, field, false));
  }
  return state;
}

State on_subdomains(const Context& context, const Model& model, State state, const std::vector<AxisDescription>& from,
                    const std::vector<AxisDescription>& to) {
  for (std::size_t f = 0; f < state.size(); ++f)
    for (Array& value : state[f])
      for (int axis : model.fields[f].axes)
        if (model.is_modal(axis) && !(from[axis] == to[axis]))
          value = block_transform(context, value, at(axis), conversion(from[axis], to[axis]));
  return state;
}

std::vector<double> constant_start(const WindowSystem& system) {
  std::vector<double> x = zeros_for(system);
  const Model& model = system.model();
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    const FieldModel& field = model.fields[f];
    if (field.time_order == 0 && field.guess != nullptr)
      store(system, f, system.discretisation().project(system.context(), *model.pool, field.guess, field, true), x);
  }
  return x;
}

std::vector<double> constant_start(const WindowSystem& system, const WindowSystem& before, std::span<const double> x) {
  std::vector<double> start = zeros_for(system);
  const Model& model = system.model();
  const TimeBasis &now = *system.discretisation().time(), &last = *before.discretisation().time();
  const Matrix repeat = now.test().rowwise().sum() * last.row_at(last.end(), 0);
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f)
    if (model.fields[f].time_order == 0) store(system, f, carried(system, before, x, f, repeat), start);
  return start;
}

std::vector<double> extrapolated_start(const WindowSystem& system, const WindowSystem& before,
                                       std::span<const double> x) {
  std::vector<double> start = zeros_for(system);
  const TimeBasis &now = *system.discretisation().time(), &last = *before.discretisation().time();
  const Vector nodes = last.points_of_last_half(kExtrapolationPoints);
  Matrix at_nodes(nodes.size(), last.n_unknowns());
  for (Index i = 0; i < nodes.size(); ++i) at_nodes.row(i) = last.row_at(nodes(i), 0);
  const Matrix in_time = now.test() * lagrange(nodes, now.points()) * at_nodes;
  for (int f = 0; f < static_cast<int>(system.model().fields.size()); ++f)
    store(system, f, carried(system, before, x, f, in_time), start);
  return start;
}

std::vector<double> carried_start(const WindowSystem& system, const WindowSystem& attempt, std::span<const double> x) {
  std::vector<double> start = zeros_for(system);
  Matrix in_time;
  if (const TimeBasis* now = system.discretisation().time()) {
    const TimeBasis& other = *attempt.discretisation().time();
    Matrix values(now->n_points(), other.n_unknowns());
    for (Index i = 0; i < now->n_points(); ++i) values.row(i) = other.row_at(now->points()(i), 0);
    in_time = now->test() * values;
  }
  for (int f = 0; f < static_cast<int>(system.model().fields.size()); ++f)
    store(system, f, carried(system, attempt, x, f, in_time), start);
  return start;
}

State state_at(const Model& model, const std::vector<Array>& coefficients, double start, double end, double t) {
  const int time = model.time_axis();
  State state(model.fields.size());
  for (std::size_t f = 0; f < state.size(); ++f)
    for (int order = 0; order < model.fields[f].time_order; ++order) {
      const Array& a = coefficients[f];
      const auto basis = make_basis({static_cast<int>(a.shape[time]) - 1, {start, end}});
      state[f].push_back(cpu::block_transform(a, at(time), basis->at(std::span(&t, 1), order)));
    }
  return state;
}

std::vector<double> unknowns_from(const WindowSystem& system, const std::vector<Array>& coefficients,
                                  const std::vector<AxisDescription>& subdomains) {
  std::vector<double> x = zeros_for(system);
  const Model& model = system.model();
  const int time = model.time_axis();
  std::map<std::pair<Index, int>, BlockMatrix> in_time;  // by coefficients in time and order: fields have it in common
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    Array values = coefficients[f];
    if (time >= 0 && model.fields[f].depends_on(time)) {
      const Index n = values.shape[time];
      const int order = model.fields[f].time_order;
      BlockMatrix& matrix = in_time[{n, order}];
      if (matrix.rows == 0) {
        const TimeBasis& basis = *system.discretisation().time();
        const std::span<const double> points(basis.points().data(), static_cast<std::size_t>(basis.points().size()));
        const auto series = make_basis({static_cast<int>(n) - 1, subdomains[time].edges});
        matrix = Matrix(basis.test() * series->at(points, order).dense());
      }
      values = cpu::block_transform(values, at(time), matrix);
    }
    for (int axis : model.fields[f].axes)
      if (const AxisBasis& basis = system.discretisation().basis(axis);
          model.is_modal(axis) && !(basis.description() == subdomains[axis]))
        values = block_transform(system.context(), values, at(axis), conversion(subdomains[axis], basis.description()));
    store(system, f, values, x);
  }
  return x;
}

}  // namespace gwrm
