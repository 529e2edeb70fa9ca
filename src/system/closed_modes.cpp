#include "system/closed_modes.hpp"

#include <algorithm>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

using expression::Expr;

// Adds what a linearised condition asks of each mode along the axis. Coefficients that are no numbers count as 1: only
// the pattern of the modes matters here.
void add_modes(const Model& model, expression::LinearExpr linear, int axis, double factor, RowVector& row) {
  const AxisMap map(model.axes[at(axis)]);
  for (const expression::LinearTerm& term : collect(*model.pool, linear)) {
    const double weight = factor * (term.coefficient->op == expression::Op::number ? term.coefficient->value : 1.0);
    if (!expression::is_atom(term.leaf)) {
      const bool along = model.pool->symbols().find_axis(term.leaf->name) == axis;
      if (along)
        row += weight * integral_row(map, model.degrees[at(axis)]);
      else
        add_modes(model, {term.leaf->args[0]}, axis, weight, row);
      continue;
    }
    const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
    if (atom.restricted[at(axis)])
      row += weight * point_row(map, model.degrees[at(axis)], atom.points[at(axis)], atom.orders[at(axis)]);
  }
}

}  // namespace

std::vector<Index> free_modes(const Model& model, int equation, int axis) {
  const Index n_modes = model.degrees[at(axis)] + 1;
  const Index n_closed = model.equations[at(equation)].orders[at(axis)];
  Matrix conditions(0, n_modes);
  for (const ConditionModel& condition : model.conditions) {
    if (condition.axis != axis || condition.equation != equation) continue;
    RowVector row = RowVector::Zero(n_modes);
    add_modes(model, frechet(*model.pool, condition.residual), axis, 1.0, row);
    const double largest = row.cwiseAbs().maxCoeff();
    conditions.conservativeResize(conditions.rows() + 1, Eigen::NoChange);
    conditions.row(conditions.rows() - 1) = largest > 0.0 ? RowVector(row / largest) : row;
  }

  // From the highest mode down, those whose columns are independent of the ones taken so far (Gram-Schmidt).
  std::vector<Index> closed;
  std::vector<Vector> basis;
  for (Index k = n_modes; k-- > 0 && static_cast<Index>(closed.size()) < n_closed;) {
    Vector column = conditions.col(k);
    const double size = column.norm();
    for (const Vector& direction : basis) column -= direction.dot(column) * direction;
    if (size < 1e-8 || column.norm() < 1e-8 * size) continue;
    basis.push_back(column.normalized());
    closed.push_back(k);
  }
  for (Index k = n_modes;
       k-- > 0 && static_cast<Index>(closed.size()) < n_closed;)  // dependent conditions: the solver will name them
    if (std::find(closed.begin(), closed.end(), k) == closed.end()) closed.push_back(k);
  std::vector<Index> free;
  for (Index k = 0; k < n_modes; ++k)
    if (std::find(closed.begin(), closed.end(), k) == closed.end()) free.push_back(k);
  return free;
}

}  // namespace gwrm
