#include "problems/continuation/branch_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/problem.hpp"

namespace gwrm {
namespace {

void remove_parameter(const Case& the_case, std::vector<expression::Constant>& constants) {
  std::erase_if(constants, [&](const expression::Constant& c) { return c.name == the_case.continuation.parameter; });
}

}  // namespace

Case case_at(const Case& the_case, double parameter) {
  Case steady = the_case;
  for (expression::Constant& constant : steady.constants)
    if (constant.name == the_case.continuation.parameter) constant.value = parameter;
  steady.continuation = {};
  return steady;
}

Case case_with_parameter_unknown(const Case& the_case) {
  Case extended = the_case;
  const std::string& name = the_case.continuation.parameter;
  remove_parameter(the_case, extended.constants);
  extended.unknowns.push_back({name, {}, SourceText::from_argument(name, "continue")});
  extended.equations.push_back(
      SourceText::from_argument(fmt::format("{} = {:.17g}", name, the_case.continuation.from), "continue"));
  extended.guess.clear();
  extended.exact.clear();
  extended.continuation = {};
  return extended;
}

expression::Symbols branch_symbols(const Case& the_case, const std::vector<Axis>& axes) {
  expression::Symbols symbols = the_case.symbols();
  symbols.axes = axes;
  for (expression::Field& field : symbols.fields) field.dims.insert(field.dims.begin(), kBranchAxis);
  symbols.fields.push_back({the_case.continuation.parameter, {kBranchAxis}});
  remove_parameter(the_case, symbols.constants);
  return symbols;
}

void check_branch_case(const Case& the_case) {
  refuse_products(the_case, "branches of steady solutions are followed with products on points");
  const SourceText& where = the_case.equations.front();
  for (const AxisCase& axis : the_case.domain)
    if (axis.degree < 0)
      throw_case_error(
          axis.where, 0,
          fmt::format("a branch has the same degrees everywhere: give resolution.degree for {}", axis.axis.name));
  std::vector<std::string> names;
  for (const UnknownCase& unknown : the_case.unknowns) names.push_back(unknown.name);
  for (const expression::Constant& constant : the_case.constants) names.push_back(constant.name);
  for (const NamedExpression& field : the_case.output.fields) names.push_back(field.name);
  for (const NamedExpression& definition : the_case.definitions) names.push_back(definition.name);
  for (const std::string& name : names)
    if (name == kBranchAxis || name == std::string("d") + kBranchAxis)
      throw_case_error(
          where, 0,
          fmt::format("with `continue` the name {} belongs to the branch ({} is its arc length, d{} the derivative "
                      "along it): choose another name",
                      name, kBranchAxis, kBranchAxis));
}

}  // namespace gwrm
