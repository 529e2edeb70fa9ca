#include "case/quantities_section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/names.hpp"
#include "case/vectors.hpp"

namespace gwrm {
namespace casefile {
namespace {

constexpr std::size_t kLongest = 100;  // characters of a unit or a label: they stand beside an axis

// Whatever may be drawn or stored has a name that the case knows.
std::vector<std::string> names_of(const Case& the_case) {
  std::vector<std::string> names;
  for (const AxisCase& axis : the_case.domain) names.push_back(axis.axis.name);
  for (const UnknownCase& unknown : the_case.unknowns) names.push_back(unknown.name);
  for (const expression::VectorSymbol& vector : the_case.vectors) names.push_back(vector.name);
  for (const NamedExpression& field : the_case.output.fields) names.push_back(field.name);
  for (const NamedExpression& definition : the_case.definitions) names.push_back(definition.name);
  for (const expression::Constant& constant : the_case.constants) names.push_back(constant.name);
  if (the_case.section != nullptr)
    for (const std::string& sought : the_case.section->sought_numbers()) names.push_back(sought);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Quantities::Texts read_texts(const CaseTree& file, const std::string& section, const std::vector<std::string>& names) {
  Quantities::Texts texts;
  for (const YamlEntry& entry : entries_at(file.root, section)) {
    check_known(entry.key, names, "dimension, unknown, constant or field");
    const std::string& text = entry.value.mark.text;
    if (text.empty()) entry.value.mark.fail(fmt::format("`{}.{}`: expected a text", section, entry.key.text));
    if (text.size() > kLongest)
      entry.value.mark.fail(
          fmt::format("`{}.{}`: the text has {} bytes, more than the {} that may stand beside an axis", section,
                      entry.key.text, text.size(), kLongest));
    if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
      entry.value.mark.fail(fmt::format("`{}.{}`: expected one line of text", section, entry.key.text));
    texts.emplace_back(entry.key.text, text);
  }
  return texts;
}

}  // namespace

void read_quantities(const CaseTree& file, Case& result) {
  const std::vector<std::string> names = names_of(result);
  result.quantities = {read_texts(file, "units", names), read_texts(file, "labels", names)};
}

}  // namespace casefile

namespace {

bool has(const Quantities::Texts& texts, const std::string& name) {
  return std::any_of(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first == name; });
}

// `name` has the text of `of` and `more`, if it has none of its own and `of` has one.
void inherit(Quantities::Texts& texts, const std::string& name, const std::string& of, const std::string& more) {
  if (has(texts, name)) return;
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first == of; });
  if (found != texts.end()) texts.emplace_back(name, found->second + more);
}

}  // namespace

Quantities quantities_of(const Case& the_case) {
  Quantities quantities = the_case.quantities;
  for (const expression::VectorSymbol& vector : the_case.vectors)
    for (const std::string& axis : vector.axes) {
      const std::string component = expression::component_name(vector.name, axis);
      inherit(quantities.units, component, vector.name, "");
      inherit(quantities.labels, component, vector.name, ", component " + axis);
    }
  for (const NamedExpression& field : the_case.output.fields) {
    inherit(quantities.units, field.name, field.text.text, "");
    inherit(quantities.labels, field.name, field.text.text, "");
  }
  return quantities;
}

}  // namespace gwrm
