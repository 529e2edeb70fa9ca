#include "weighted_residual/model/characteristic_walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "expression/frechet.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/model/orders_of_equations.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Interval;
using expression::LinearTerm;

constexpr double kStopped = 1e-12;  // |c|: sin(pi*x) at x = 1 is 1e-16

bool is_restricted_anywhere(const Atom& atom) {
  return std::any_of(atom.restricted.begin(), atom.restricted.end(), [](bool restricted) { return restricted; });
}

int derivatives_in(const Atom& atom) {
  int sum = 0;
  for (int order : atom.orders) sum += order;
  return sum;
}

class Carried {
 public:
  Carried(const Model& model, int axis) : model_(model), pool_(*model.pool), axis_(axis) {}

  // Whether the equation carries its own unknown along the axis, and nothing enters at either end.
  bool enters_nowhere(int equation) const {
    const EquationModel& e = model_.equations[at(equation)];
    const int time = model_.time_axis();
    if (e.n_conditions[at(axis_)] != 1 || e.orders[at(axis_)] != 1 || e.closing_fields[at(axis_)] != e.field ||
        !e.evolves[at(axis_)] || (time < 0 && !model_.has_eigenvalue))
      return false;
    Expr speed = nullptr, rate = nullptr;
    for (const LinearTerm& term : collect(pool_, expression::frechet(pool_, e.residual))) {
      if (!expression::is_atom(term.leaf)) continue;
      const Atom atom = expression::atom_of(pool_, term.leaf);
      if (is_restricted_anywhere(atom)) return false;
      const int order = atom.orders[at(axis_)];
      if (atom.field == e.field && order > 0) {
        if (derivatives_in(atom) != 1 || speed != nullptr) return false;
        speed = term.coefficient;
      } else if (order > 0 && order >= leading_order(atom.field)) {
        return false;
      } else if (atom.field == e.field && time >= 0 && atom.orders[at(time)] == 1 && derivatives_in(atom) == 1) {
        rate = term.coefficient;
      }
    }
    if (speed == nullptr) return false;
    const std::optional<Interval> low = at_end(speed, model_.axes[at(axis_)].lower),
                                  high = at_end(speed, model_.axes[at(axis_)].upper);
    if (!low || !high) return false;
    if (low->magnitude() <= kStopped && high->magnitude() <= kStopped) return true;
    if (rate == nullptr) return false;
    const std::optional<Interval> of_rate = bounds(rate);
    if (!of_rate || of_rate->holds(0.0)) return false;
    const bool positive = of_rate->lower > 0.0;
    return positive ? low->upper <= kStopped && high->lower >= -kStopped
                    : low->lower >= -kStopped && high->upper <= kStopped;
  }

 private:
  // The order that an unknown is assigned along the axis (orders_of_equations.hpp); 0: none, and any derivative leads.
  int leading_order(int field) const {
    for (const EquationModel& e : model_.equations)
      if (multiplier_of(model_, field) == nullptr && e.closing_fields[at(axis_)] == field && e.orders[at(axis_)] > 0)
        return e.orders[at(axis_)];
    return 0;
  }

  // Over the whole domain; nothing: it depends on unknowns, or is not defined everywhere.
  std::optional<Interval> bounds(Expr e) const {
    if (e->facts.degree > 0) return std::nullopt;
    for (const expression::AtomUse& use : expression::atom_uses(pool_, e))
      if (use.atom.field >= 0) return std::nullopt;
    expression::IntervalEvaluation evaluation(pool_, e);
    std::vector<Interval> box;
    for (int axis : evaluation.axes())
      box.push_back({pool_.symbols().axes[at(axis)].lower, pool_.symbols().axes[at(axis)].upper});
    const Interval found = evaluation.enclosure(box);
    return found.defined && found.bounded() ? std::optional(found) : std::nullopt;
  }

  // A coefficient at an end of the axis, with what the conditions there prescribe inserted.
  std::optional<Interval> at_end(Expr coefficient, double end) const {
    std::vector<Expr> given(model_.fields.size(), nullptr);
    for (const ConditionModel& condition : model_.conditions)
      if (condition.axis == axis_) take_given(condition, end, given);
    for (const expression::AtomUse& use : expression::atom_uses(pool_, coefficient))
      if (use.integrated != 0 || use.atom.orders[at(axis_)] > 0 || is_restricted_anywhere(use.atom))
        return std::nullopt;
    const Expr inserted = expression::substitute(pool_, coefficient, given);
    return bounds(
        expression::lower(pool_, pool_.restriction(inserted, {{model_.axes[at(axis_)].name, pool_.number(end)}})));
  }

  // u(x=end) = g with data g, in any linear form.
  void take_given(const ConditionModel& condition, double end, std::vector<Expr>& given) const {
    const std::vector<LinearTerm> terms = collect(pool_, expression::frechet(pool_, condition.residual));
    if (terms.size() != 1 || !expression::is_atom(terms.front().leaf)) return;
    const Atom atom = expression::atom_of(pool_, terms.front().leaf);
    if (!atom.restricted[at(axis_)] || atom.points[at(axis_)] != end || derivatives_in(atom) > 0 ||
        std::count(atom.restricted.begin(), atom.restricted.end(), true) != 1 ||
        terms.front().coefficient->facts.degree > 0)
      return;
    std::vector<Expr> without(model_.fields.size(), nullptr);
    without[at(atom.field)] = pool_.zero();
    const Expr rest = expression::lower(pool_, expression::substitute(pool_, condition.residual, without));
    if (rest->facts.degree == 0) given[at(atom.field)] = pool_.negated(pool_.quotient(rest, terms.front().coefficient));
  }

  const Model& model_;
  expression::Pool& pool_;
  int axis_;
};

bool has_condition(const Model& model, int field, int axis) {
  return std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    return condition.axis == axis && expression::derivative_order(condition.fields, field, axis) >= 0;
  });
}

ConditionModel equation_at_end(Model& model, int equation, int axis) {
  expression::Pool& pool = *model.pool;
  const EquationModel& e = model.equations[at(equation)];
  const Axis& along = model.axes[at(axis)];
  const std::vector<std::pair<std::string, Expr>> end = {{along.name, pool.number(along.lower)}};
  ConditionModel condition;
  condition.text = SourceText::from_argument(fmt::format("{}, at {} = {}", e.text.text, along.name, along.lower),
                                             "equation at the end");
  const auto at_end = [&](Expr side) {
    return (side->facts.axes >> axis & 1u) != 0 ? pool.restriction(side, end) : side;
  };
  condition.left = at_end(e.left);
  condition.right = at_end(e.right);
  condition.residual = expression::lower(pool, pool.restriction(e.residual, end));
  condition.fields = expression::field_orders(pool, condition.residual);
  condition.axis = axis;
  condition.equation = equation;
  condition.equation_at_end = true;
  return condition;
}

}  // namespace

bool is_closed_by_equation(const Model& model, int axis) {
  const int time = model.time_axis();
  // As the user writes it: dt(rho)(x=0) = -rho(x=0)*dx(u)(x=0).
  const auto is_own_equation = [&](const ConditionModel& condition) {
    return time >= 0 && std::any_of(condition.fields.begin(), condition.fields.end(), [&](const auto& entry) {
             if (entry.orders[at(time)] == 0) return false;
             for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
               if (model.equations[at(e)].field == entry.field && Carried(model, axis).enters_nowhere(e)) return true;
             return false;
           });
  };
  return std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    return condition.axis == axis && (condition.equation_at_end || is_own_equation(condition));
  });
}

void add_equations_at_characteristic_walls(Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (model.axes[at(axis)].kind != AxisKind::space || make_basis(model.subdomains[at(axis)])->is_periodic()) continue;
    std::ptrdiff_t n_missing = -std::count_if(model.conditions.begin(), model.conditions.end(),
                                              [&](const ConditionModel& c) { return c.axis == axis; });
    for (const EquationModel& equation : model.equations) n_missing += equation.n_conditions[at(axis)];
    if (n_missing <= 0) continue;
    std::vector<int> carried;
    const Carried search(model, axis);
    for (const bool conditioned : {false, true})
      for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
        if (has_condition(model, model.equations[at(e)].field, axis) == conditioned && search.enters_nowhere(e))
          carried.push_back(e);
    if (static_cast<std::ptrdiff_t>(carried.size()) < n_missing) continue;  // told by match_conditions()
    carried.resize(static_cast<std::size_t>(n_missing));
    for (int e : carried) model.conditions.push_back(equation_at_end(model, e, axis));
  }
}

}  // namespace gwrm
