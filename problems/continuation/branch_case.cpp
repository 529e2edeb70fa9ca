#include "problems/continuation/branch_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/problem.hpp"

namespace gwrm {
namespace {

void remove_parameter(const Case& problem, std::vector<expression::Constant>& constants) {
  std::erase_if(constants, [&](const expression::Constant& c) { return c.name == problem.continuation.parameter; });
}

}  // namespace

Case case_at(const Case& problem, double parameter) {
  Case steady = problem;
  for (expression::Constant& constant : steady.constants)
    if (constant.name == problem.continuation.parameter) constant.value = parameter;
  steady.continuation = {};
  return steady;
}

Case case_with_parameter_unknown(const Case& problem) {
  Case extended = problem;
  const std::string& name = problem.continuation.parameter;
  remove_parameter(problem, extended.constants);
  extended.unknowns.push_back({name, {}, SourceText::from_argument(name, "continue")});
  extended.equations.push_back(
      SourceText::from_argument(fmt::format("{} = {:.17g}", name, problem.continuation.from), "continue"));
  extended.guess.clear();
  extended.exact.clear();
  extended.continuation = {};
  return extended;
}

expression::Symbols branch_symbols(const Case& problem, const std::vector<Axis>& axes) {
  expression::Symbols symbols = problem.symbols();
  symbols.axes = axes;
  for (expression::Field& field : symbols.fields) field.dims.insert(field.dims.begin(), kBranchAxis);
  symbols.fields.push_back({problem.continuation.parameter, {kBranchAxis}});
  remove_parameter(problem, symbols.constants);
  return symbols;
}

void check_branch_case(const Case& problem) {
  refuse_products(problem, "branches of steady solutions are followed with products on points");
  const SourceText& where = problem.equations.front();
  for (const AxisCase& axis : problem.domain)
    if (axis.degree < 0)
      throw_case_error(
          axis.where, 0,
          fmt::format("a branch has the same degrees everywhere: give resolution.degree for {}", axis.axis.name));
  std::vector<std::string> names;
  for (const UnknownCase& unknown : problem.unknowns) names.push_back(unknown.name);
  for (const expression::Constant& constant : problem.constants) names.push_back(constant.name);
  for (const NamedExpression& field : problem.output.fields) names.push_back(field.name);
  for (const std::string& name : names)
    if (name == kBranchAxis || name == std::string("d") + kBranchAxis)
      throw_case_error(
          where, 0,
          fmt::format("with `continue` the name {} belongs to the branch ({} is its arc length, d{} the derivative "
                      "along it): choose another name",
                      name, kBranchAxis, kBranchAxis));
}

}  // namespace gwrm
