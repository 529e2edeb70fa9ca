#include "case/values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "expression/parser.hpp"

namespace gwrm::casefile {

double number_within(const YamlNode& node, const KeySpec& spec, const Constants& constants) {
  const double value = expression::evaluate_number(node.mark.where(), constants);
  if (!in_range(spec, value))
    node.mark.fail(fmt::format("{} is out of range: must be {}{}{}", value, range_text(spec),
                               spec.cure.empty() ? "" : "; ", spec.cure));
  if (spec.allows(form_integer) && !spec.allows(form_number) && value != std::floor(value))
    node.mark.fail(fmt::format("expected a whole number, found {}", value));
  return value;
}

double CaseTree::number_of(const YamlNode& node, const std::string& key, const Constants& constants) const {
  return number_within(node, keys.known(key), constants);
}

int CaseTree::integer_of(const YamlNode& node, const std::string& key, const Constants& constants) const {
  return static_cast<int>(number_of(node, key, constants));  // every key read so has a range within int
}

std::vector<double> CaseTree::numbers_of(const YamlNode& list, const std::string& key,
                                         const Constants& constants) const {
  std::vector<double> values;
  for (const YamlNode& item : list.items) values.push_back(number_of(item, key + "[]", constants));
  return values;
}

double CaseTree::number_at(const std::string& path, const Constants& constants, double fallback) const {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : number_of(*node, path, constants);
}

int CaseTree::integer_at(const std::string& path, const Constants& constants, int fallback) const {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : integer_of(*node, path, constants);
}

std::ptrdiff_t CaseTree::size_at(const std::string& path, const Constants& constants, std::ptrdiff_t fallback) const {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : static_cast<std::ptrdiff_t>(number_of(*node, path, constants));
}

std::string CaseTree::text_at(const std::string& path, const std::string& fallback) const {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : node->mark.text;
}

SourceText CaseTree::place_of(const std::string& path) const {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? root.find_entry(path.substr(0, path.find('.')))->key.where() : node->mark.where();
}

const std::vector<YamlEntry>& entries_at(const YamlNode& node, std::string_view path) {
  static const std::vector<YamlEntry> none;
  const YamlNode* found = node.find_path(path);
  return found == nullptr ? none : found->entries;
}

const std::vector<YamlNode>& items_at(const YamlNode& node, std::string_view path) {
  static const std::vector<YamlNode> none;
  const YamlNode* found = node.find_path(path);
  return found == nullptr ? none : found->items;
}

}  // namespace gwrm::casefile
