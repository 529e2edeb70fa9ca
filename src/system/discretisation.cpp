#include "system/discretisation.hpp"

#include <algorithm>
#include <array>

#include "expression/tape.hpp"
#include "kernels/chebyshev_matrices.hpp"
#include "kernels/tensor_transform.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

int polynomial_degree(const Model& model) {
  int degree = 2;
  for (const EquationModel& equation : model.equations) degree = std::max(degree, equation.residual->facts.degree);
  for (const ConditionModel& condition : model.conditions) degree = std::max(degree, condition.residual->facts.degree);
  return degree;
}

int highest_time_order(const Model& model) {
  int order = 0;
  for (const FieldModel& field : model.fields) order = std::max(order, field.time_order);
  return order;
}

}  // namespace

Index padded_points(Index degree, int polynomial_degree) {
  const Index p = polynomial_degree >= expression::kNonPolynomial ? 3 : std::max(polynomial_degree, 2);
  return (p + 1) * degree / 2 + 1;
}

Discretisation::Discretisation(const Model& model, const std::vector<double>& parameter_values, double start,
                               double end) {
  const int degree = polynomial_degree(model);
  for (int i = 0; i < static_cast<int>(model.axes.size()); ++i) {
    AxisPoints axis{model.axes[at(i)].kind, model.is_modal(i), model.axes[at(i)], 1, {}, {}};
    const Index n_padded = padded_points(model.degrees[at(i)], degree);
    if (axis.kind == AxisKind::time) {
      time_.emplace(model.weighting, model.degrees[at(i)], n_padded, highest_time_order(model), start, end);
      axis.n_unknowns = time_->n_unknowns();
      axis.points = time_->points();
      axis.weights = time_->weights();
    } else if (axis.modal) {
      const AxisMap map(axis.axis);
      axis.n_unknowns = model.degrees[at(i)] + 1;
      axis.points = map.from_reference(gauss_points(n_padded));
      axis.weights = quadrature_weights(map, n_padded);
    } else {
      axis.points = Vector::Constant(1, parameter_values[at(i)]);
      axis.weights = Vector::Ones(1);
    }
    axes_.push_back(std::move(axis));
  }
}

std::vector<Vector> Discretisation::weights() const {
  std::vector<Vector> all;
  for (const AxisPoints& axis : axes_) all.push_back(axis.weights);
  return all;
}

Matrix Discretisation::test(int axis, Index n_rows) const {
  const AxisPoints& a = axes_[at(axis)];
  if (a.kind == AxisKind::time) return time_->test().topRows(n_rows);
  if (!a.modal) return Matrix::Ones(1, 1);
  return coefficients_from_values(a.n_unknowns - 1, a.points.size()).topRows(n_rows);
}

Matrix Discretisation::trial(int axis, const expression::Atom& atom, const FieldModel& field) const {
  const AxisPoints& a = axes_[at(axis)];
  if (!field.depends_on(axis) || (!a.modal && a.kind != AxisKind::time)) return Matrix::Ones(1, 1);
  const int order = atom.orders[at(axis)];
  if (a.kind == AxisKind::time) {
    const int integrals = field.time_order - order;
    return atom.restricted[at(axis)] ? Matrix(time_->row_at(atom.points[at(axis)], integrals))
                                     : time_->values(integrals);
  }
  const AxisMap map(a.axis);
  return atom.restricted[at(axis)] ? Matrix(point_row(map, a.n_unknowns - 1, atom.points[at(axis)], order))
                                   : gauss_matrix(map, a.n_unknowns - 1, a.points.size(), order);
}

Matrix Discretisation::state_trial(int axis, const expression::Atom& atom, const FieldModel& field, int m) const {
  if (axes_[at(axis)].kind != AxisKind::time) return trial(axis, atom, field);
  const int integrals = m - atom.orders[at(axis)];
  return atom.restricted[at(axis)] ? Matrix::Constant(1, 1, time_->state_at(atom.points[at(axis)], integrals))
                                   : Matrix(time_->state_values(integrals));
}

Array Discretisation::data_at_points(const expression::Pool& pool, expression::Expr e) const {
  const std::array<expression::Expr, 1> outputs{e};
  const expression::Tape tape(pool, outputs);
  std::vector<Array> leaves;
  for (expression::Expr leaf : tape.leaves()) {
    const int axis = pool.symbols().find_axis(leaf->name);
    Shape shape(axes_.size(), 1);
    shape[at(axis)] = n_points(axis);
    Array values(shape);
    std::copy(points(axis).begin(), points(axis).end(), values.data.begin());
    leaves.push_back(std::move(values));
  }
  return tape.evaluate(leaves, weights()).front();
}

Array Discretisation::project(const Context& context, const expression::Pool& pool, expression::Expr e,
                              const FieldModel& field, bool with_time) const {
  const Array values = data_at_points(pool, e);
  std::vector<Matrix> matrices;
  for (int axis = 0; axis < static_cast<int>(axes_.size()); ++axis) {
    const bool wanted = field.depends_on(axis) && (with_time || axes_[at(axis)].kind != AxisKind::time);
    Matrix test = wanted ? this->test(axis, n_unknowns(axis)) : Matrix::Ones(1, 1);
    // Data that do not vary along the axis: the test of a constant.
    if (values.shape[at(axis)] == 1 && test.cols() > 1) test = Matrix(test.rowwise().sum());
    matrices.push_back(std::move(test));
  }
  std::vector<const Matrix*> pointers;
  for (const Matrix& matrix : matrices) pointers.push_back(&matrix);
  return tensor_transform(context, values, pointers);
}

}  // namespace gwrm
