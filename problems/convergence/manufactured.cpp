#include "problems/convergence/manufactured.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/resolved_text.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "expression/substitute.hpp"
#include "problems/convergence/manufactured_data.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

// Equations and conditions keep the form that the user gave them; derivatives of the exact solution are left to the
// expression language, which carries them out when the case is lowered.
class TimeSpectralData {
 public:
  explicit TimeSpectralData(Case& problem) : case_(problem), pool_(problem.symbols()) {
    for (const UnknownCase& unknown : problem.unknowns) exact_.push_back(exact_of(unknown));
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
    for (std::size_t f = 0; f < orders.size(); ++f)
      orders[f] = std::max(orders[f], expression::derivative_order(pool_, residual, static_cast<int>(f), t));
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

Expr parsed_exact(expression::Pool& pool, const SourceText& text) {
  const Expr exact = expression::parse(pool, text);
  if (exact->facts.degree != 0)
    throw_case_error(text, 0, "a manufactured solution is an expression of the dimensions and constants: no unknown");
  return exact;
}

SourceText derived_text(const std::string& text, const std::string& what) {
  if (text.size() > expression::kMaxTextLength)
    throw CaseError(fmt::format("{}: error: its text has {} characters, {} are the most: choose a simpler `exact`",
                                what, text.size(), expression::kMaxTextLength));
  return SourceText::from_argument(text, what);
}

SourceText derived_text(Expr e, const std::string& what) {
  return derived_text(expression::print(e), what);
}

SourceText balanced(const SourceText& equation, Expr exact_left_minus_right, const std::string& what) {
  if (expression::is_zero(exact_left_minus_right)) return equation;
  return derived_text(equation.text + " + (" + expression::print(exact_left_minus_right) + ")", what);
}

Case manufactured(const Case& problem) {
  Case result = problem;
  result.title += result.title.empty() ? "Manufactured solution" : ", manufactured solution";
  result.verification.values.clear();
  if (problem.problem == "sbp_sat_poisson") {
    result = manufactured_poisson(std::move(result));
  } else if (problem.problem == "recurrence_bvp") {
    result = manufactured_recurrence(std::move(result));
  } else {
    TimeSpectralData(result).make();
  }
  result.resolved_text = casefile::resolve_text(result);
  return result;
}

}  // namespace gwrm
