#include "problems/time_spectral/incompatible_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "expression/frechet.hpp"
#include "expression/lowering.hpp"
#include "expression/substitute.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Pool;

constexpr double kJump = 1e-8;          // order 0: round-off of the data stays far below
constexpr double kKink = 1e-6;          // order 1: over a first window so small that u changes less, it does no harm
constexpr double kMismatchShare = 0.1;  // of the tolerance

// series + term (t - t0)^m / m!
Expr plus_term(const Model& model, Expr series, Expr term, int m) {
  if (m == 0) return term;
  Pool& pool = *model.pool;
  const Expr t = pool.coordinate(model.axes[model.time_axis()].name);
  const Expr elapsed = pool.difference(t, pool.number(model.window_edges.front()));
  const Expr power = pool.raised(elapsed, pool.number(m));
  return pool.sum(series, pool.quotient(pool.product(term, power), pool.number(std::tgamma(m + 1.0))));
}

bool holds(Expr e, Expr atom) {
  const auto atoms = expression::atoms_in(e);
  return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
}

// The unknown without dt of an equation c q + rest = 0, in which it stands in no other way, from what is known of the
// others; null where the equation is not of this form.
Expr eliminated(const Model& model, const EquationModel& equation, const std::vector<Expr>& known);

// Of each field from its initial values; null without any, and without an equation that gives its values from those.
std::vector<Expr> initial_polynomials(const Model& model) {
  std::vector<Expr> taylor(model.fields.size(), nullptr);
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    for (int m = 0; m < model.fields[f].time_order; ++m)
      taylor[f] = plus_term(model, taylor[f], model.fields[f].initial[m], m);
  if (!model.multipliers.empty()) return taylor;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const EquationModel& equation : model.equations) {
      Expr& own = taylor[equation.field];
      if (own != nullptr) continue;
      own = eliminated(model, equation, taylor);
      is_new = is_new || own != nullptr;
    }
  }
  return taylor;
}

// Whether each field in it has such a polynomial, with a term for the derivative in t that stands there, `more` added
// to its order: with dt(u) = F(u) the rate dt(u) is known once F has given it, dt(u,2) is not.
bool are_known(const Model& model, const std::vector<Expr>& taylor, Expr e, int terms_added, int more) {
  const auto atoms = expression::atoms_in(e);
  return std::all_of(atoms.begin(), atoms.end(), [&](Expr leaf) {
    const expression::Atom atom = expression::atom_of(*model.pool, leaf);
    if (taylor[atom.field] == nullptr) return false;
    if (model.fields[atom.field].time_order == 0) return atom.orders[model.time_axis()] == 0 && more == 0;
    return atom.orders[model.time_axis()] + more < model.fields[atom.field].time_order + terms_added;
  });
}

Expr eliminated(const Model& model, const EquationModel& equation, const std::vector<Expr>& known) {
  Pool& pool = *model.pool;
  const FieldModel& field = model.fields[equation.field];
  if (field.time_order > 0) return nullptr;
  const Expr own = pool.field(field.name);
  Expr coefficient = nullptr;
  for (const expression::LinearTerm& term : collect(pool, frechet(pool, equation.residual))) {
    if (!expression::is_atom(term.leaf)) return nullptr;
    const Atom atom = expression::atom_of(pool, term.leaf);
    if (atom.field != equation.field) continue;
    const bool is_plain = std::none_of(atom.restricted.begin(), atom.restricted.end(), [](bool r) { return r; }) &&
                          std::all_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order == 0; });
    if (!is_plain || coefficient != nullptr || holds(term.coefficient, own)) return nullptr;
    coefficient = term.coefficient;
  }
  if (coefficient == nullptr) return nullptr;
  Expr rest = pool.zero();
  for (Expr term : expression::additive_terms(pool, equation.residual))
    if (!holds(term, own)) rest = pool.sum(rest, term);
  if (!are_known(model, known, rest, 0, 0) || !are_known(model, known, coefficient, 0, 0)) return nullptr;
  return pool.negated(
      pool.quotient(expression::substitute(pool, rest, known), expression::substitute(pool, coefficient, known)));
}

class CornerCheck {
 public:
  CornerCheck(const Model& model, const Discretisation& first, double tolerance)
      : tolerance_(tolerance),
        model_(model),
        pool_(*model.pool),
        first_(first),
        t_(model.axes[model.time_axis()].name),
        taylor_(initial_polynomials(model)) {
    extended_ = add_highest_derivatives();
  }

  std::vector<IncompatibleData> run() {
    std::vector<IncompatibleData> conflicts;
    const double h = first_.time()->end() - first_.time()->start();
    for (int c = 0; c < static_cast<int>(model_.conditions.size()); ++c) {
      const Expr residual = model_.conditions[c].residual;
      if (!known(residual, 0)) continue;
      const Expr held = expression::substitute(pool_, residual, taylor_);
      const double size = data_size(residual);
      const double violation = at_start(held) / size;
      if (violation > kJump) conflicts.push_back({c, 0, violation});
      if (violation > kJump && is_felt(violation, tolerance_)) continue;
      if (extended_ && known(residual, 1)) {
        const double slope = at_start(pool_.derivative(held, t_, 1)) * h / size;
        if (slope > kKink) conflicts.push_back({c, 1, slope});
      }
    }
    return conflicts;
  }

 private:
  bool known(Expr e, int more) const { return are_known(model_, taylor_, e, extended_ ? 1 : 0, more); }

  Expr restricted_to_start(Expr e) {
    return expression::lower(pool_, pool_.restriction(e, {{t_, pool_.number(first_.time()->start())}}));
  }

  // Largest magnitude at t0 over the points of the other axes. Many conditions hold the same initial values.
  double at_start(Expr e) {
    const auto [known, is_new] = at_start_.try_emplace(e, 0.0);
    if (is_new) known->second = largest(restricted_to_start(e));
    return known->second;
  }

  // Size of the initial values that a condition holds, and of its own data over the first window.
  double data_size(Expr residual) {
    double size = 0.0;
    for (Expr atom : expression::atoms_in(residual))
      for (Expr initial : model_.fields[expression::atom_of(pool_, atom).field].initial)
        size = std::max(size, at_start(initial));
    for (Expr term : expression::additive_terms(pool_, residual))
      if (term->facts.degree == 0) size = std::max(size, largest(term));
    return size > 0.0 ? size : 1.0;
  }

  // Largest magnitude over the points of the first window.
  double largest(Expr e) {
    double result = 0.0;
    for (double value : first_.data_at_points(pool_, e).data) result = std::max(result, std::abs(value));
    return result;
  }

  // The s-th time derivative of each unknown at t0 from c dt(u, s) + rest = 0, as one more Taylor term. False, and
  // nothing added, if an equation is not of this form.
  bool add_highest_derivatives() {
    std::vector<Expr> extended = taylor_;
    for (const EquationModel& equation : model_.equations) {
      const FieldModel& field = model_.fields[equation.field];
      if (field.time_order == 0) return false;
      const Expr rate = expression::lower(pool_, pool_.derivative(pool_.field(field.name), t_, field.time_order));
      Expr coefficient = nullptr;
      for (const expression::LinearTerm& term : collect(pool_, frechet(pool_, equation.residual))) {
        if (!expression::is_atom(term.leaf)) return false;
        const Atom atom = expression::atom_of(pool_, term.leaf);
        if (atom.orders[model_.time_axis()] < model_.fields[atom.field].time_order) continue;
        const bool alone =
            atom.field == equation.field &&
            std::none_of(atom.restricted.begin(), atom.restricted.end(), [](bool r) { return r; }) &&
            std::count(atom.orders.begin(), atom.orders.end(), 0) == static_cast<long>(atom.orders.size()) - 1;
        if (!alone || holds(term.coefficient, rate)) return false;
        coefficient = term.coefficient;
      }
      if (coefficient == nullptr) return false;
      Expr rest = pool_.zero();  // the terms without the rate; those with it are coefficient * rate
      for (Expr term : expression::additive_terms(pool_, equation.residual))
        if (!holds(term, rate)) rest = pool_.sum(rest, term);
      if (!known(rest, 0) || !known(coefficient, 0)) return false;
      const Expr highest = pool_.negated(pool_.quotient(expression::substitute(pool_, rest, taylor_),
                                                        expression::substitute(pool_, coefficient, taylor_)));
      extended[equation.field] =
          plus_term(model_, taylor_[equation.field], restricted_to_start(highest), field.time_order);
    }
    taylor_ = std::move(extended);
    return true;
  }

  const double tolerance_;
  const Model& model_;
  Pool& pool_;
  const Discretisation& first_;
  std::string t_;
  std::vector<Expr> taylor_;  // per field, null without dt
  bool extended_ = false;
  std::unordered_map<Expr, double> at_start_;
};

}  // namespace

std::vector<IncompatibleData> incompatible_data(const Model& model, const Discretisation& first_window,
                                                double tolerance) {
  if (model.time_axis() < 0 || model.conditions.empty()) return {};
  try {
    return CornerCheck(model, first_window, tolerance).run();
  } catch (const CaseError&) {
    return {};  // the derivatives of the data exceed the limits of an expression: nothing is known
  }
}

std::vector<Expr> initial_values(const Model& model) {
  try {
    std::vector<Expr> values = initial_polynomials(model);
    for (std::size_t f = 0; f < values.size(); ++f)
      if (model.fields[f].time_order > 0) values[f] = model.fields[f].initial.front();
    return values;
  } catch (const CaseError&) {
    return std::vector<Expr>(model.fields.size(), nullptr);
  }
}

Expr of_initial_values(const Model& model, Expr residual) {
  if (model.time_axis() < 0) return nullptr;
  try {
    const std::vector<Expr> taylor = initial_polynomials(model);
    if (!are_known(model, taylor, residual, 0, 0)) return nullptr;
    Pool& pool = *model.pool;
    const Expr held = expression::substitute(pool, residual, taylor);
    const Expr t0 = pool.number(model.window_edges.front());
    return expression::lower(pool, pool.restriction(held, {{model.axes[model.time_axis()].name, t0}}));
  } catch (const CaseError&) {
    return nullptr;  // larger than an expression may be
  }
}

// They are found on the expressions themselves, at points of the discretisation: degrees that no run can have would
// only take time and memory here.
std::vector<IncompatibleData> incompatible_between(const Model& model, const std::vector<double>& point, double start,
                                                   double end, double tolerance) {
  constexpr int kHighestInTime = 100, kHighest = 1000;
  std::vector<AxisDescription> subdomains = model.subdomains;
  for (std::size_t axis = 0; axis < subdomains.size(); ++axis)
    subdomains[axis].degree =
        std::min(subdomains[axis].degree, static_cast<int>(axis) == model.time_axis() ? kHighestInTime : kHighest);
  return incompatible_data(model, Discretisation(model, subdomains, point, start, end), tolerance);
}

bool is_felt(double size, double tolerance) {
  return size > kMismatchShare * tolerance;
}

std::vector<IncompatibleData> felt(const std::vector<IncompatibleData>& conflicts, double tolerance) {
  std::vector<IncompatibleData> result;
  std::copy_if(conflicts.begin(), conflicts.end(), std::back_inserter(result),
               [&](const IncompatibleData& conflict) { return is_felt(conflict.size, tolerance); });
  return result;
}

double tolerance_of_answer(const Case& the_case) {
  const double judged = the_case.verification.tolerance;
  return the_case.resolution.automatic() ? std::min(judged, the_case.resolution.tolerance) : judged;
}

std::string describe(const Model& model, const IncompatibleData& conflict, bool automatic) {
  const SourceText& text = model.conditions[conflict.condition].text;
  if (conflict.order == 0)
    return fmt::format(
        "the initial values contradict the boundary condition \"{}\" by {:.2g} of their size: the solution is "
        "discontinuous at that corner and converges slowly; make them agree{}",
        text.text, conflict.size, automatic ? "" : ", or start with very small windows");
  return fmt::format(
      "the initial values satisfy \"{}\", but their time derivative does not (by {:.2g} of their size over the first "
      "window): the solution is singular at that corner and converges algebraically in t; {}",
      text.text, conflict.size,
      automatic ? "the first windows will be small for it"
                : "small first windows cure it (resolution.domains.t as a list of edges)");
}

std::string describe_incompatible(const Model& model, const IncompatibleData& conflict) {
  const std::string& text = model.conditions[conflict.condition].text.text;
  if (conflict.order == 0)
    return fmt::format("at t = {:g} the initial values contradict \"{}\" by {:.2g} of their size",
                       model.window_edges.front(), text, conflict.size);
  return fmt::format(
      "at t = {:g} the initial values satisfy \"{}\", but their time derivative does not (it would change them by "
      "{:.2g} of their size over the whole time)",
      model.window_edges.front(), text, conflict.size);
}

}  // namespace gwrm
