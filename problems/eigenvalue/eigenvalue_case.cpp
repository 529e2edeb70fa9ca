#include "problems/eigenvalue/eigenvalue_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/lexer.hpp"
#include "problems/eigenvalue/left_modes.hpp"
#include "problems/problem.hpp"

namespace gwrm {
namespace {

// Whether an equation holds the eigenvalue, perhaps by a definition; conditions may be all that does.
bool equations_hold(const Case& the_case, const std::string& name) {
  const auto holds_name = [&](const SourceText& text) {
    const std::vector<expression::Token> tokens = expression::tokenize(text);
    return std::any_of(tokens.begin(), tokens.end(), [&](const expression::Token& token) {
      return token.kind == expression::TokenKind::name && token.text == name;
    });
  };
  return std::any_of(the_case.equations.begin(), the_case.equations.end(), holds_name) ||
         std::any_of(the_case.definitions.begin(), the_case.definitions.end(),
                     [&](const NamedExpression& definition) { return holds_name(definition.text); });
}

Case steady_case(const Case& the_case) {
  Case steady = the_case;
  steady.section = nullptr;
  steady.has_eigenvalue = equations_hold(the_case, eigenvalue_of(the_case)->name);
  steady.exact.clear();
  steady.verification.values.clear();
  return steady;
}

}  // namespace

Case case_with_eigenvalue_at(const Case& the_case, double value) {
  Case steady = steady_case(the_case);
  steady.constants.push_back({eigenvalue_of(the_case)->name, value});
  return steady;
}

Case case_with_eigenvalue_unknown(const Case& the_case) {
  Case extended = steady_case(the_case);
  const std::string& name = eigenvalue_of(the_case)->name;
  extended.unknowns.push_back({name, {}, SourceText::from_argument(name, "eigenvalue")});
  extended.equations.push_back(SourceText::from_argument(name + " = 0", "eigenvalue"));
  return extended;
}

std::vector<std::string> parts_of(const std::string& name, bool is_complex) {
  if (!is_complex) return {name};
  return {name + "_re", name + "_im"};
}

const AxisCase* parameter_of(const Case& the_case) {
  for (const AxisCase& axis : the_case.domain)
    if (axis.axis.kind == AxisKind::parameter) return &axis;
  return nullptr;
}

Case case_at_parameter(const Case& the_case, double value) {
  Case at = the_case;
  const std::string name = parameter_of(the_case)->axis.name;
  std::erase_if(at.domain, [&](const AxisCase& axis) { return axis.axis.name == name; });
  std::erase_if(at.output.grid, [&](const GridAxis& axis) { return axis.axis == name; });
  for (UnknownCase& unknown : at.unknowns) std::erase(unknown.dims, name);
  at.verification.values.clear();
  at.constants.push_back({name, value});
  return at;
}

std::vector<std::string> moved_constants(const Case& the_case) {
  const EigenvalueCase::Critical& critical = eigenvalue_of(the_case)->critical;
  std::vector<std::string> names;
  for (const std::string& name : {critical.parameter, critical.minimise_over})
    if (!name.empty()) names.push_back(name);
  return names;
}

ModeNames names_of(const Case& the_case, const Solution& solution) {
  ModeNames names;
  names.is_complex = solution.find_field(eigenvalue_of(the_case)->name) == nullptr;
  const std::string first = left_name(the_case.unknowns.front().name);
  names.has_left = solution.find_field(parts_of(first, names.is_complex).front()) != nullptr;
  return names;
}

expression::Symbols mode_symbols(const Case& the_case, const std::vector<Axis>& axes, const ModeNames& names) {
  expression::Symbols symbols = the_case.symbols();
  const std::vector<expression::Field> unknowns = std::move(symbols.fields);
  symbols.fields.clear();
  symbols.axes = axes;
  const auto add = [&](const std::string& name, std::vector<std::string> dims) {
    dims.insert(dims.begin(), kModeAxis);
    for (const std::string& part : parts_of(name, names.is_complex)) symbols.fields.push_back({part, dims});
  };
  for (const expression::Field& unknown : unknowns) add(unknown.name, unknown.dims);
  const auto remove_constant = [&](const std::string& name) {
    std::erase_if(symbols.constants, [&](const expression::Constant& constant) { return constant.name == name; });
  };
  add(eigenvalue_of(the_case)->name,
      parameter_of(the_case) == nullptr ? std::vector<std::string>{} : std::vector{parameter_of(the_case)->axis.name});
  remove_constant(eigenvalue_of(the_case)->name);
  if (names.has_left)
    for (const expression::Field& unknown : unknowns) add(left_name(unknown.name), unknown.dims);
  for (const std::string& name : moved_constants(the_case)) {
    symbols.fields.push_back({name, {}});
    remove_constant(name);
  }
  if (names.is_complex) {  // they are made of names that the parts do not have
    symbols.vectors.clear();
    symbols.definitions.clear();
  }
  return symbols;
}

void check_eigenvalue_case(const Case& the_case) {
  refuse_products(the_case, "the matrices of an eigenvalue problem are formed with products on points");
  std::vector<std::string> taken = {kModeAxis, std::string("d") + kModeAxis};
  for (const UnknownCase& unknown : the_case.unknowns)
    for (const std::string& name : {unknown.name, left_name(unknown.name)}) {
      for (const std::string& part : parts_of(name, true)) taken.push_back(part);
      if (name != unknown.name) taken.push_back(name);
    }
  for (const std::string& part : parts_of(eigenvalue_of(the_case)->name, true)) taken.push_back(part);
  const auto check = [&](const std::string& name, const SourceText& where) {
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
      throw_case_error(
          where, 0,
          fmt::format("with `eigenvalue` the result has a dimension `{}`, u_re and u_im for a complex u, and "
                      "u_left: choose another name than {}",
                      kModeAxis, name));
  };
  for (const UnknownCase& unknown : the_case.unknowns) check(unknown.name, unknown.where);
  if (const AxisCase* parameter = parameter_of(the_case)) {
    const std::string& name = parameter->axis.name;
    for (const UnknownCase& unknown : the_case.unknowns)
      if (std::find(unknown.dims.begin(), unknown.dims.end(), name) == unknown.dims.end())
        throw_case_error(
            unknown.where, 0,
            fmt::format("modes depend on the parameter {0}: `dims` of {1} must have it", name, unknown.name));
    for (const DataCase& data : the_case.data)
      if (std::find(data.axes.begin(), data.axes.end(), name) != data.axes.end())
        throw_case_error(data.where, 0,
                         fmt::format("data over {} and eigenvalues over it do not go together: make {} a constant, and "
                                     "let gwrm sweep vary it",
                                     name, name));
  }
  for (const expression::Constant& constant : the_case.constants) check(constant.name, eigenvalue_of(the_case)->where);
  for (const AxisCase& axis : the_case.domain) check(axis.axis.name, axis.where);
}

}  // namespace gwrm
