#include "system/system_plan.hpp"

#include <map>

#include "expression/frechet.hpp"

namespace gwrm {

using expression::Expr;

struct SystemPlan::Builder {
  const Model& model;
  std::vector<RowPlan> rows;
  std::vector<Expr> residuals;
  std::vector<Expr> coefficients;
  std::vector<IntegralPlan> integrals;
  std::map<Expr, int> coefficient_index, integral_index;

  explicit Builder(const Model& m) : model(m) {
    for (std::size_t i = 0; i < model.equations.size(); ++i)
      add_row(false, static_cast<int>(i), model.equations[i].residual);
    for (std::size_t i = 0; i < model.conditions.size(); ++i)
      add_row(true, static_cast<int>(i), model.conditions[i].residual);
  }

  void add_row(bool is_condition, int index, Expr residual) {
    residuals.push_back(residual);
    rows.push_back({is_condition, index, terms_of(frechet(*model.pool, residual))});
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

SystemPlan::SystemPlan(Builder&& builder)
    : rows(std::move(builder.rows)),
      integrals(std::move(builder.integrals)),
      residual_tape(*builder.model.pool, builder.residuals),
      jacobian_tape(*builder.model.pool, builder.coefficients) {}

}  // namespace gwrm
