#include "problems/recurrence_bvp/manufactured_bvp.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "basis/axis_basis.hpp"
#include "expression/lowering.hpp"
#include "expression/memoised.hpp"
#include "expression/parser.hpp"
#include "expression/substitute.hpp"
#include "problems/manufactured_data.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Pool;

// int exact dx over the domain, by Gauss points: to round-off for every smooth function.
double integral_of(Pool& pool, Expr exact, const Axis& axis) {
  constexpr int n_parts = 64;
  const PointExpression u(pool, expression::lower(pool, exact));
  const double length = (axis.upper - axis.lower) / n_parts;
  AxisDescription parts;
  for (int i = 0; i <= n_parts; ++i) parts.edges.push_back(axis.lower + i * length);
  const AxisGrid grid = make_basis(parts)->grid(24);
  double sum = 0.0;
  for (Index k = 0; k < grid.points.size(); ++k) sum += grid.weights(k) * u.at(grid.points(k));
  return sum;
}

// What an integral of the unknown is for the exact solution: a number.
Expr with_integral(Pool& pool, Expr e, Expr exact, const Axis& axis, expression::Memoised<Expr>& again) {
  if (e->op == expression::Op::integral)
    return pool.number(integral_of(pool, expression::substitute(pool, e->args[0], {exact}), axis));
  switch (e->op) {
    case expression::Op::negate:
      return pool.negated(again(e->args[0]));
    case expression::Op::add:
      return pool.sum(again(e->args[0]), again(e->args[1]));
    case expression::Op::subtract:
      return pool.difference(again(e->args[0]), again(e->args[1]));
    case expression::Op::multiply:
      return pool.product(again(e->args[0]), again(e->args[1]));
    case expression::Op::divide:
      return pool.quotient(again(e->args[0]), again(e->args[1]));
    default:
      return expression::substitute(pool, e, {exact});
  }
}

Expr with_integrals(Pool& pool, Expr e, Expr exact, const Axis& axis) {
  expression::Memoised<Expr> replaced(
      [&](Expr part, expression::Memoised<Expr>& again) { return with_integral(pool, part, exact, axis, again); });
  return replaced(e);
}

}  // namespace

Case manufactured_recurrence(Case the_case) {
  auto recurrence = std::make_shared<RecurrenceCase>(section_of<RecurrenceCase>(the_case));
  Pool pool(the_case.symbols());
  const Axis& axis = the_case.domain.front().axis;
  const Expr exact = parsed_exact(pool, only_exact(the_case));
  const Expr curvature = pool.derivative(exact, axis.name, 2);
  const Expr reaction = pool.product(pool.number(recurrence->reaction), exact);
  recurrence->source =
      derived_text(expression::lower(pool, pool.difference(reaction, curvature)), "manufactured source");
  recurrence->source_file.clear();
  recurrence->source_dataset.clear();
  for (std::size_t i = 0; i < the_case.boundary.size(); ++i) {
    const expression::Equation equation = expression::parse_equation(pool, the_case.boundary[i]);
    const Expr held = with_integrals(pool, pool.difference(equation.left, equation.right), exact, axis);
    the_case.boundary[i] =
        balanced(the_case.boundary[i], expression::lower(pool, held), fmt::format("manufactured condition {}", i + 1));
  }
  the_case.section = std::move(recurrence);
  return the_case;
}

}  // namespace gwrm
