#include "problems/time_spectral/manufactured_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/substitute.hpp"
#include "problems/manufactured_data.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

// Equations and conditions keep the form that the user gave them; derivatives of the exact solution are left to the
// expression language, which carries them out when the case is lowered.
class ManufacturedEquations {
 public:
  explicit ManufacturedEquations(Case& the_case) : case_(the_case), pool_(the_case.symbols()) {
    for (const UnknownCase& unknown : the_case.unknowns) exact_.push_back(exact_of(unknown));
  }

  void make() {
    std::vector<int> time_orders(case_.unknowns.size(), 0);
    for (std::size_t i = 0; i < case_.equations.size(); ++i)
      case_.equations[i] = balance(case_.equations[i], fmt::format("manufactured equation {}", i + 1), time_orders);
    for (std::size_t i = 0; i < case_.boundary.size(); ++i)
      case_.boundary[i] = balance(case_.boundary[i], fmt::format("manufactured condition {}", i + 1), time_orders);
    make_initial_values(time_orders);
  }

 private:
  Expr exact_of(const UnknownCase& unknown) {
    for (const NamedExpression& exact : case_.exact)
      if (exact.name == unknown.name) return parsed_exact(pool_, exact.text);
    throw_case_error(
        unknown.where, 0,
        fmt::format("a manufactured solution needs `exact` of every unknown: add exact: {{{}: ...}}", unknown.name));
  }

  SourceText balance(const SourceText& text, const std::string& what, std::vector<int>& time_orders) {
    const expression::Equation equation = expression::parse_equation(pool_, text);
    note_time_orders(expression::lower(pool_, pool_.difference(equation.left, equation.right)), time_orders);
    const Expr left = expression::substitute(pool_, equation.left, exact_);
    const Expr right = expression::substitute(pool_, equation.right, exact_);
    return balanced(text, pool_.difference(left, right), what);
  }

  void note_time_orders(Expr residual, std::vector<int>& orders) const {
    const int t = pool_.symbols().find_axis("t");
    if (t < 0) return;
    for (const expression::FieldOrders& entry : expression::field_orders(pool_, residual))
      orders[entry.field] = std::max(orders[entry.field], entry.orders[t]);
  }

  void make_initial_values(const std::vector<int>& time_orders) {
    case_.initial.clear();
    for (std::size_t f = 0; f < time_orders.size(); ++f)
      for (int order = 0; order < time_orders[f]; ++order) {
        const double start = case_.domain.front().axis.lower;
        const std::string& name = case_.unknowns[f].name;
        Expr value = order == 0 ? exact_[f] : pool_.derivative(exact_[f], "t", order);
        value = pool_.restriction(value, {{"t", pool_.number(start)}});
        const SourceText text = derived_text(value, "manufactured initial value of " + name);
        case_.initial.push_back({name, order, text, SourceText::from_argument(name, "initial")});
      }
  }

  Case& case_;
  Pool pool_;
  std::vector<Expr> exact_;
};

}  // namespace

Case manufactured_equations(Case the_case) {
  ManufacturedEquations(the_case).make();
  return the_case;
}

}  // namespace gwrm
