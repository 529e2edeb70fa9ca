#include "expression/components.hpp"

#include "expression/parser.hpp"
#include "expression/parsing.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression {
namespace {

std::string axis_of(const Value& value, std::size_t i) {
  return value.axes.empty() ? std::to_string(i + 1) : value.axes[i];
}

void check_length(const SourceText& source, const std::string& text) {
  if (text.size() > kMaxTextLength)
    throw_case_error(source, 0,
                     "written out, a component of this has " + std::to_string(text.size()) + " characters; at most " +
                         std::to_string(kMaxTextLength) + " are possible");
}

std::vector<Component> texts_of(const SourceText& source, const Value& value) {
  std::vector<Component> result;
  for (std::size_t i = 0; i < value.parts.size(); ++i) {
    result.push_back({axis_of(value, i), print(value.parts[i])});
    check_length(source, result.back().text);
  }
  return result;
}

bool is_taken(const Symbols& symbols, const std::string& name) {
  return symbols.find_field(name) >= 0 || symbols.find_axis(name) >= 0 || symbols.find_constant(name) != nullptr ||
         symbols.find_data(name) != nullptr || symbols.find_definition(name) != nullptr;
}

Value read(Pool& pool, const SourceText& source) {
  UsedDefinitions used;
  return Parsing(pool, source, used).expression();
}

}  // namespace

std::vector<Component> components(Pool& pool, const SourceText& source) {
  const Value value = read(pool, source);
  if (value.is_number()) return {{"", source.text}};
  if (value.rank > 1) throw_case_error(source, 0, "this is " + describe(value) + ": write one row of it, as grad(u_x)");
  return texts_of(source, value);
}

std::vector<Component> equation_components(Pool& pool, const SourceText& source) {
  UsedDefinitions used;
  const auto [left, right] = Parsing(pool, source, used).equation();
  if (left.is_number()) return {{"", source.text}};
  std::vector<Component> result;
  for (std::size_t i = 0; i < left.parts.size(); ++i) {
    result.push_back({axis_of(left, i), print(left.parts[i]) + " = " + print(right.parts[i])});
    check_length(source, result.back().text);
  }
  return result;
}

std::vector<Component> components_for(Pool& pool, const SourceText& source, const VectorSymbol& vector) {
  const Value value = read(pool, source);
  try {
    return texts_of(source, VectorAlgebra(pool).fitted(value, vector));
  } catch (const RankError& error) {
    throw_case_error(source, 0, error.message);
  }
}

std::vector<std::pair<std::string, Expr>> definition_values(Pool& pool) {
  std::vector<std::pair<std::string, Expr>> result;
  UsedDefinitions used;
  const std::vector<Definition> definitions = pool.symbols().definitions;
  for (const Definition& definition : definitions) {
    used.open = {definition.name};
    const Value value = Parsing(pool, definition.text, used).expression();
    if (value.rank > 1)
      throw_case_error(definition.text, 0,
                       "this is " + describe(value) + ": define the vector, and write grad(" + definition.name +
                           ") where its gradient is meant");
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      const std::string name = value.is_number() ? definition.name : component_name(definition.name, axis_of(value, i));
      if (!value.is_number() && is_taken(pool.symbols(), name))
        throw_case_error(definition.text, 0,
                         "'" + definition.name + "' is a vector, and its component '" + name +
                             "' has the name of something else: give the definition another name");
      result.emplace_back(name, value.parts[i]);
    }
  }
  return result;
}

}  // namespace gwrm::expression
