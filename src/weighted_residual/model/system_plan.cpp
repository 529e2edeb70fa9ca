#include "weighted_residual/model/system_plan.hpp"

#include <algorithm>
#include <map>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
#include "expression/holds_integral.hpp"
#include "expression/lowering.hpp"

namespace gwrm {

using expression::Expr;

struct SystemPlan::Builder {
  const Model& model;
  std::vector<RowPlan> rows;
  std::vector<Expr> residuals;
  std::vector<Expr> coefficients;
  std::vector<IntegralPlan> integrals;
  std::map<Expr, int> coefficient_index, integral_index;

  int banded_axis = -1;
  std::vector<Expr> banded_coefficients;

  std::uint32_t periodic_axes = 0;  // all modal ones, or none
  std::vector<SymbolPlan::Row> symbol_rows;
  std::vector<Expr> rests, symbol_coefficients;

  explicit Builder(const Model& m)
      : model(m), banded_axis(choose_banded_axis(m)), periodic_axes(axes_of_periodic_box(m)) {
    for (std::size_t i = 0; i < model.equations.size(); ++i)
      add_row(false, static_cast<int>(i), model.equations[i].residual);
    for (std::size_t i = 0; i < model.conditions.size(); ++i)
      add_row(true, static_cast<int>(i), model.conditions[i].residual);
  }

  static int choose_banded_axis(const Model& model) {
    int found = -1;
    if (!model.multipliers.empty()) return -1;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
      if (!model.is_modal(axis)) continue;
      if (found >= 0 || make_basis(model.subdomains[axis])->banded_form() == nullptr) return -1;
      found = axis;
    }
    if (found < 0) return -1;
    return model.subdomains[found].degree > kMaxTauDegree ? found : -1;
  }

  static std::uint32_t axes_of_periodic_box(const Model& model) {
    std::uint32_t axes = 0;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
      if (!model.is_modal(axis)) continue;
      if (model.subdomains[axis].basis != kFourier) return 0;
      axes |= 1u << axis;
    }
    return axes;
  }

  void add_row(bool is_condition, int index, Expr residual) {
    RowPlan row{is_condition, index, {}, {}};
    const bool banded =
        !is_condition && banded_axis >= 0 && model.fields[model.equations[index].field].depends_on(banded_axis);
    if (banded) residual = without_linear_terms(residual, 1u << banded_axis, row.banded, banded_coefficients);
    residuals.push_back(residual);
    row.terms = terms_of(frechet(*model.pool, residual));
    rows.push_back(std::move(row));
    if (periodic_axes == 0) return;
    SymbolPlan::Row& parts = symbol_rows.emplace_back();
    if (!is_condition) residual = without_linear_terms(residual, periodic_axes, parts.symbols, symbol_coefficients);
    rests.push_back(residual);
    parts.rest = terms_of(frechet(*model.pool, residual));
  }

  // Moves the terms that act on coefficients along these axes from the sum to `taken`.
  Expr without_linear_terms(Expr residual, std::uint32_t axes, std::vector<BandedTerm>& taken,
                            std::vector<Expr>& taken_coefficients) {
    Expr rest = model.pool->zero();
    for (Expr term : expression::additive_terms(*model.pool, residual))
      if (!take_linear(term, axes, taken, taken_coefficients)) rest = model.pool->sum(rest, term);
    return rest;
  }

  bool take_linear(Expr term, std::uint32_t axes, std::vector<BandedTerm>& taken,
                   std::vector<Expr>& taken_coefficients) {
    // Linear and with data, u + 1 in one factor, does not vanish with the unknowns.
    if (term->facts.degree != 1 || !is_homogeneous(term)) return false;
    const std::vector<expression::LinearTerm> linear = collect(*model.pool, frechet(*model.pool, term));
    for (const expression::LinearTerm& one : linear) {
      if (!expression::is_atom(one.leaf) || (one.coefficient->facts.axes & axes) != 0) return false;
      const expression::Atom atom = expression::atom_of(*model.pool, one.leaf);
      for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
        if ((axes >> axis & 1u) != 0 && (atom.restricted[axis] || !model.fields[atom.field].depends_on(axis)))
          return false;
    }
    for (const expression::LinearTerm& one : linear) {
      taken.push_back({intern(one.coefficient), static_cast<int>(taken_coefficients.size()),
                       expression::atom_of(*model.pool, one.leaf)});
      taken_coefficients.push_back(one.coefficient);
    }
    return true;
  }

  // c * atom, atom * c, -(..), atom / c, sums of such: zero where the atoms are.
  static bool is_homogeneous(Expr e) {
    using expression::Op;
    if (expression::is_atom(e)) return true;
    if (e->op == Op::add || e->op == Op::subtract) return is_homogeneous(e->args[0]) && is_homogeneous(e->args[1]);
    if (e->op == Op::negate) return is_homogeneous(e->args[0]);
    if (e->op == Op::multiply)
      return e->args[0]->facts.degree == 0 ? is_homogeneous(e->args[1])
                                           : e->args[1]->facts.degree == 0 && is_homogeneous(e->args[0]);
    if (e->op == Op::divide) return e->args[1]->facts.degree == 0 && is_homogeneous(e->args[0]);
    return false;
  }

  std::vector<DirectionTerm> terms_of(expression::LinearExpr linear) {
    std::vector<DirectionTerm> terms;
    for (const expression::LinearTerm& term : collect(*model.pool, linear)) {
      DirectionTerm plan;
      plan.coefficient = intern(term.coefficient);
      if (term.coefficient->op == expression::Op::number) plan.constant = term.coefficient->value;
      if (expression::is_atom(term.leaf))
        plan.atom = expression::atom_of(*model.pool, term.leaf);
      else
        plan.integral = integral_plan(term.leaf);
      terms.push_back(std::move(plan));
    }
    return terms;
  }

  static std::vector<Expr> joined(std::vector<Expr> outputs, const std::vector<Expr>& behind) {
    outputs.insert(outputs.end(), behind.begin(), behind.end());
    return outputs;
  }

  std::optional<SymbolPlan> symbols() {
    if (periodic_axes == 0 || symbol_coefficients.empty()) return {};
    return SymbolPlan{std::move(symbol_rows), tape_of(joined(rests, symbol_coefficients))};
  }

  // Values of data are leaves: those at the points of a window are found once.
  expression::Tape tape_of(const std::vector<Expr>& outputs) const {
    return {*model.pool, outputs, expression::data_in(outputs)};
  }

  int intern(Expr coefficient) {
    const auto [position, is_new] = coefficient_index.emplace(coefficient, static_cast<int>(coefficients.size()));
    if (is_new) coefficients.push_back(coefficient);
    return position->second;
  }

  int integral_plan(Expr leaf) {
    if (const auto known = integral_index.find(leaf); known != integral_index.end()) return known->second;
    IntegralPlan plan{model.pool->symbols().find_axis(leaf->name), leaf->facts.axes,
                      terms_of(expression::LinearExpr{leaf->args[0]})};
    integrals.push_back(std::move(plan));
    const int index = static_cast<int>(integrals.size()) - 1;
    integral_index.emplace(leaf, index);
    return index;
  }
};

SystemPlan::SystemPlan(const Model& model) : SystemPlan(Builder(model)) {}

SystemPlan::SystemPlan(const Model& model, ProductVariant products) : SystemPlan(model) {
  series.emplace(model, products);
}

SystemPlan::SystemPlan(Builder&& builder)
    : banded_axis(builder.banded_axis),
      rows(std::move(builder.rows)),
      integrals(std::move(builder.integrals)),
      residual_tape(builder.tape_of(Builder::joined(builder.residuals, builder.banded_coefficients))),
      jacobian_tape(builder.tape_of(builder.coefficients)),
      symbols(builder.symbols()),
      coupling(builder.model) {}

}  // namespace gwrm
