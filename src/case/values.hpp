// Typed values of a tree whose shape has been checked (shape.hpp). Ranges come from the table of keys.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "case/key_table.hpp"
#include "case/words.hpp"
#include "case/yaml_document.hpp"
#include "expression/expression.hpp"

namespace gwrm::casefile {

using Constants = std::vector<expression::Constant>;

// A case file and the table of the keys that it may have. `path`: dotted, of the file; `key`: of the table.
struct CaseTree {
  const YamlNode& root;
  const KeyTable& keys;

  // `node` is a scalar: an expression of the constants, with a finite value within the range of `key`.
  double number_of(const YamlNode& node, const std::string& key, const Constants& constants) const;
  int integer_of(const YamlNode& node, const std::string& key, const Constants& constants) const;
  std::vector<double> numbers_of(const YamlNode& list, const std::string& key, const Constants& constants) const;

  // The value at `path`, or `fallback` where the file has none.
  double number_at(const std::string& path, const Constants& constants, double fallback) const;
  int integer_at(const std::string& path, const Constants& constants, int fallback) const;
  std::ptrdiff_t size_at(const std::string& path, const Constants& constants, std::ptrdiff_t fallback) const;
  std::string text_at(const std::string& path, const std::string& fallback) const;
  template <class Enum, std::size_t n>
  Enum choice_at(std::string_view path, const Words<Enum, n>& words, Enum fallback) const {
    const YamlNode* node = root.find_path(path);
    return node == nullptr ? fallback : choice_of(words, node->mark.text);
  }
  // What errors show: the value at `path`, or the key of its section where the file has none.
  SourceText place_of(const std::string& path) const;
};

// `node` is a scalar within the range of `spec`; whole where it says so.
double number_within(const YamlNode& node, const KeySpec& spec, const Constants& constants);

// The entries of a map or the elements of a list at `path` below `node`; none if there is no such key.
const std::vector<YamlEntry>& entries_at(const YamlNode& node, std::string_view path);
const std::vector<YamlNode>& items_at(const YamlNode& node, std::string_view path);

}  // namespace gwrm::casefile
