#include "weighted_residual/window/shared_rows.hpp"

#include <algorithm>

#include "expression/holds_integral.hpp"
#include "weighted_residual/window/averaged_rows.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

using expression::Expr;
using expression::Op;

namespace {

bool holds_edge(const WindowSystem& system, const std::vector<RowTerm>& terms, int axis) {
  return std::any_of(terms.begin(), terms.end(), [&](const RowTerm& term) {
    return term.integral >= 0 ? holds_edge(system, system.integral_terms()[at(term.integral)], axis)
                              : static_cast<bool>(term.atom.restricted[at(axis)]);
  });
}

// Coordinates and data in a row of the plan vary along the axis.
bool holds_data_along(const WindowSystem& system, std::size_t row, int axis) {
  const std::vector<Expr>& leaves = system.plan().residual_tape.leaves();
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf]->op != Op::coordinate && leaves[leaf]->op != Op::data) continue;
    if ((leaves[leaf]->facts.axes >> axis & 1u) == 0) continue;
    std::vector<bool> this_one(leaves.size(), false);
    this_one[leaf] = true;
    if (system.plan().residual_tape.depends_on(this_one)[row]) return true;
  }
  return false;
}

std::string reason_of_row(const WindowSystem& system, std::size_t number, int z) {
  const Model& model = system.model();
  const RowBlock& row = system.rows()[number];
  const bool closed = is_closed(model, row, z);
  if (!closed && holds_edge(system, row.terms, z)) return "an equation holds values at an edge";
  if (row.line_axis >= 0) return {};
  const Expr residual = row.kind == RowBlock::Kind::equation ? model.equations[at(row.index)].residual
                                                             : model.conditions[at(row.index)].residual;
  if (!expression::holds_integral(residual, model.axes[at(z)].name)) return {};
  if (!closed) return "it holds an integral over " + model.axes[at(z)].name;
  if (residual->facts.degree > 1 || holds_data_along(system, number, z))
    return "a condition holds an integral over " + model.axes[at(z)].name + " of more than the unknowns";
  return {};
}

}  // namespace

int first_modal_axis(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis)) return axis;
  return -1;
}

bool is_closed(const Model& model, const RowBlock& row, int axis) {
  if (row.kind != RowBlock::Kind::condition && row.kind != RowBlock::Kind::mean) return false;
  const ConditionModel& condition = model.conditions[at(row.index)];
  return condition.axis == axis ||
         std::find(condition.mean_axes.begin(), condition.mean_axes.end(), axis) != condition.mean_axes.end();
}

std::string shared_unsupported_reason(const WindowSystem& system) {
  const Model& model = system.model();
  const int z = first_modal_axis(model);
  if (model.n_modal_axes() < 2) return "it has fewer than two dimensions of space";
  if (system.discretisation().n_points(z) < 2) return "it has one point along its first dimension of space";
  if (std::string reason = averaging_unsupported_reason(model, system.plan()); !reason.empty()) return reason;
  if (model.time_axis() >= 0 && integrates_over(model, model.time_axis()))
    return "it holds an integral over " + model.axes[at(model.time_axis())].name;
  if (system.plan().series) return "its products are those of series";
  for (const FieldModel& field : model.fields)
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      if ((axis == model.time_axis() || model.is_modal(axis)) && !field.depends_on(axis))
        return "the unknown " + field.name + " does not depend on all dimensions";
  for (std::size_t number = 0; number < system.rows().size(); ++number) {
    const RowBlock& row = system.rows()[number];
    if (!row.banded.empty()) return "an axis is written in banded form";
    if (model.time_axis() >= 0 && !row.tests.front().identity) return "its weighting couples all times";
    if (std::string reason = reason_of_row(system, number, z); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace gwrm
