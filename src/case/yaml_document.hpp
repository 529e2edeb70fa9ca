// YAML text -> a tree that keeps the place of every key and value. yaml-cpp stays behind this header.
//
// Refused: broken YAML, a key written twice, several documents, anchors, aliases and tags (they look like parts of an
// expression: *u, &, !), nesting deeper than kMaxDepth, more than kMaxValues values.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "case/yaml_source.hpp"

namespace gwrm::casefile {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  Marked mark;                  // a scalar's text; where the value starts (null: where its key stands)
  bool plain = false;           // a scalar without quotes
  bool in_flow = false;         // directly inside [...] or {...}, where YAML splits plain text at commas
  bool cut_by_comment = false;  // a plain scalar with " #" behind it
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }

  const YamlEntry* find_entry(std::string_view key) const;
  const YamlNode* find(std::string_view key) const;          // null pointer if absent
  const YamlNode* find_path(std::string_view dotted) const;  // "solver.newton.tolerance"
};

struct YamlEntry {
  Marked key;
  YamlNode value;
};

YamlNode parse_yaml(const std::shared_ptr<const YamlSource>& source);

// "a list", "a map", "nothing", "the text `abc`": what an error says it found.
std::string describe(const YamlNode& node);

}  // namespace gwrm::casefile
