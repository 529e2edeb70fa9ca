#include "problems/time_spectral/corner_conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/frechet.hpp"
#include "kernels/tensor_transform.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;
using expression::Op;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kWorthMentioning = 1e-8;

// Evaluates expressions at t = t0 on the points of the modal axes, from the initial state.
class StartEvaluator {
 public:
  StartEvaluator(const Context& context, const Model& model, const Discretisation& discretisation, const State& state)
      : context_(context), model_(model), discretisation_(discretisation), state_(state) {}

  // u_t of each field of time order 1, as coefficients (find_rates).
  std::vector<Array> rates;

  // True if every atom of the expression is known at t0: derivatives in time below the field's order (or with rates).
  bool knows(Expr e) const {
    const auto atoms = expression::atoms_in(e);
    return std::all_of(atoms.begin(), atoms.end(), [&](Expr atom) { return coefficients_of(expression::atom_of(*model_.pool, atom)) != nullptr; });
  }

  // Values on the points; directions stand for the rates.
  Array values(Expr e) const {
    const expression::Tape tape(*model_.pool, std::vector<Expr>{e});
    std::vector<Array> leaves;
    for (Expr leaf : tape.leaves()) {
      if (leaf->op == Op::coordinate) {
        Array data = discretisation_.data_at_points(*model_.pool, leaf);
        if (model_.pool->symbols().find_axis(leaf->name) == model_.time_axis()) {
          data = Array(Shape(model_.axes.size(), 1), discretisation_.time()->start());
        }
        leaves.push_back(std::move(data));
        continue;
      }
      const Atom atom = expression::atom_of(*model_.pool, leaf);
      leaves.push_back(atom_values(atom));
    }
    return tape.evaluate(leaves, discretisation_.weights()).front();
  }

  // Coefficients along the field's modal axes of values on the points.
  Array project(const Array& values, const FieldModel& field) const {
    std::vector<Matrix> tests;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      Matrix test = field.depends_on(axis) && axis != model_.time_axis() ? discretisation_.test(axis, discretisation_.n_unknowns(axis))
                                                                       : Matrix::Ones(1, 1);
      if (values.shape[at(axis)] == 1 && test.cols() > 1) test = Matrix(test.rowwise().sum());
      tests.push_back(std::move(test));
    }
    std::vector<const Matrix*> pointers;
    for (const Matrix& test : tests) pointers.push_back(&test);
    return tensor_transform(context_, values, pointers);
  }

 private:
  const Array* coefficients_of(const Atom& atom) const {
    const int order = atom.orders[at(model_.time_axis())];
    if (atom.restricted[at(model_.time_axis())]) return nullptr;
    if (atom.direction) return order == 0 && !rates.empty() ? &rates[at(atom.field)] : nullptr;
    const std::vector<Array>& known = state_[at(atom.field)];
    return order < static_cast<int>(known.size()) ? &known[at(order)] : nullptr;
  }

  Array atom_values(Atom atom) const {
    const Array& coefficients = *coefficients_of(atom);
    const FieldModel& field = model_.fields[at(atom.field)];
    std::vector<Matrix> trials;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
      trials.push_back(axis == model_.time_axis() ? Matrix(Matrix::Ones(1, 1)) : discretisation_.trial(axis, atom, field));
    std::vector<const Matrix*> pointers;
    for (const Matrix& trial : trials) pointers.push_back(&trial);
    return tensor_transform(context_, coefficients, pointers);
  }

  const Context& context_;
  const Model& model_;
  const Discretisation& discretisation_;
  const State& state_;
};

double largest(const Array& a) {
  double result = 0.0;
  for (double value : a.data) result = std::max(result, std::abs(value));
  return result;
}

// u_t at t0 of the unknown of each equation c dt(u) + rest = 0 with c free of unknowns' rates: u_t = -rest / c.
// False if some equation is not of this form.
bool find_rates(const Model& model, StartEvaluator& start) {
  expression::Pool& pool = *model.pool;
  std::vector<Array> rates(model.fields.size());
  for (const EquationModel& equation : model.equations) {
    const FieldModel& field = model.fields[at(equation.field)];
    if (field.time_order != 1) return false;
    const Expr rate = expression::lower(pool, pool.derivative(pool.field(field.name), model.axes[at(model.time_axis())].name, 1));
    Expr coefficient = nullptr;
    for (const expression::LinearTerm& term : collect(pool, frechet(pool, equation.residual))) {
      if (!expression::is_atom(term.leaf)) continue;
      const Atom atom = expression::atom_of(pool, term.leaf);
      if (atom.orders[at(model.time_axis())] == 0) continue;
      const bool is_rate = atom.field == equation.field &&
                           std::count(atom.orders.begin(), atom.orders.end(), 0) + 1 == static_cast<long>(atom.orders.size()) &&
                           std::none_of(atom.restricted.begin(), atom.restricted.end(), [](bool r) { return r; });
      if (!is_rate || !start.knows(term.coefficient)) return false;
      coefficient = term.coefficient;
    }
    if (coefficient == nullptr) return false;
    // The terms without the rate; those with it are coefficient * dt(u), since it stands there linearly.
    Expr known = pool.zero();
    for (Expr term : expression::additive_terms(pool, equation.residual)) {
      const auto atoms = expression::atoms_in(term);
      if (std::find(atoms.begin(), atoms.end(), rate) == atoms.end()) known = pool.sum(known, term);
    }
    if (!start.knows(known)) return false;
    rates[at(equation.field)] = start.project(start.values(pool.negated(pool.quotient(known, coefficient))), field);
  }
  start.rates = std::move(rates);
  return true;
}

}  // namespace

std::vector<CornerConflict> corner_conflicts(const Context& context, const Model& model, const Discretisation& first_window,
                                             const State& state) {
  std::vector<CornerConflict> conflicts;
  if (model.time_axis() < 0) return conflicts;
  expression::Pool& pool = *model.pool;
  StartEvaluator start(context, model, first_window, state);
  const bool has_rates = find_rates(model, start);
  for (int c = 0; c < static_cast<int>(model.conditions.size()); ++c) {
    const Expr residual = model.conditions[at(c)].residual;
    if (!start.knows(residual)) continue;
    double size = 0.0;
    for (Expr atom : expression::atoms_in(residual))
      for (const Array& known : state[at(expression::atom_of(pool, atom).field)]) size = std::max(size, largest(known));
    if (size == 0.0) size = 1.0;
    const double violation = largest(start.values(residual)) / size;
    if (violation > kWorthMentioning) {
      conflicts.push_back({c, 0, violation});
    } else if (has_rates) {
      const Expr rate = expression::lower(pool, pool.derivative(residual, model.axes[at(model.time_axis())].name, 1));
      // d/dt of the condition: its explicit dependence on t, plus its Frechet derivative in the direction u_t.
      Expr total = frechet(pool, residual).expr;
      for (Expr term : expression::additive_terms(pool, rate))
        if (expression::atoms_in(term).empty()) total = pool.sum(total, term);
      if (start.knows(total)) {
        const double slope = largest(start.values(total)) / size;
        if (slope > kWorthMentioning) conflicts.push_back({c, 1, slope});
      }
    }
  }
  return conflicts;
}

std::string describe(const Model& model, const CornerConflict& conflict) {
  const SourceText& text = model.conditions[at(conflict.condition)].text;
  if (conflict.order == 0)
    return fmt::format("the initial values contradict the boundary condition \"{}\" by {:.2g} of the field's size: the solution is "
                       "discontinuous at that corner and converges slowly; make them agree, or start with very small windows",
                       text.text, conflict.size);
  return fmt::format("the initial values satisfy \"{}\" but their time derivative does not, by {:.2g} of the field's size per unit of "
                     "time: the solution is singular at that corner and converges algebraically in t; small first windows cure it "
                     "(resolution: domains: t: list of edges)", text.text, conflict.size);
}

}  // namespace gwrm
