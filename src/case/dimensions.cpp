#include "case/dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/data_section.hpp"
#include "case/names.hpp"
#include "case/values.hpp"
#include "case/vectors.hpp"

namespace gwrm::casefile {

std::vector<std::string> axis_names(const Case& result) {
  std::vector<std::string> names;
  for (const AxisCase& axis : result.domain) names.push_back(axis.axis.name);
  return names;
}

std::vector<std::string> unknown_names(const Case& result) {
  std::vector<std::string> names;
  for (const UnknownCase& unknown : result.unknowns) names.push_back(unknown.name);
  return names;
}

AxisCase& axis_case(Case& result, const Marked& name) {
  check_known(name, axis_names(result), "dimension");
  return *std::find_if(result.domain.begin(), result.domain.end(),
                       [&](const AxisCase& axis) { return axis.axis.name == name.text; });
}

double coordinate_on(const Axis& axis, double value, const YamlNode& node) {
  const double slack = 1e-12 * (axis.upper - axis.lower);
  if (std::abs(value - axis.lower) <= slack) return axis.lower;
  if (std::abs(value - axis.upper) <= slack) return axis.upper;
  if (value < axis.lower || value > axis.upper)
    node.mark.fail(fmt::format("{} is outside `{}`: [{}, {}]", value, axis.name, axis.lower, axis.upper));
  return value;
}

void read_expressions_of_unknowns(const CaseTree& file, const std::string& section, Case& result,
                                  std::vector<NamedExpression>& into) {
  std::vector<std::string> names = unknown_names(result);
  for (const expression::VectorSymbol& vector : result.vectors) names.push_back(vector.name);
  for (const YamlEntry& entry : entries_at(file.root, section)) {
    check_known(entry.key, names, "unknown");
    const expression::VectorSymbol* vector = find_vector(result, entry.key.text);
    if (vector != nullptr) refuse_file(entry.value, *vector);
    if (vector != nullptr && entry.value.is_sequence()) {
      for (NamedExpression& part : components_in_list(entry.value, *vector)) into.push_back(std::move(part));
      continue;
    }
    refuse_list(entry.value, section + "." + entry.key.text);
    const std::string name = section + "_" + entry.key.text;
    into.push_back({entry.key.text, expression_or_data(file, entry.value, section + ".*", name, result)});
  }
}

}  // namespace gwrm::casefile
