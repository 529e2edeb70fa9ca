#include "weighted_residual/model/system_plan.hpp"

#include <algorithm>
#include <map>

#include "basis/axis_basis.hpp"
#include "expression/frechet.hpp"
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

  explicit Builder(const Model& m) : model(m), banded_axis(choose_banded_axis(m)) {
    for (std::size_t i = 0; i < model.equations.size(); ++i)
      add_row(false, static_cast<int>(i), model.equations[i].residual);
    for (std::size_t i = 0; i < model.conditions.size(); ++i)
      add_row(true, static_cast<int>(i), model.conditions[i].residual);
  }

  static int choose_banded_axis(const Model& model) {
    int found = -1;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
      if (!model.is_modal(axis)) continue;
      if (found >= 0 || make_basis(model.subdomains[axis])->banded_form() == nullptr) return -1;
      found = axis;
    }
    if (found < 0) return -1;
    return model.subdomains[found].degree > kMaxTauDegree ? found : -1;
  }

  void add_row(bool is_condition, int index, Expr residual) {
    RowPlan row{is_condition, index, {}, {}};
    const bool banded =
        !is_condition && banded_axis >= 0 && model.fields[model.equations[index].field].depends_on(banded_axis);
    if (banded) residual = without_banded_terms(residual, row);
    residuals.push_back(residual);
    row.terms = terms_of(frechet(*model.pool, residual));
    rows.push_back(std::move(row));
  }

  // Moves the terms that may be banded from the sum to the row.
  Expr without_banded_terms(Expr residual, RowPlan& row) {
    Expr rest = model.pool->zero();
    for (Expr term : expression::additive_terms(*model.pool, residual))
      if (!take_banded(term, row)) rest = model.pool->sum(rest, term);
    return rest;
  }

  bool take_banded(Expr term, RowPlan& row) {
    if (term->facts.degree != 1) return false;
    const std::vector<expression::LinearTerm> linear = collect(*model.pool, frechet(*model.pool, term));
    // Linear and with data (u + 1 in one factor) does not come out of additive_terms as a product with one atom.
    const std::vector<Expr> atoms = expression::atoms_in(term);
    if (linear.size() != 1 || atoms.size() != 1 || !expression::is_atom(linear[0].leaf) || !is_homogeneous(term))
      return false;
    const expression::Atom atom = expression::atom_of(*model.pool, linear[0].leaf);
    const Expr coefficient = linear[0].coefficient;
    if ((coefficient->facts.axes >> banded_axis & 1u) != 0 || atom.restricted[banded_axis] ||
        !model.fields[atom.field].depends_on(banded_axis))
      return false;
    row.banded.push_back({intern(coefficient), static_cast<int>(banded_coefficients.size()), atom});
    banded_coefficients.push_back(coefficient);
    return true;
  }

  // c * atom, atom * c, -(..), atom / c: zero where the atom is.
  static bool is_homogeneous(Expr e) {
    using expression::Op;
    if (expression::is_atom(e)) return true;
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

  std::vector<Expr> residual_outputs() const {
    std::vector<Expr> outputs = residuals;
    outputs.insert(outputs.end(), banded_coefficients.begin(), banded_coefficients.end());
    return outputs;
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
      residual_tape(*builder.model.pool, builder.residual_outputs()),
      jacobian_tape(*builder.model.pool, builder.coefficients) {}

}  // namespace gwrm
