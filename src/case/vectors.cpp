#include "case/vectors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "case/declared_equations.hpp"
#include "case/number_conditions.hpp"
#include "expression/components.hpp"
#include "expression/lexer.hpp"
#include "expression/names.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm::casefile {
namespace {

using expression::Component;
using expression::Pool;
using expression::TokenKind;
using expression::VectorSymbol;

// What a pool refuses, as too large, is told at the text.
template <class Make>
auto placed(const SourceText& text, Make make) {
  try {
    return make();
  } catch (const CaseError& error) {
    if (!error.place().file.empty()) throw;
    throw_case_error(text, 0, error.what());
  }
}

std::vector<SourceText> sources_of(const SourceText& text, const std::vector<Component>& components) {
  if (components.size() == 1 && components.front().name.empty()) return {text};
  std::vector<SourceText> result;
  for (const Component& component : components) {
    result.push_back(text);
    result.back().text = component.text;
    result.back().component = component.name;
    if (result.size() == 1) result.back().whole = text.text;
  }
  return result;
}

// Dimensions of space called r, theta, ..: lap(), grad(), div() and curl() are those of x, y, z.
std::vector<std::string> curvilinear_axes(const Case& result) {
  std::vector<std::string> axes;
  for (const AxisCase& axis : result.domain)
    if (axis.axis.kind == AxisKind::space && expression::is_curvilinear_name(axis.axis.name) &&
        !result.equations.empty())
      axes.push_back(axis.axis.name);
  return axes;
}

class Expansion {
 public:
  explicit Expansion(Case& result) : case_(result), pool_(result.symbols()) {}

  void run() {
    expand_equations(case_.equations);
    expand_equations(case_.boundary);
    expand_initial();
    expand_named(case_.exact);
    expand_named(case_.guess);
    expand_fields();
  }

 private:
  void expand_equations(std::vector<SourceText>& list) {
    std::vector<SourceText> expanded;
    for (const SourceText& text : list)
      for (SourceText& part :
           sources_of(text, placed(text, [&] { return expression::equation_components(pool_, text); })))
        expanded.push_back(std::move(part));
    list = std::move(expanded);
  }

  // The components of what stands at a vector's name. Those of a list are written as those of one text are, which the
  // resolved text has.
  std::vector<NamedExpression> parts_of(const std::string& name, const SourceText& text) {
    const VectorSymbol* vector = find_vector(case_, name);
    if (vector == nullptr) {
      NamedExpression item{name, text};
      if (!text.component.empty())  // of a list
        item.text.text = expression::print(placed(text, [&] { return expression::parse(pool_, text); }));
      return {item};
    }
    std::vector<NamedExpression> parts;
    const auto components = placed(text, [&] { return expression::components_for(pool_, text, *vector); });
    for (SourceText& part : sources_of(text, components)) {
      std::string own = expression::component_name(name, part.component);
      parts.push_back({std::move(own), std::move(part)});
    }
    return parts;
  }

  void expand_named(std::vector<NamedExpression>& list) {
    std::vector<NamedExpression> expanded;
    for (const NamedExpression& item : list)
      for (NamedExpression& part : parts_of(item.name, item.text)) {
        for (const NamedExpression& other : expanded) check_new(other.name == part.name, part.name, part.text);
        expanded.push_back(std::move(part));
      }
    list = std::move(expanded);
  }

  void expand_initial() {
    std::vector<InitialCase> expanded;
    for (const InitialCase& item : case_.initial)
      for (NamedExpression& part : parts_of(item.field, item.text)) {
        for (const InitialCase& other : expanded)
          check_new(other.field == part.name && other.order == item.order, part.name, item.key);
        expanded.push_back({part.name, item.order, std::move(part.text), item.key});
      }
    case_.initial = std::move(expanded);
  }

  static void check_new(bool is_given, const std::string& name, const SourceText& where) {
    if (is_given) throw_case_error(where, 0, fmt::format("`{}` is given twice here, alone and as a component", name));
  }

  // A component that stands there already, as every unknown does with output.error, stands there once.
  void expand_fields() {
    std::vector<NamedExpression>& fields = case_.output.fields;
    std::vector<NamedExpression> expanded;
    for (const NamedExpression& field : fields) {
      const std::vector<SourceText> parts =
          sources_of(field.text, placed(field.text, [&] { return expression::components(pool_, field.text); }));
      for (const SourceText& part : parts)
        expanded.push_back(
            {part.component.empty() ? field.name : expression::component_name(field.name, part.component), part});
    }
    fields.clear();
    for (const NamedExpression& field : expanded) {
      const auto is_same = [&](const NamedExpression& other) { return &other != &field && other.name == field.name; };
      const auto other = std::find_if(expanded.begin(), expanded.end(), is_same);
      if (other != expanded.end() && other->text.text != field.text.text)
        throw_case_error(field.text, 0, fmt::format("two output fields are called `{}`: rename one", field.name));
      if (pool_.symbols().find_axis(field.name) >= 0)
        throw_case_error(field.text, 0, fmt::format("the output field `{}` has the name of a dimension", field.name));
      const bool twice = other != expanded.end();
      if (!twice || !field.text.component.empty()) fields.push_back(field);
    }
  }

  Case& case_;
  Pool pool_;
};

}  // namespace

const VectorSymbol* find_vector(const Case& result, const std::string& name) {
  for (const VectorSymbol& vector : result.vectors)
    if (vector.name == name) return &vector;
  return nullptr;
}

std::vector<NamedExpression> components_in_list(const YamlNode& list, const VectorSymbol& vector) {
  const std::vector<std::string> components = vector.components();
  std::vector<std::string> names, texts;
  for (const std::string& component : components) names.push_back(expression::component_name(vector.name, component));
  if (vector.is_complex)
    list.mark.fail(fmt::format("`{}` is complex, and its values are one expression, as {}; its parts are {}",
                               vector.name, vector.axes.empty() ? "\"a + i*b\"" : "\"[a + i*b, ..]\"",
                               fmt::join(names, ", ")));
  if (list.items.size() != names.size())
    list.mark.fail(fmt::format("`{}` is a vector of {}: expected {} expressions, found {}", vector.name,
                               fmt::join(names, ", "), names.size(), list.items.size()));
  std::vector<NamedExpression> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.push_back({names[i], list.items[i].mark.where()});
    result.back().text.component = components[i];
    texts.push_back(result.back().text.text);
  }
  result.front().text.whole = fmt::format("[{}]", fmt::join(texts, ", "));
  return result;
}

void refuse_list(const YamlNode& node, const std::string& path) {
  if (node.is_sequence())
    node.mark.fail(fmt::format(
        "`{}`: expected an expression (text) or a map (key: value), found a list; YAML reads this text as a list: put "
        "quotes around it",
        path));
}

void refuse_file(const YamlNode& node, const VectorSymbol& vector) {
  if (node.is_map())
    node.mark.fail(fmt::format("`{0}` is {1}: give a file for each {2}, as {3}: {{file: ..}}", vector.name,
                               vector.is_complex ? "complex" : "a vector", vector.is_complex ? "part" : "component",
                               expression::component_name(vector.name, vector.components().front())));
}

void check_vectors_are_solved_for(const CaseTree& file, const Case& result) {
  if (result.vectors.empty() || file.root.find_entry("equations") != nullptr) return;
  const bool is_complex = result.vectors.front().is_complex;
  throw_case_error(
      result.unknowns.front().where, 0,
      fmt::format("`{}` is for cases with `equations`, and problem: {} has an equation of its own: name an "
                  "unknown that is a {}number",
                  is_complex ? "complex" : "vector", result.module, is_complex ? "real " : ""));
}

void expand_vectors(const CaseTree& file, Case& result) {
  result.curvilinear = curvilinear_axes(result);
  if (result.equations.empty()) return;
  if (!result.vectors.empty() || !result.definitions.empty()) Expansion(result).run();
  take_conditions_of_numbers(result);
  check_equation_count(file, result);
}

std::pair<std::string, std::string> as_written(const std::string& name, const SourceText& text) {
  if (text.component.empty()) return {name, text.text};
  if (text.whole.empty()) return {};
  const std::size_t suffix = text.component.size() + 1;
  return {name.size() > suffix ? name.substr(0, name.size() - suffix) : name, text.whole};
}

std::string statement_name(const std::string& what, const std::vector<const SourceText*>& texts, std::size_t i) {
  std::size_t number = 0;
  for (std::size_t k = 0; k <= i && k < texts.size(); ++k)
    number += texts[k]->component.empty() || !texts[k]->whole.empty() ? 1 : 0;
  const std::string name = fmt::format("{} {}", what, number);
  return texts[i]->component.empty() ? name : name + ", " + component_text(texts[i]->component);
}

}  // namespace gwrm::casefile
