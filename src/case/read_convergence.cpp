// convergence: what `gwrm converge` varies and asks for.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "case/dimensions.hpp"
#include "case/names.hpp"
#include "case/sections.hpp"
#include "expression/parser.hpp"

namespace gwrm::casefile {
namespace {

bool is_dimension(const Case& result, const std::string& name) {
  for (const AxisCase& axis : result.domain)
    if (axis.axis.name == name) return true;
  return false;
}

// The key that is varied: a dimension means how finely the module resolves it, all else is a path as in the file.
const KeySpec& varied_key(const CaseTree& file, const CaseModule& module, const Marked& key, const Case& result) {
  if (is_dimension(result, key.text)) {
    const KeySpec* spec = file.keys.find_written(module.resolution_key(key.text));
    if (spec != nullptr) return *spec;
    throw ShapeError("no key `" + module.resolution_key(key.text) + "` in the table of keys");
  }
  const KeySpec* spec = file.keys.find_written(key.text);
  if (spec == nullptr && key.text.find('.') == std::string::npos) check_known(key, axis_names(result), "dimension");
  if (spec == nullptr)
    key.fail(fmt::format("`{}` is no key of a case file: give the whole path, as resolution.domains.t", key.text));
  if (spec->path.rfind("convergence", 0) == 0) key.fail("`convergence` cannot be varied");
  return *spec;
}

// YAML reads plain and quoted text alike; JSON's quotes keep every character.
std::string scalar_text(const std::string& text) {
  return text.find_first_not_of("0123456789.eE+-") == std::string::npos ? yaml_number(text)
                                                                        : nlohmann::json(text).dump();
}

std::string value_text(const YamlNode& node) {
  if (!node.is_sequence()) return scalar_text(node.mark.text);
  std::string list;
  for (const YamlNode& item : node.items) list += (list.empty() ? "" : ", ") + scalar_text(item.mark.text);
  return "[" + list + "]";
}

double size_of(const YamlNode& node, const Constants& constants) {
  if (node.is_sequence()) return static_cast<double>(node.items.size()) - 1.0;
  try {
    return expression::evaluate_number(node.mark.where(), constants);
  } catch (const CaseError&) {
    return std::numeric_limits<double>::quiet_NaN();  // a word, as of solver.linear
  }
}

VariedKey read_varied(const CaseTree& file, const CaseModule& module, const YamlEntry& entry, const Case& result) {
  VariedKey varied;
  varied.key = entry.key.text;
  varied.where = entry.key.where();
  const KeySpec& spec = varied_key(file, module, entry.key, result);
  for (const YamlNode& item : entry.value.items) {
    // Told here, where it stands.
    if (is_dimension(result, varied.key) && (item.is_scalar() || !spec.allows(form_list)))
      number_within(item, spec, result.constants);
    varied.values.push_back(value_text(item));
    varied.sizes.push_back(size_of(item, result.constants));
  }
  return varied;
}

}  // namespace

void read_convergence(const CaseTree& file, const CaseModule& module, Case& result) {
  Case::Convergence& convergence = result.convergence;
  std::size_t longest = 1;
  for (const YamlEntry& entry : entries_at(file.root, "convergence.vary")) {
    convergence.vary.push_back(read_varied(file, module, entry, result));
    const std::size_t count = convergence.vary.back().values.size();
    if (count != 1 && longest != 1 && count != longest)
      entry.key.fail(fmt::format("{} values, and {} of another key: lists that change together have the same length",
                                 count, longest));
    longest = std::max(longest, count);
  }
  convergence.measure = file.text_at("convergence.measure", convergence.measure);
  convergence.least_order = file.number_at("convergence.least_order", result.constants, convergence.least_order);
  convergence.least_rate = file.number_at("convergence.least_rate", result.constants, convergence.least_rate);
}

}  // namespace gwrm::casefile
