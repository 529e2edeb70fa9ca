#include "weighted_residual/model/inner_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "expression/constant_value.hpp"
#include "expression/differentiated_jump.hpp"
#include "expression/number_text.hpp"
#include "expression/outer_flux.hpp"
#include "expression/printer.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr double kSameEdge = 1e-9;  // of the axis: an edge of the file with fewer digits is this one

// The points of one-sided restrictions along the axis in an expression as written.
void gather_one_sided(const Model& model, Expr e, int axis, std::unordered_set<Expr>& seen,
                      std::vector<double>& places) {
  if (!seen.insert(e).second) return;
  if (e->op == expression::Op::restriction)
    for (std::size_t i = 0; i < e->names.size(); ++i)
      if (e->names[i] == model.axes[at(axis)].name && e->args[i + 1]->op == expression::Op::beside)
        places.push_back(expression::constant_value(model.pool->symbols(), e->args[i + 1]->args[0]).value());
  for (Expr arg : e->args) gather_one_sided(model, arg, axis, seen, places);
}

template <class Statement>
std::vector<double> one_sided_places(const Model& model, const Statement& statement, int axis) {
  std::vector<double> places;
  std::unordered_set<Expr> seen;
  gather_one_sided(model, statement.left, axis, seen, places);
  gather_one_sided(model, statement.right, axis, seen, places);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// A place at an inner edge: the continuity of the order-th derivative of an equation's closing field.
struct Slot {
  int equation = 0, order = 0;
  bool operator==(const Slot&) const = default;
};

class InnerConditions {
 public:
  explicit InnerConditions(Model& model) : model_(model), n_given_(model.conditions.size()) {}

  void add() {
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      for (const EquationModel& equation : model_.equations)
        for (double place : one_sided_places(model_, equation, axis)) put_edge(axis, place, equation.text);
      match_given(axis);
      if (model_.axes[at(axis)].kind == AxisKind::space)
        for (std::size_t e = 0; e < model_.equations.size(); ++e) add_fluxes(static_cast<int>(e), axis);
    }
  }

 private:
  void put_edge(int axis, double place, const SourceText& text) {
    AxisDescription& along = model_.subdomains[at(axis)];
    const std::string& name = model_.axes[at(axis)].name;
    if (!model_.is_modal(axis) || !make_basis(along)->can_be_divided())
      throw_case_error(
          text, 0,
          fmt::format("this holds at an inner edge of subdomains, {0} = {1}, and {0} {2}", name,
                      expression::number_text(place),
                      model_.is_modal(axis) ? fmt::format("with basis: {} has no subdomains; leave the basis out and "
                                                          "give conditions at both ends, periodic ones if you like",
                                                          along.basis)
                                            : "has none"));
    const double near = kSameEdge * (along.edges.back() - along.edges.front());
    for (double& edge : along.edges)
      if (std::abs(edge - place) <= near) {
        edge = place;
        return;
      }
    along.edges.insert(std::upper_bound(along.edges.begin(), along.edges.end(), place), place);
  }

  // Where the edge lies: two places closer than the rounding of their texts are one.
  bool is_at(const ConditionModel& condition, int axis, double place) const {
    return condition.axis == axis && condition.inner_edge &&
           std::abs(*condition.inner_edge - place) <=
               kSameEdge * (model_.axes[at(axis)].upper - model_.axes[at(axis)].lower);
  }

  int equation_closed_by(int field, int axis) const {
    for (std::size_t e = 0; e < model_.equations.size(); ++e)
      if (model_.equations[e].closing_fields[at(axis)] == field && model_.equations[e].n_conditions[at(axis)] > 0)
        return static_cast<int>(e);
    return -1;
  }

  // The places that a given condition may take, the best first.
  std::vector<Slot> wishes(const ConditionModel& condition) const {
    struct Held {
      int field, lowest;
    };
    std::vector<Held> held;
    for (const expression::AtomUse& use : expression::atom_uses(*model_.pool, condition.residual)) {
      if (!use.atom.restricted[at(condition.axis)]) continue;
      const int order = use.atom.orders[at(condition.axis)];
      const auto known =
          std::find_if(held.begin(), held.end(), [&](const Held& one) { return one.field == use.atom.field; });
      if (known == held.end())
        held.push_back({use.atom.field, order});
      else
        known->lowest = std::min(known->lowest, order);
    }
    std::stable_sort(held.begin(), held.end(), [](const Held& a, const Held& b) { return a.field < b.field; });
    std::vector<Slot> result;
    const auto wish = [&](const Held& one, int order) {
      const int e = equation_closed_by(one.field, condition.axis);
      if (e < 0 || order >= model_.equations[at(e)].n_conditions[at(condition.axis)]) return;
      const Slot slot{e, order};
      if (std::find(result.begin(), result.end(), slot) == result.end()) result.push_back(slot);
    };
    for (const Held& one : held) wish(one, one.lowest);
    for (const Held& one : held)
      for (int order = 0; order < 16; ++order) wish(one, order);
    return result;
  }

  void match_given(int axis) {
    std::vector<double> places;
    for (std::size_t c = 0; c < n_given_; ++c) {
      ConditionModel& condition = model_.conditions[c];
      if (condition.axis != axis || !condition.inner_edge) continue;
      put_edge(axis, *condition.inner_edge, condition.text);
      if (std::none_of(places.begin(), places.end(), [&](double z) { return is_at(condition, axis, z); }))
        places.push_back(*condition.inner_edge);
    }
    for (double place : places) {
      std::vector<std::size_t> here;
      for (std::size_t c = 0; c < n_given_; ++c)
        if (is_at(model_.conditions[c], axis, place)) here.push_back(c);
      place_all(here);
    }
  }

  // Bipartite matching by augmenting paths, best wishes first.
  void place_all(const std::vector<std::size_t>& here) {
    std::vector<std::vector<Slot>> wanted;
    for (std::size_t c : here) wanted.push_back(wishes(model_.conditions[c]));
    std::vector<std::pair<Slot, std::size_t>> taken;  // by the i-th of `here`
    for (std::size_t i = 0; i < here.size(); ++i) {
      std::vector<Slot> visited;
      const std::function<bool(std::size_t)> put = [&](std::size_t which) {
        for (const Slot& slot : wanted[which]) {
          if (std::find(visited.begin(), visited.end(), slot) != visited.end()) continue;
          visited.push_back(slot);
          const auto owner = std::find_if(taken.begin(), taken.end(), [&](const auto& t) { return t.first == slot; });
          if (owner == taken.end()) {
            taken.emplace_back(slot, which);
            return true;
          }
          if (put(owner->second)) {
            std::find_if(taken.begin(), taken.end(), [&](const auto& t) { return t.first == slot; })->second = which;
            return true;
          }
        }
        return false;
      };
      if (!put(i)) {
        const ConditionModel& condition = model_.conditions[here[i]];
        throw_case_error(
            condition.text, 0,
            fmt::format("surplus condition at the inner edge {} = {}: the equations of its unknowns have "
                        "no place left for it there (an equation of order m along {} takes m)",
                        model_.axes[at(condition.axis)].name, expression::number_text(*condition.inner_edge),
                        model_.axes[at(condition.axis)].name));
      }
    }
    for (const auto& [slot, which] : taken) {
      ConditionModel& condition = model_.conditions[here[which]];
      condition.equation = slot.equation;
      condition.order = slot.order;
    }
  }

  void add_fluxes(int e, int axis) {
    const EquationModel& equation = model_.equations[at(e)];
    // Half of the derivatives that an equation makes continuous are so at jumps, too.
    std::vector<int> continuous(model_.fields.size(), -1);
    for (const EquationModel& other : model_.equations)
      if (const int m = other.n_conditions[at(axis)]; m > 0)
        continuous[at(other.closing_fields[at(axis)])] = (m - 1) / 2;
    std::vector<expression::ContinuousFluxes> all;
    try {
      all = expression::continuous_fluxes(*model_.pool, equation.left, equation.right, axis, continuous);
    } catch (const CaseError& error) {
      if (error.place().line > 0) throw;
      throw_case_error(equation.text, 0, error.what());
    }
    for (const expression::ContinuousFluxes& here : all) {
      put_edge(axis, here.place, equation.text);
      const int n = equation.n_conditions[at(axis)];
      if (static_cast<int>(here.fluxes.size()) > n)
        throw_case_error(
            equation.text, 0,
            fmt::format("{} jumps at {} = {}, and this equation takes {} along {}: too few for what is "
                        "differentiated there",
                        expression::print(here.fluxes.back()), model_.axes[at(axis)].name,
                        expression::number_text(here.place), n == 1 ? "one condition" : fmt::format("{} conditions", n),
                        model_.axes[at(axis)].name));
      for (std::size_t p = 0; p < here.fluxes.size(); ++p)
        add_flux(e, axis, here.place, here.fluxes[p], n - 1 - static_cast<int>(p));
    }
  }

  void add_flux(int e, int axis, double place, Expr flux, int order) {
    const bool is_given = std::any_of(model_.conditions.begin(), model_.conditions.end(), [&](const auto& condition) {
      return is_at(condition, axis, place) && condition.equation == e && condition.order == order;
    });
    if (is_given) return;
    expression::Pool& pool = *model_.pool;
    const std::string& name = model_.axes[at(axis)].name;
    const auto on_side = [&](int side) {
      return pool.restriction(flux, {{name, pool.beside(pool.number(place), side)}});
    };
    ConditionModel condition;
    condition.left = on_side(-1);
    condition.right = on_side(1);
    condition.text = model_.equations[at(e)].text;
    condition.text.component.clear();
    condition.text.whole.clear();
    condition.text.text = expression::print(condition.left) + " = " + expression::print(condition.right);
    condition.residual = expression::lower(pool, pool.difference(condition.left, condition.right));
    condition.fields = expression::field_orders(pool, condition.residual);
    condition.axis = axis;
    condition.equation = e;
    condition.inner_edge = place;
    condition.order = order;
    if (condition.residual->facts.degree == 0)
      throw_case_error(model_.equations[at(e)].text, 0,
                       fmt::format("{} jumps at {} = {}, and nothing in this equation can balance it",
                                   expression::print(flux), name, expression::number_text(place)));
    model_.conditions.push_back(std::move(condition));
  }

  Model& model_;
  std::size_t n_given_;
};

bool can_have_edges(const Model& model, int axis) {
  return model.axes[at(axis)].kind == AxisKind::space && make_basis(model.subdomains[at(axis)])->can_be_divided();
}

}  // namespace

void check_jumps(const Model& model, const expression::Equation& parsed, const SourceText& text, bool is_equation) {
  std::uint32_t divisible = 0;
  for (int axis = 0; is_equation && axis < static_cast<int>(model.axes.size()); ++axis)
    if (can_have_edges(model, axis)) divisible |= 1u << axis;
  for (Expr side : {parsed.left, parsed.right}) {
    const auto jump = expression::find_differentiated_jump(model.pool->symbols(), side, divisible);
    if (!jump) continue;
    const int axis = model.pool->symbols().find_axis(jump->axis);
    const bool is_space = model.axes[at(axis)].kind == AxisKind::space;
    throw_case_error(
        text, 0,
        fmt::format("{0} differentiates an unknown together with a jump: the derivative of {1}(...) is taken as zero, "
                    "and what jumps there would be wrong. {2}",
                    expression::print(jump->derivative), expression::function_name(jump->function),
                    is_equation && is_space && !can_have_edges(model, axis)
                        ? fmt::format("{} with basis: {} has no subdomains with an edge there: leave the basis out and "
                                      "give periodic conditions",
                                      jump->axis, model.subdomains[at(axis)].basis)
                        : fmt::format("A jump along {0} has a known place if the argument of {1} depends on {0} only; "
                                      "otherwise make it smooth, as 0.5*(1 + tanh(z/w)) with a width w for step(z)",
                                      jump->axis, expression::function_name(jump->function))));
  }
}

std::optional<double> inner_edge_of(const Model& model, const ConditionModel& condition) {
  if (condition.axis < 0) return {};
  const std::vector<double> places = one_sided_places(model, condition, condition.axis);
  if (places.empty()) return {};
  if (places.size() > 1)
    throw_case_error(condition.text, 0,
                     fmt::format("a condition with one-sided values holds at one inner edge; these are at {0} = {1} "
                                 "and {2}",
                                 model.axes[at(condition.axis)].name, expression::number_text(places[0]),
                                 expression::number_text(places[1])));
  return places.front();
}

void add_inner_conditions(Model& model) {
  InnerConditions(model).add();
}

}  // namespace gwrm
