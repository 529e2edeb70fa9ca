#include "problems/time_spectral/parabolic.hpp"

#include <algorithm>
#include <numeric>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;

// A term coefficient * atom of an equation's linearisation.
struct Term {
  Expr coefficient = nullptr;
  Atom atom;
};

// Nothing if there are integrals or values at points.
std::optional<std::vector<Term>> terms_of(const Model& model, const EquationModel& equation) {
  expression::Pool& pool = *model.pool;
  std::vector<Term> terms;
  for (const expression::LinearTerm& term : collect(pool, frechet(pool, equation.residual))) {
    if (!expression::is_atom(term.leaf)) return std::nullopt;
    Atom atom = expression::atom_of(pool, term.leaf);
    if (std::find(atom.restricted.begin(), atom.restricted.end(), true) != atom.restricted.end()) return std::nullopt;
    terms.push_back({term.coefficient, std::move(atom)});
  }
  return terms;
}

class EquationForm {
 public:
  EquationForm(const Model& model, const EquationModel& equation) : model_(model), equation_(equation) {}

  bool adds_to(std::vector<Expr>& positive) const {
    const auto terms = terms_of(model_, equation_);
    if (!terms) return false;
    const Expr of_time = coefficient_of_time(*terms);
    if (of_time == nullptr) return false;
    expression::Pool& pool = *model_.pool;
    for (const Term& term : *terms) {
      const int order = order_in_space(term.atom), axis = single_axis(term.atom);
      if (order == 0) continue;
      const bool leads = term.atom.field == equation_.field && axis >= 0 && order == equation_.orders[axis];
      if (!leads) {
        if (order >= least_order()) return false;
        continue;
      }
      if (order % 2 != 0 || term.coefficient->facts.degree > 0) return false;
      // residual = of_time dt(u) + coefficient d^{2m} u + ..: -coefficient/of_time stands on the right
      const Expr right = pool.negated(pool.quotient(term.coefficient, of_time));
      positive.push_back(order % 4 == 2 ? right : pool.negated(right));
    }
    return leads_along_every_axis(*terms);
  }

 private:
  int order_in_space(const Atom& atom) const {
    int order = 0;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis)
      if (static_cast<int>(axis) != model_.time_axis()) order += atom.orders[axis];
    return order;
  }
  // The one axis of space along which the atom is differentiated; -1: none or several.
  int single_axis(const Atom& atom) const {
    int found = -1;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis) {
      if (static_cast<int>(axis) == model_.time_axis() || atom.orders[axis] == 0) continue;
      if (found >= 0) return -1;
      found = static_cast<int>(axis);
    }
    return found;
  }
  // Lowest of the leading orders along the axes; 0 for an ODE.
  int least_order() const {
    int least = 0;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis) {
      const int order = equation_.orders[axis];
      if (model_.axes[axis].kind == AxisKind::space && order > 0) least = least == 0 ? order : std::min(least, order);
    }
    return least;
  }
  // Of dt(u) of the equation's own unknown, a number; null if there is another derivative in time, or none.
  Expr coefficient_of_time(const std::vector<Term>& terms) const {
    Expr found = nullptr;
    for (const Term& term : terms) {
      const int order = term.atom.orders[model_.time_axis()];
      if (order == 0) continue;
      const bool plain = order == 1 && term.atom.field == equation_.field && order_in_space(term.atom) == 0;
      if (!plain || found != nullptr || term.coefficient->op != expression::Op::number) return nullptr;
      found = term.coefficient;
    }
    return found;
  }
  bool leads_along_every_axis(const std::vector<Term>& terms) const {
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis) {
      if (model_.axes[axis].kind != AxisKind::space || equation_.orders[axis] == 0) continue;
      const bool found = std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
        return term.atom.field == equation_.field && single_axis(term.atom) == static_cast<int>(axis) &&
               term.atom.orders[axis] == equation_.orders[axis];
      });
      if (!found) return false;
    }
    return true;
  }

  const Model& model_;
  const EquationModel& equation_;
};

// Half of the conditions of every equation and axis at each end, on the equation's own unknown, without dt.
bool conditions_stand_at_both_ends(const Model& model) {
  for (std::size_t e = 0; e < model.equations.size(); ++e)
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
      if (model.axes[axis].kind != AxisKind::space) continue;
      int n_lower = 0, n_upper = 0;
      for (const ConditionModel& condition : model.conditions) {
        if (condition.equation != static_cast<int>(e) || condition.axis != static_cast<int>(axis)) continue;
        bool lower = false, upper = false;
        for (Expr leaf : expression::atoms_in(condition.residual)) {
          const Atom atom = expression::atom_of(*model.pool, leaf);
          if (atom.orders[model.time_axis()] > 0) return false;
          if (atom.field != model.equations[e].field || !atom.restricted[axis]) continue;
          lower = lower || atom.points[axis] == model.axes[axis].lower;
          upper = upper || atom.points[axis] == model.axes[axis].upper;
        }
        n_lower += lower ? 1 : 0;
        n_upper += upper ? 1 : 0;
      }
      if (2 * std::min(n_lower, n_upper) < model.equations[e].n_conditions[axis]) return false;
    }
  return true;
}

}  // namespace

std::optional<std::vector<Expr>> parabolic_coefficients(const Model& model) {
  std::vector<Expr> positive;
  for (const EquationModel& equation : model.equations)
    if (!EquationForm(model, equation).adds_to(positive)) return std::nullopt;
  if (!conditions_stand_at_both_ends(model)) return std::nullopt;
  return positive;
}

}  // namespace gwrm
