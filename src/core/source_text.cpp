#include "core/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/text_column.hpp"

namespace gwrm {
namespace {

// Whether the byte goes on with a character of UTF-8 that has begun before it.
bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

// Tabs stay tabs below a line that has them, so that the caret lands in the right column of any terminal. `offset`
// counts bytes, one blank stands for a character.
std::string caret_line(const std::string& line, std::size_t offset) {
  std::string caret;
  for (std::size_t i = 0; i < offset; ++i) {
    if (i < line.size() && continues_character(line[i])) continue;
    caret += (i < line.size() && line[i] == '\t') ? '\t' : ' ';
  }
  return caret + "^";
}

// The character at an offset of a text: its column in the file (0 without a file), and what is shown with a caret
// below.
struct Shown {
  int column = 0;
  std::string line;
  std::size_t caret = 0;
};

Shown locate(const SourceText& source, std::size_t offset) {
  offset = std::min(offset, source.text.size());
  if (source.line == 0) return {0, source.text, offset};

  // The text starts at its column, or one later behind an opening quote.
  const std::size_t start = source.column > 0 ? static_cast<std::size_t>(source.column) - 1 : 0;
  for (std::size_t begin : {start, start + 1}) {
    if (begin > source.line_text.size() || source.line_text.compare(begin, source.text.size(), source.text) != 0)
      continue;
    return {text_column(source.line_text, begin + offset), source.line_text, begin + offset};
  }
  std::string flat = source.text;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  return {source.column > 0 ? text_column(source.line_text, start) : 0, std::move(flat), offset};
}

// Which part of what is written there.
std::string of_component(const SourceText& source, const std::string& message) {
  if (source.component.empty()) return message;
  const std::string part = component_text(source.component);
  return (part.rfind("component", 0) == 0 ? "in " : "in the ") + part + ": " + message;
}

}  // namespace

int text_column(std::string_view line, std::size_t offset) {
  int column = 1;
  for (std::size_t i = 0; i < offset; ++i) column += i >= line.size() || !continues_character(line[i]) ? 1 : 0;
  return column;
}

std::string component_text(const std::string& component) {
  const std::size_t split = component.rfind('_');
  const std::string last = component.substr(split == std::string::npos ? 0 : split + 1);
  const std::string part = last == "re" ? "real part" : last == "im" ? "imaginary part" : "";
  if (part.empty()) return "component " + component;
  return split == std::string::npos ? part : "component " + component.substr(0, split) + ", " + part;
}

SourceText SourceText::from_argument(const std::string& text, const std::string& origin) {
  return {text, origin, 0, 0, text, {}, {}};
}

std::string render_error(const SourceText& source, std::size_t offset, const std::string& message) {
  const Shown shown = locate(source, offset);
  std::string place = source.file;
  if (source.line > 0) place += ":" + std::to_string(source.line) + ":" + std::to_string(shown.column);
  return fmt::format("{}: error: {}\n  {}\n  {}", place, of_component(source, message), shown.line,
                     caret_line(shown.line, shown.caret));
}

void throw_case_error(const SourceText& source, std::size_t offset, const std::string& message) {
  throw CaseError(render_error(source, offset, message),
                  {source.file, source.line, locate(source, offset).column, of_component(source, message)});
}

}  // namespace gwrm
