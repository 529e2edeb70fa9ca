#include "weighted_residual/preconditioner/natural_condition.hpp"

#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/saddle_laplacian.hpp"

namespace gwrm {
namespace {

// A sum of mean coefficients of one power.
struct Coefficient {
  double value = 0.0;
  int power = 0;
};

}  // namespace

std::optional<NaturalTerm> natural_term(const WindowSystem& system, const CoefficientMeans& means,
                                        const RowBlock& condition, int axis) {
  const Model& model = system.model();
  if (condition.terms.size() != 1) return {};
  const RowTerm& held = condition.terms.front();
  if (held.integral >= 0 || held.line_axis >= 0 || !held.atom.restricted[axis] || derived_axis(model, held) != -1 ||
      multiplier_of(model, held.atom.field) == nullptr)
    return {};
  const auto add = [&](const RowTerm& term, Coefficient& sum) {
    sum.value += term.coefficient < 0 ? 1.0 : means(term.coefficient, -1)(0);
    sum.power = term.power;
  };
  const int field = model.equations[at(condition.equation)].field;
  Coefficient a, g, k;
  add(held, a);
  for (const RowTerm& term : system.rows()[at(condition.equation)].terms) {  // equations come first
    if (term.integral >= 0 || is_restricted(term) || derived_axis(model, term) != axis) continue;
    if (term.atom.field == held.atom.field && term.atom.orders[axis] == 1) add(term, g);
    if (term.atom.field == field && term.atom.orders[axis] == 2) add(term, k);
  }
  if (g.value == 0.0 || k.value == 0.0) return {};
  NaturalTerm result{held, a.value * k.value / g.value};
  result.term.power = a.power + k.power - g.power;
  result.term.atom.field = field;
  result.term.atom.orders[axis] = 1;
  result.term.coefficient = -1;
  return result;
}

bool holds_multiplier_alone(const Model& model, const ConditionModel& condition) {
  return condition.axis >= 0 && condition.fields.size() == 1 &&
         multiplier_of(model, condition.fields.front().field) != nullptr &&
         model.equations[at(condition.equation)].orders[at(condition.axis)] == 2;
}

}  // namespace gwrm
