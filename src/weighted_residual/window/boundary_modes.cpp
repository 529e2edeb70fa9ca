#include "weighted_residual/window/boundary_modes.hpp"

#include <algorithm>

#include "basis/axis_basis.hpp"

namespace gwrm {
namespace {

// Adds what a linearised condition asks of each mode along the axis. Coefficients that are no numbers count as 1: only
// the pattern of the modes matters here.
void add_modes(const Model& model, const SystemPlan& plan, const std::vector<DirectionTerm>& terms, int axis,
               const AxisBasis& basis, double factor, RowVector& row) {
  for (const DirectionTerm& term : terms) {
    const double weight = factor * term.constant;
    if (term.integral >= 0) {
      const IntegralPlan& integral = plan.integrals[term.integral];
      if (integral.axis != axis)
        add_modes(model, plan, integral.terms, axis, basis, weight, row);
      else
        row += weight * basis.integral_row();
      continue;
    }
    if (!term.atom.restricted[axis]) continue;
    const BlockMatrix values = basis.at(std::span(&term.atom.points[axis], 1), term.atom.orders[axis]);
    for (const MatrixBlock& block : values.blocks)
      row.segment(block.column, block.matrix->cols()) += weight * block.matrix->row(0);
  }
}

// The conditions that stand in place of this equation's modes, largest entry 1.
std::vector<RowVector> condition_rows(const Model& model, const SystemPlan& plan, int equation, int axis,
                                      const AxisBasis& basis) {
  std::vector<RowVector> rows;
  for (const RowPlan& condition : plan.rows) {
    if (!condition.is_condition) continue;
    const ConditionModel& what = model.conditions[condition.index];
    if (what.axis != axis || what.equation != equation) continue;
    RowVector row = RowVector::Zero(basis.n_coefficients());
    add_modes(model, plan, condition.terms, axis, basis, 1.0, row);
    const double largest = row.cwiseAbs().maxCoeff();
    rows.push_back(largest > 0.0 ? RowVector(row / largest) : row);
  }
  return rows;
}

}  // namespace

std::vector<Index> interior_modes(const Model& model, const SystemPlan& plan, int equation, int axis,
                                  const AxisBasis& basis) {
  const std::vector<Index> boundary = basis.boundary_modes(condition_rows(model, plan, equation, axis, basis),
                                                           model.equations[equation].n_conditions[axis]);
  std::vector<Index> interior;
  for (Index k = 0; k < basis.n_coefficients(); ++k)
    if (!std::binary_search(boundary.begin(), boundary.end(), k)) interior.push_back(k);
  return interior;
}

}  // namespace gwrm
