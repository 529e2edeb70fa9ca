#include "problems/sweep/swept_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/source_text.hpp"
#include "expression/parser.hpp"

namespace gwrm {
namespace {

using casefile::YamlNode;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// first:last:count or first:last:count:log.
std::vector<std::string> range_values(const std::string& text, const std::string& where) {
  const std::vector<std::string> parts = split(text, ':');
  const auto fail = [&](const std::string& what) { throw CaseError(where + ": error: " + what); };
  if (parts.size() < 3 || parts.size() > 4 || (parts.size() == 4 && parts[3] != "log"))
    fail("a range is first:last:count, or first:last:count:log for equal ratios");
  const auto number = [&](const std::string& part) {
    return expression::evaluate_number(SourceText::from_argument(part, where), {});
  };
  const double first = number(parts[0]), last = number(parts[1]), count = number(parts[2]);
  if (!(count >= 2.0) || count != std::floor(count) || count > static_cast<double>(kMostSweptRuns))
    fail(fmt::format("{} values in a range: expected a whole number from 2 to {}", count, kMostSweptRuns));
  if (first == last) fail("the ends of the range are equal");
  const bool logarithmic = parts.size() == 4;
  if (logarithmic && !(first > 0.0 && last > 0.0)) fail("a range of equal ratios has positive ends");
  const auto n = static_cast<std::size_t>(count);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    const double value = i == 0        ? first
                         : i == n - 1  ? last
                         : logarithmic ? std::exp(std::log(first) + share * (std::log(last) - std::log(first)))
                                       : first + share * (last - first);
    // 15 digits: 0.1 and not 0.10000000000000002, whatever the logarithm's last digit is on this machine.
    values.push_back(i == 0 || i == n - 1 ? number_text(value) : fmt::format("{:.15g}", value));
  }
  return values;
}

bool is_range(const std::string& text) {
  return text.find(':') != std::string::npos && text.find_first_of(",[]{}\"'") == std::string::npos;
}

std::string scalar_text(const std::string& text) {
  try {
    const YamlNode again = casefile::parse_yaml(casefile::make_source(text, "value", true));
    if (again.is_scalar() && again.mark.text == text && !again.cut_by_comment) return text;
  } catch (const CaseError&) {
  }
  return nlohmann::json(text).dump();  // YAML reads JSON's quotes
}

}  // namespace

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::string swept_value_text(const YamlNode& node) {
  if (node.is_scalar()) return node.plain ? node.mark.text : scalar_text(node.mark.text);
  std::string text;
  for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + swept_value_text(item);
  for (const casefile::YamlEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + nlohmann::json(entry.key.text).dump() + ": " + swept_value_text(entry.value);
  return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

SweptValues parse_swept_values(const std::string& argument) {
  const std::string where = "--vary " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size())
    throw CaseError(where + ": error: expected KEY=VALUES, as constants.nu=0.01,0.02 or constants.nu=0.01:1:20:log");
  SweptValues swept;
  swept.key = argument.substr(0, equals);
  const std::string text = argument.substr(equals + 1);
  swept.distribution = parse_distribution(text, where);
  if (swept.distribution) return swept;
  if (is_range(text)) {
    swept.values = range_values(text, where);
    return swept;
  }
  const std::string list = text.front() == '[' ? text : "[" + text + "]";
  const YamlNode root = casefile::parse_yaml(casefile::make_source(list, where, true));
  if (!root.is_sequence() || root.items.empty()) throw CaseError(where + ": error: expected a list of values");
  for (const YamlNode& item : root.items) {
    if (item.is_null()) throw CaseError(where + ": error: an empty value in the list");
    const auto count = [&](char c) { return std::count(item.mark.text.begin(), item.mark.text.end(), c); };
    if (item.plain && count('(') != count(')'))
      throw CaseError(where + ": error: YAML splits a list at every comma: put quotes around the value " +
                      item.mark.text + "..");
    swept.values.push_back(swept_value_text(item));
  }
  return swept;
}

}  // namespace gwrm
