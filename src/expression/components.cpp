#include "expression/components.hpp"

#include "expression/parser.hpp"
#include "expression/parsing.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression {
namespace {

void check_length(const SourceText& source, const std::string& text) {
  if (text.size() > kMaxTextLength)
    throw_case_error(source, 0,
                     "written out, a component of this has " + std::to_string(text.size()) + " characters; at most " +
                         std::to_string(kMaxTextLength) + " are possible");
}

Component component_of(const SourceText& source, std::string name, std::string text) {
  check_length(source, text);
  return {std::move(name), std::move(text)};
}

std::vector<Component> texts_of(Pool& pool, const SourceText& source, const Value& value) {
  std::vector<Component> result;
  for (const auto& [name, part] : named_parts(pool, value)) result.push_back(component_of(source, name, print(part)));
  return result;
}

// The same value with every part there, as a complex number is, of its imaginary part.
Value all_complex(Pool& pool, Value value) {
  for (Complex& part : value.parts)
    if (part.is_real()) part.im = pool.zero();
  return value;
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
  if (value.is_number() && value.is_real()) return {{"", source.text}};
  if (value.rank > 1) throw_case_error(source, 0, "this is " + describe(value) + ": write one row of it, as grad(u_x)");
  return texts_of(pool, source, value);
}

std::vector<Component> equation_components(Pool& pool, const SourceText& source) {
  UsedDefinitions used;
  const auto [left, right] = Parsing(pool, source, used).equation();
  const bool is_real = left.is_real() && right.is_real();
  if (left.is_number() && is_real) return {{"", source.text}};
  if (!is_real && !pool.symbols().has_complex()) fail_complex_equation(source);
  const auto of_left = named_parts(pool, is_real ? left : all_complex(pool, left));
  const auto of_right = named_parts(pool, is_real ? right : all_complex(pool, right));
  std::vector<Component> result;
  for (std::size_t k = 0; k < of_left.size(); ++k) {
    const Expr a = of_left[k].second, b = of_right[k].second;
    if (!is_real && is_zero(a) && is_zero(b)) continue;
    result.push_back(component_of(source, of_left[k].first, print(a) + " = " + print(b)));
  }
  if (result.empty()) throw_case_error(source, 0, "both sides are zero: an equation holds an unknown");
  return result;
}

std::vector<Component> components_for(Pool& pool, const SourceText& source, const VectorSymbol& vector) {
  const Value value = read(pool, source);
  try {
    const Value fitted = VectorAlgebra(pool).fitted(value, vector);
    return texts_of(pool, source, vector.is_complex ? all_complex(pool, fitted) : fitted);
  } catch (const OperandError& error) {
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
    for (const auto& [component, part] : named_parts(pool, value)) {
      const std::string name = component.empty() ? definition.name : component_name(definition.name, component);
      if (!component.empty() && is_taken(pool.symbols(), name))
        throw_case_error(definition.text, 0,
                         "'" + definition.name + "' is " + (value.is_number() ? "complex" : "a vector") +
                             ", and its component '" + name +
                             "' has the name of something else: give the definition another name");
      result.emplace_back(name, part);
    }
  }
  return result;
}

}  // namespace gwrm::expression
