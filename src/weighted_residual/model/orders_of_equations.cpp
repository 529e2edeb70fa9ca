#include "weighted_residual/model/orders_of_equations.hpp"

#include <algorithm>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "weighted_residual/model/condition_count.hpp"

namespace gwrm {

std::vector<int> local_orders(const Model& model, expression::Expr residual, int axis) {
  std::vector<int> orders(model.fields.size(), kAbsent);
  for (const auto& [atom, integrated] : expression::atom_uses(*model.pool, residual))
    if (!atom.restricted[axis] && (integrated >> axis & 1u) == 0)
      orders[atom.field] = std::max(orders[atom.field], atom.orders[axis]);
  return orders;
}

namespace {

bool evolves_at_each_mode(const Model& model, const EquationModel& equation, int axis) {
  if (local_orders(model, equation.residual, axis)[at(equation.field)] == 0) return true;
  for (const auto& [atom, integrated] : expression::atom_uses(*model.pool, equation.residual)) {
    if (atom.field != equation.field || atom.restricted[axis] || (integrated >> axis & 1u) != 0 ||
        atom.orders[axis] > 0)
      continue;
    if (model.has_eigenvalue) return true;
    for (int other = 0; other < static_cast<int>(model.axes.size()); ++other)
      if (other != axis && atom.orders[at(other)] > 0) return true;
  }
  return false;
}

}  // namespace

void find_equation_orders(Model& model) {
  std::vector<bool> is_constraint(model.equations.size(), false), is_multiplier(model.fields.size(), false);
  for (const Multiplier& multiplier : model.multipliers) {
    is_constraint[at(multiplier.equation)] = true;
    is_multiplier[at(multiplier.field)] = true;
  }
  std::vector<int> equations, fields, place(model.fields.size(), -1);  // that take part in the count
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    if (!is_multiplier[f]) {
      place[f] = static_cast<int>(fields.size());
      fields.push_back(static_cast<int>(f));
    }
  std::vector<int> preferred;
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    EquationModel& equation = model.equations[e];
    equation.orders.assign(model.axes.size(), 0);
    equation.n_conditions.assign(model.axes.size(), 0);
    equation.closing_fields.assign(model.axes.size(), equation.field);
    equation.evolves.assign(model.axes.size(), false);
    if (is_constraint[e]) continue;
    equations.push_back(static_cast<int>(e));
    preferred.push_back(place[at(equation.field)]);
  }
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    const auto basis = make_basis(model.subdomains[axis]);
    std::vector<std::vector<int>> orders;
    for (int e : equations) {
      const std::vector<int> all = local_orders(model, model.equations[at(e)].residual, axis);
      std::vector<int>& counted = orders.emplace_back();
      for (int f : fields) counted.push_back(all[at(f)]);
    }
    const std::vector<AssignedOrder> assigned = assigned_orders(orders, preferred);
    for (std::size_t i = 0; i < equations.size(); ++i) {
      EquationModel& equation = model.equations[at(equations[i])];
      equation.orders[axis] = assigned[i].order;
      equation.evolves[at(axis)] = evolves_at_each_mode(model, equation, axis);
      equation.n_conditions[axis] = basis->n_conditions(assigned[i].order);
      equation.closing_fields[axis] = fields[at(assigned[i].field)];
    }
  }
}

}  // namespace gwrm
