#include "weighted_residual/preconditioner/separable_terms.hpp"

#include <algorithm>
#include <utility>

#include "weighted_residual/preconditioner/complex_planes.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

Vector profile(const RowTerm& term, int axis, const CoefficientMeans& means) {
  return term.coefficient < 0 ? Vector(Vector::Ones(1)) : means(term.coefficient, axis);
}

// The axis along which the coefficient keeps its profile: that of the derivative; without one that along which it
// varies most, as 1/r does along r. -1: its mean is enough.
int axis_of_profile(const Model& model, const RowTerm& term, const CoefficientMeans& means) {
  int derived = -1;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis) || term.atom.orders[axis] == 0) continue;
    if (derived >= 0) return -1;  // mixed
    derived = axis;
  }
  if (derived >= 0 || term.coefficient < 0) return derived;
  double widest = 0.0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    const Vector values = means(term.coefficient, axis);
    const double width = values.maxCoeff() - values.minCoeff();
    if (width <= widest) continue;
    widest = width;
    derived = axis;
  }
  return derived;
}

// Rows with a single 1, to round-off of the transforms.
AxisAction action_of(Matrix matrix) {
  constexpr double kRoundOff = 1e-12;
  AxisAction action;
  for (Index row = 0; row < matrix.rows(); ++row) {
    Index one = 0;
    matrix.row(row).cwiseAbs().maxCoeff(&one);
    RowVector rest = matrix.row(row);
    rest(one) -= 1.0;
    if (rest.cwiseAbs().maxCoeff() > kRoundOff) {
      action.picked.clear();
      action.matrix = std::move(matrix);
      return action;
    }
    action.picked.push_back(one);
  }
  return action;
}

}  // namespace

bool AxisAction::is_identity(Index n) const {
  if (static_cast<Index>(picked.size()) != n) return false;
  for (Index i = 0; i < n; ++i)
    if (picked[static_cast<std::size_t>(i)] != i) return false;
  return true;
}

Matrix values_along(const WindowSystem& system, const RowTerm& term, int axis, const CoefficientMeans& means) {
  Matrix values =
      term.line_axis == axis
          ? term.line.dense()
          : system.discretisation().trial(axis, term.atom, system.model().fields[at(term.atom.field)]).dense();
  const Vector g = profile(term, axis, means);
  if (g.size() == 1) return g(0) * values;
  if (values.rows() == 1) return g * values;
  return g.asDiagonal() * values;
}

std::optional<SeparableTerm> separable_term(const WindowSystem& system, const SpatialLayout& layout, std::size_t block,
                                            const RowTerm& term, const CoefficientMeans& means) {
  if (term.integral >= 0) return {};
  const Model& model = system.model();
  const RowBlock& row = system.rows()[block];
  SeparableTerm result;
  result.field = term.atom.field;
  result.row = layout.rows[block];
  result.column = layout.fields[at(term.atom.field)];
  result.row_extents = row.extents;
  result.column_extents = system.layouts()[at(term.atom.field)].extents;
  result.power = term.power;
  const int varying = axis_of_profile(model, term, means);
  result.factor = row.scale * (varying < 0 ? profile(term, -1, means)(0) : 1.0);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (axis == model.time_axis()) {
      result.row_extents[at(axis)] = result.column_extents[at(axis)] = 1;
      result.actions.push_back({{0}, {}});
      continue;
    }
    Matrix values;
    if (axis == varying) {
      values = values_along(system, term, axis, means);
    } else if (term.line_axis == axis) {
      values = term.line.dense();
    } else {
      values = system.discretisation().trial(axis, term.atom, model.fields[at(term.atom.field)]).dense();
    }
    const Matrix test = row.tests[at(axis)].dense();
    if (values.rows() == 1 && test.cols() > 1) values = values.replicate(test.cols(), 1).eval();
    result.actions.push_back(action_of(test * values));
  }
  return result;
}

void SeparableTerm::add_to(Complex scale, std::span<const Complex> x, std::span<Complex> y) const {
  Array u = planes(x.subspan(static_cast<std::size_t>(column), static_cast<std::size_t>(element_count(column_extents))),
                   column_extents);
  for (std::size_t axis = 0; axis < actions.size(); ++axis)  // what makes it smaller first
    if (!actions[axis].picked.empty() && !actions[axis].is_identity(column_extents[axis]))
      u = pick(u, axis, actions[axis].picked);
  for (std::size_t axis = 0; axis < actions.size(); ++axis)
    if (actions[axis].picked.empty()) u = along(actions[axis].matrix, u, axis);
  const std::size_t n = u.data.size() / 2;
  Complex* target = y.data() + row;
  scale *= factor;
  for (std::size_t i = 0; i < n; ++i) target[i] += scale * Complex(u.data[i], u.data[n + i]);
}

}  // namespace gwrm
