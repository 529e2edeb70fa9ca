#include "case/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace gwrm {
namespace casefile {
namespace {

std::vector<std::string> split_key(const std::string& key) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

YamlNode& element_of(YamlNode& list, const Marked& part) {
  std::size_t index = 0;
  const char* end = part.text.data() + part.text.size();
  const auto [rest, error] = std::from_chars(part.text.data(), end, index);
  if (error != std::errc{} || rest != end || index >= list.items.size())
    part.fail(
        fmt::format("`{}` does not name an element of this list of {}: count from 0", part.text, list.items.size()));
  return list.items[index];
}

YamlNode& value_of(YamlNode& map, const Marked& part) {
  for (YamlEntry& entry : map.entries)
    if (entry.key.text == part.text) return entry.value;
  YamlNode made;
  made.mark = part;
  map.entries.push_back({part, made});
  return map.entries.back().value;
}

// That of data is of the file that was there before (data_section.hpp).
void forget_checksum(YamlNode& root, const std::string& key) {
  std::vector<std::string> parts = split_key(key);
  if (parts.size() < 2 || parts.back() != "file") return;
  parts.pop_back();
  YamlNode* node = &root;
  for (const std::string& part : parts) {
    if (!node->is_map()) return;
    const auto entry = std::find_if(node->entries.begin(), node->entries.end(),
                                    [&](const YamlEntry& each) { return each.key.text == part; });
    if (entry == node->entries.end()) return;
    node = &entry->value;
  }
  std::erase_if(node->entries, [](const YamlEntry& each) { return each.key.text == "checksum"; });
}

}  // namespace

void apply_override(YamlNode& root, const Override& change) {
  const std::string name = change.option + " " + change.key + "=" + change.value;
  const auto key_source = make_source(change.key, name, true);
  YamlNode value = parse_yaml(make_source(change.value, name, true));
  YamlNode* node = &root;
  std::string path;
  for (const std::string& part : split_key(change.key)) {
    const Marked mark{part, key_source, 0, 0};
    if (part.empty()) mark.fail("an empty name in the key");
    if (node->is_scalar()) mark.fail(fmt::format("`{}` is a single value and has no key `{}`", path, part));
    if (node->is_sequence()) {
      node = &element_of(*node, mark);
    } else {
      if (node->is_null()) node->kind = YamlNode::Kind::map;
      node = &value_of(*node, mark);
    }
    path += (path.empty() ? "" : ".") + part;
    if (value.is_null()) value.mark = mark;
  }
  *node = std::move(value);
  forget_checksum(root, change.key);
}

}  // namespace casefile

Override parse_override(const std::string& argument) {
  const SourceText source = SourceText::from_argument(argument, "--set " + argument);
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) throw_case_error(source, argument.size(), "expected key=value");
  Override change{argument.substr(0, equals), argument.substr(equals + 1)};
  for (const std::string& part : casefile::split_key(change.key))
    if (part.empty())
      throw_case_error(source, 0, "an empty name in the key: expected key=value, as resolution.degree.x=32");
  return change;
}

}  // namespace gwrm
