// convergence: what `gwrm converge` varies and asks for.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "case/names.hpp"
#include "case/sections.hpp"
#include "case/values.hpp"
#include "expression/parser.hpp"

namespace gwrm::casefile {
namespace {

bool is_dimension(const Case& result, const std::string& name) {
  for (const AxisCase& axis : result.domain)
    if (axis.axis.name == name) return true;
  return false;
}

// A path through the table of keys; names of the user's and numbers of list elements are taken as they are.
void check_key_path(const Marked& key) {
  const KeySpec* spec = &known_key("");
  for (std::size_t begin = 0; begin <= key.text.size();) {
    const std::size_t end = std::min(key.text.find('.', begin), key.text.size());
    const std::string part = key.text.substr(begin, end - begin);
    const KeySpec* child = spec->allows(form_map) ? legal_key(*spec, part) : nullptr;
    if (child == nullptr && spec->allows(form_list)) child = find_key(spec->path + "[]");
    if (child == nullptr)
      key.fail(fmt::format("`{}` is no key of a case file: give the whole path, as resolution.domains.t", key.text));
    spec = child;
    begin = end + 1;
  }
  if (spec->path.rfind("convergence", 0) == 0) key.fail("`convergence` cannot be varied");
}

// YAML reads plain and quoted text alike; JSON's quotes keep every character.
std::string scalar_text(const std::string& text) {
  return text.find_first_not_of("0123456789.eE+-") == std::string::npos ? text : nlohmann::json(text).dump();
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

VariedKey read_varied(const YamlEntry& entry, const Case& result) {
  VariedKey varied;
  varied.key = entry.key.text;
  varied.where = entry.key.where();
  const bool dimension = is_dimension(result, varied.key);
  if (!dimension && find_key(varied.key) == nullptr && varied.key.find('.') == std::string::npos)
    check_known(entry.key, axis_names(result), "dimension");
  if (!dimension) check_key_path(entry.key);
  for (const YamlNode& item : entry.value.items) {
    if (dimension && result.problem == "time_spectral")
      integer_of(item, "resolution.degree.*", result.constants);  // told here, where it stands
    varied.values.push_back(value_text(item));
    varied.sizes.push_back(size_of(item, result.constants));
  }
  return varied;
}

}  // namespace

void read_convergence(const YamlNode& root, Case& result) {
  Case::Convergence& convergence = result.convergence;
  std::size_t longest = 1;
  for (const YamlEntry& entry : entries_at(root, "convergence.vary")) {
    convergence.vary.push_back(read_varied(entry, result));
    const std::size_t count = convergence.vary.back().values.size();
    if (count != 1 && longest != 1 && count != longest)
      entry.key.fail(fmt::format("{} values, and {} of another key: lists that change together have the same length",
                                 count, longest));
    longest = std::max(longest, count);
  }
  convergence.measure = choice_at(root, "convergence.measure", kConvergenceMeasureWords, convergence.measure);
  convergence.least_order = number_at(root, "convergence.least_order", result.constants, convergence.least_order);
  convergence.least_rate = number_at(root, "convergence.least_rate", result.constants, convergence.least_rate);
}

}  // namespace gwrm::casefile
