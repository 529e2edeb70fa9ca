// A choice of the case file: its words and what they mean, one list for the table of keys, the reader and the resolved
// text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/errors.hpp"

namespace gwrm::casefile {

template <class Enum, std::size_t n>
using Words = std::array<std::pair<std::string_view, Enum>, n>;

template <class Enum, std::size_t n>
std::vector<std::string> word_list(const Words<Enum, n>& words) {
  std::vector<std::string> list;
  for (const auto& [word, value] : words) list.emplace_back(word);
  return list;
}

// `word` has been checked against the table of keys.
template <class Enum, std::size_t n>
Enum choice_of(const Words<Enum, n>& words, std::string_view word) {
  for (const auto& [known, value] : words)
    if (known == word) return value;
  throw ShapeError("a choice that the table of keys does not know");
}

template <class Enum, std::size_t n>
std::string word_of(const Words<Enum, n>& words, Enum value) {
  for (const auto& [word, known] : words)
    if (known == value) return std::string(word);
  throw ShapeError("a choice without a word in the case file");
}

}  // namespace gwrm::casefile
