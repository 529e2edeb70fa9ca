// The text a YAML tree was read from, and pieces of it that remember their place.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_text.hpp"

namespace gwrm::casefile {

// Limits that keep a mistaken file (a result, a log, a binary) from being read at length.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 16;
inline constexpr std::size_t kMaxShownBytes = 2000;  // of a line: of a longer one an error shows its text alone
inline constexpr int kMaxDepth = 32;
inline constexpr int kMaxValues = 100000;

struct YamlSource {
  std::string name;                        // the file, or "--set key=value"
  std::string text;                        // no byte order mark, lines end in \n alone
  bool is_argument = false;                // from the command line: errors show the text, not a line of a file
  std::vector<std::size_t> line_starts{};  // of `text`

  std::string line(int number) const;  // counted from 1; empty if longer than kMaxShownBytes
  SourceText at(int line_number, int column, const std::string& token = "") const;
};

bool is_utf8(const std::string& text);

// Checks what YAML cannot say clearly: UTF-8, control characters, tabs in the indentation, size. CaseError.
std::shared_ptr<const YamlSource> make_source(std::string text, const std::string& name, bool is_argument);

// A key or value as YAML understood it (`text` is empty for lists and maps) and where it was written.
struct Marked {
  std::string text;
  std::shared_ptr<const YamlSource> source;
  int line = 0;  // from 1
  int column = 0;

  SourceText where() const { return source->at(line, column, text); }
  [[noreturn]] void fail(const std::string& message) const { throw_case_error(where(), 0, message); }
};

}  // namespace gwrm::casefile
