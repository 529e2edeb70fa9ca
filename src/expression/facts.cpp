#include "expression/facts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "expression/constant_value.hpp"
#include "expression/point_slack.hpp"

namespace gwrm::expression {
namespace {

std::uint32_t axis_bit(const Symbols& symbols, const std::string& name) {
  const int axis = symbols.find_axis(name);
  if (axis < 0) throw CaseError("there is no dimension '" + name + "'");
  return std::uint32_t{1} << axis;
}

std::uint32_t field_axes(const Symbols& symbols, const std::string& name) {
  const int field = symbols.find_field(name);
  if (field < 0) throw CaseError("there is no unknown '" + name + "'");
  std::uint32_t axes = 0;
  for (const std::string& dim : symbols.fields[static_cast<std::size_t>(field)].dims) axes |= axis_bit(symbols, dim);
  return axes;
}

int saturated(long degree) {
  return static_cast<int>(std::min<long>(degree, kNonPolynomial));
}

// Degree of a^b, where `exponent` is the value of b if that is constant.
int power_degree(int base, int exponent_degree, std::optional<double> exponent) {
  if (base == 0 && exponent_degree == 0) return 0;
  const bool integer = exponent && *exponent >= 0 && *exponent <= kNonPolynomial && *exponent == std::trunc(*exponent);
  return integer ? saturated(long{base} * static_cast<long>(*exponent)) : kNonPolynomial;
}

// The rule is the same for the degree in the unknowns and in the directions.
int degree(const Symbols& symbols, const Node& node, int Facts::*which) {
  const auto of = [&](std::size_t i) { return node.args[i]->facts.*which; };
  switch (node.op) {
    case Op::field:
      return which == &Facts::degree ? 1 : 0;
    case Op::direction:
      return which == &Facts::direction_degree ? 1 : 0;
    case Op::negate:
    case Op::derivative:
    case Op::laplacian:
    case Op::restriction:
    case Op::integral:
      return of(0);
    case Op::add:
    case Op::subtract:
      return std::max(of(0), of(1));
    case Op::multiply:
      return saturated(long{of(0)} + of(1));
    case Op::divide:
      return of(1) == 0 ? of(0) : kNonPolynomial;
    case Op::power:
      return power_degree(of(0), of(1), constant_value(symbols, node.args[1]));
    case Op::call:
      return std::any_of(node.args.begin(), node.args.end(), [&](Expr a) { return a->facts.*which > 0; })
                 ? kNonPolynomial
                 : 0;
    default:
      return 0;
  }
}

std::uint32_t axes(const Symbols& symbols, const Node& node) {
  if (node.op == Op::coordinate) return axis_bit(symbols, node.name);
  if (node.op == Op::field || node.op == Op::direction) return field_axes(symbols, node.name);
  if (node.op == Op::derivative) axis_bit(symbols, node.name);  // checks the name

  std::uint32_t result = 0;
  for (Expr arg : node.args) result |= arg->facts.axes;
  if (node.op == Op::integral) result &= ~axis_bit(symbols, node.name);
  if (node.op != Op::data)  // a restriction
    for (const std::string& name : node.names) result &= ~axis_bit(symbols, name);
  return result;
}

// Of data: all that can be said of an unknown is that it is finite.
Interval range(const Symbols& symbols, const Node& node) {
  const auto of = [&](std::size_t i) -> const Interval& { return node.args[i]->facts.range; };
  switch (node.op) {
    case Op::number:
      return point_interval(node.value);
    case Op::pi:
      return point_interval(std::numbers::pi);
    case Op::constant: {
      const double value = symbols.find_constant(node.name)->value;
      return std::isfinite(value) ? point_interval(value) : entire(false);
    }
    case Op::coordinate: {
      const Axis& axis = symbols.axes[static_cast<std::size_t>(symbols.find_axis(node.name))];
      const double slack = point_slack(axis);
      return {axis.lower - slack, axis.upper + slack, true};
    }
    case Op::field:
    case Op::direction:
    case Op::data:  // bounds are the business of interval_evaluation.hpp: nothing has to be read of a file here
      return entire(true);
    case Op::negate:
      return -of(0);
    case Op::add:
      return of(0) + of(1);
    case Op::subtract:
      return of(0) - of(1);
    case Op::multiply:
      return of(0) * of(1);
    case Op::divide:
      return of(0) / of(1);
    case Op::power:
      return power(of(0), of(1));
    case Op::call:
      if (node.function == Function::min) return minimum(of(0), of(1));
      if (node.function == Function::max) return maximum(of(0), of(1));
      if (node.function == Function::atan2) return angle(of(0), of(1));
      return apply(node.function, of(0));
    case Op::restriction:
    case Op::beside:
      return of(0);
    case Op::integral: {
      const Axis& axis = symbols.axes[static_cast<std::size_t>(symbols.find_axis(node.name))];
      return point_interval(axis.upper - axis.lower) * of(0);
    }
    case Op::derivative:
    case Op::laplacian: {  // finite for unknowns; of anything else nothing is known before it is carried out
      const Expr of_what = node.args[0];
      return entire(of_what->op == Op::field || of_what->op == Op::direction ||
                    (of_what->op == Op::derivative && of_what->facts.range.defined));
    }
  }
  return entire(false);
}

}  // namespace

Facts compute_facts(const Symbols& symbols, const Node& node) {
  Facts facts;
  facts.degree = degree(symbols, node, &Facts::degree);
  facts.direction_degree = degree(symbols, node, &Facts::direction_degree);
  facts.axes = axes(symbols, node);
  facts.range = range(symbols, node);
  for (Expr arg : node.args) facts.depth = std::max(facts.depth, arg->facts.depth + 1);
  return facts;
}

}  // namespace gwrm::expression
