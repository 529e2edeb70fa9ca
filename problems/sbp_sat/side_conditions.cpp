#include "problems/sbp_sat/side_conditions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"

namespace gwrm::sbp {
namespace {

std::string side_text(const Case& the_case, Side side) {
  const Axis& axis = the_case.domain[side.across_slow ? 0 : 1].axis;
  return fmt::format("{}={:g}", axis.name, side.end == End::lower ? axis.lower : axis.upper);
}

// The side an atom of the unknown is restricted to.
Side side_of(const Case& the_case, const SourceText& text, const expression::Atom& atom) {
  int axis = -1;
  for (std::size_t d = 0; d < atom.restricted.size(); ++d) {
    if (!atom.restricted[d]) continue;
    if (axis >= 0)
      throw_case_error(text, 0, "a condition at a corner: conditions hold along whole sides, as u(x=0) = ...");
    axis = static_cast<int>(d);
  }
  const std::string& name = the_case.unknowns.front().name;
  if (axis < 0)
    throw_case_error(text, 0,
                     fmt::format("`{}` without a side: write {}({}=...) for its values there", name, name,
                                 the_case.domain[1].axis.name));
  const Axis& dimension = the_case.domain[axis].axis;
  const double point = atom.points[axis];
  if (point != dimension.lower && point != dimension.upper)
    throw_case_error(text, 0,
                     fmt::format("{} = {:g} is no side of the domain: conditions hold at {:g} and {:g}", dimension.name,
                                 point, dimension.lower, dimension.upper));
  return {axis == 0, point == dimension.lower ? End::lower : End::upper};
}

void check_derivatives(const PointExpressions& expressions, const SourceText& text, const expression::Atom& atom) {
  const int order = atom.orders[0] + atom.orders[1];
  if (order > 1 || (order == 1 && expressions.is_flux(atom)))
    throw_case_error(text, 0, "conditions hold values, first derivatives and `flux` of the unknown only");
  if (order == 1 && expressions.is_mapped())
    throw_case_error(text, 0, "on a curvilinear grid write `flux`, the outward flux n.C grad u, not derivatives");
}

SideCondition read_condition(const Case& the_case, const PointExpressions& expressions, const SourceText& text) {
  expression::Pool& pool = expressions.pool();
  const expression::Equation equation = expression::parse_equation(pool, text);
  SideCondition condition;
  condition.text = text;
  condition.residual = expression::lower(pool, pool.difference(equation.left, equation.right));
  refuse_integrals(condition.residual, text);
  bool found = false;
  for (expression::Expr leaf : expression::atoms_in(condition.residual)) {
    const expression::Atom atom = expression::atom_of(pool, leaf);
    if (!expressions.is_unknown(atom)) continue;
    const Side side = side_of(the_case, text, atom);
    if (found && (side.across_slow != condition.side.across_slow || side.end != condition.side.end))
      throw_case_error(text, 0, "one condition for two sides: periodic conditions are not available here");
    condition.side = side;
    found = true;
    check_derivatives(expressions, text, atom);
    condition.has_flux = condition.has_flux || expressions.is_flux(atom);
    condition.has_derivatives = condition.has_derivatives || atom.orders[0] + atom.orders[1] > 0;
  }
  if (!found)
    throw_case_error(text, 0, fmt::format("the condition does not hold `{}`", the_case.unknowns.front().name));
  if (condition.has_flux && condition.has_derivatives)
    throw_case_error(text, 0, "`flux` and derivatives in one condition: write one or the other");
  return condition;
}

std::size_t number_of(Side side) {
  return (side.across_slow ? 0u : 2u) + (side.end == End::lower ? 0u : 1u);
}

}  // namespace

std::vector<SideCondition> read_side_conditions(const Case& the_case, const PointExpressions& expressions) {
  std::array<std::vector<SideCondition>, 4> found;
  for (const SourceText& text : the_case.boundary) {
    SideCondition condition = read_condition(the_case, expressions, text);
    std::vector<SideCondition>& own = found[number_of(condition.side)];
    if (!own.empty())
      throw_case_error(text, 0,
                       fmt::format("the side {} has a condition already, in line {}",
                                   side_text(the_case, condition.side), own.front().text.line));
    own.push_back(std::move(condition));
  }
  std::vector<SideCondition> conditions;
  for (const bool across_slow : {true, false})
    for (const End end : {End::lower, End::upper}) {
      const Side side{across_slow, end};
      const auto& own = found[number_of(side)];
      if (own.empty())
        throw_case_error(
            section_of<SbpSatCase>(the_case).where, 0,
            fmt::format("the side {} has no condition: add one to `boundary`, as \"{}({}) = 0\"",
                        side_text(the_case, side), the_case.unknowns.front().name, side_text(the_case, side)));
      conditions.push_back(own.front());
    }
  return conditions;
}

ConditionValues condition_values(const PointExpressions& expressions, const SideCondition& condition,
                                 const Points& points) {
  // The residual with one atom set to 1 and the others to 0, or all to 0: linear in them.
  const auto with = [&](int chosen) {
    return expressions.values(condition.residual, points, [&](const expression::Atom& atom) {
      const int which = expressions.is_flux(atom) ? 3 : atom.orders[0] == 1 ? 1 : atom.orders[1] == 1 ? 2 : 0;
      return std::vector<double>(static_cast<std::size_t>(points.size()), which == chosen ? 1.0 : 0.0);
    });
  };
  const std::vector<double> rest = with(-1);
  const auto coefficient_of = [&](int chosen) {
    std::vector<double> values = with(chosen);
    for (std::size_t m = 0; m < values.size(); ++m) values[m] -= rest[m];
    return values;
  };
  ConditionValues result{coefficient_of(0), coefficient_of(1), coefficient_of(2), coefficient_of(3), rest};
  for (double& value : result.known) value = -value;
  for (std::size_t m = 0; m < rest.size(); ++m)
    if (!std::isfinite(result.known[m] + result.value[m] + result.slow[m] + result.fast[m] + result.flux[m]))
      throw Error(ExitStatus::not_finite,
                  render_error(condition.text, 0,
                               fmt::format("the condition is not finite at {}",
                                           expressions.point_text(points, static_cast<Index>(m)))));
  // Linear: twice the values, twice the sum.
  const std::vector<double> twice = expressions.values(condition.residual, points, [&](const expression::Atom&) {
    return std::vector<double>(static_cast<std::size_t>(points.size()), 2.0);
  });
  for (std::size_t m = 0; m < rest.size(); ++m) {
    const double sum = 2.0 * (result.value[m] + result.slow[m] + result.fast[m] + result.flux[m]);
    const double size = std::abs(sum) + std::abs(rest[m]) + 1e-300;
    if (std::abs(twice[m] - rest[m] - sum) > 1e-9 * size)
      throw_case_error(condition.text, 0, "the condition must be linear in the unknown");
  }
  return result;
}

}  // namespace gwrm::sbp
