// Typed values of a tree whose shape has been checked (shape.hpp). Ranges come from the table of keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "case/choices.hpp"
#include "case/key_table.hpp"
#include "case/yaml_document.hpp"
#include "expression/expression.hpp"

namespace gwrm::casefile {

using Constants = std::vector<expression::Constant>;

// `node` is a scalar: an expression of the constants, with a finite value within the range of `key`.
double number_of(const YamlNode& node, const std::string& key, const Constants& constants);
int integer_of(const YamlNode& node, const std::string& key, const Constants& constants);
std::vector<double> numbers_of(const YamlNode& list, const std::string& key, const Constants& constants);  // "key[]"

// The value at the dotted path of the file, or `fallback` where the file has none.
double number_at(const YamlNode& root, const std::string& path, const Constants& constants, double fallback);
int integer_at(const YamlNode& root, const std::string& path, const Constants& constants, int fallback);
std::string text_at(const YamlNode& root, const std::string& path, const std::string& fallback);

template <class Enum, std::size_t n>
Enum choice_at(const YamlNode& root, std::string_view path, const Words<Enum, n>& words, Enum fallback) {
  const YamlNode* node = root.find_path(path);
  return node == nullptr ? fallback : choice_of(words, node->mark.text);
}

// The entries of a map or the elements of a list at `path`; none if the file has no such key.
const std::vector<YamlEntry>& entries_at(const YamlNode& root, std::string_view path);
const std::vector<YamlNode>& items_at(const YamlNode& root, std::string_view path);

}  // namespace gwrm::casefile
