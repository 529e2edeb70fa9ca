#include "case/values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/parser.hpp"

namespace gwrm::casefile {

double number_of(const YamlNode& node, const std::string& key, const Constants& constants) {
  const KeySpec& spec = known_key(key);
  const double value = expression::evaluate_number(node.mark.where(), constants);
  if (!in_range(spec, value))
    node.mark.fail(fmt::format("{} is out of range: must be {}{}{}", value, range_text(spec),
                               spec.cure.empty() ? "" : "; ", spec.cure));
  return value;
}

int integer_of(const YamlNode& node, const std::string& key, const Constants& constants) {
  const double value = number_of(node, key, constants);
  if (value != std::floor(value)) node.mark.fail(fmt::format("expected a whole number, found {}", value));
  return static_cast<int>(value);  // every integer key has a range within int
}

std::vector<double> numbers_of(const YamlNode& list, const std::string& key, const Constants& constants) {
  std::vector<double> values;
  for (const YamlNode& item : list.items) values.push_back(number_of(item, key + "[]", constants));
  return values;
}

double number_at(const YamlNode& root, const std::string& path, const Constants& constants, double fallback) {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : number_of(*node, path, constants);
}

int integer_at(const YamlNode& root, const std::string& path, const Constants& constants, int fallback) {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : integer_of(*node, path, constants);
}

std::string text_at(const YamlNode& root, const std::string& path, const std::string& fallback) {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : node->mark.text;
}

const std::vector<YamlEntry>& entries_at(const YamlNode& root, std::string_view path) {
  static const std::vector<YamlEntry> none;
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? none : node->entries;
}

const std::vector<YamlNode>& items_at(const YamlNode& root, std::string_view path) {
  static const std::vector<YamlNode> none;
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? none : node->items;
}

}  // namespace gwrm::casefile
