#include "core/source_text.hpp"

#include <algorithm>

namespace gwrm {
namespace {

// Tabs stay tabs below a line that has them, so that the caret lands in the right column of any terminal.
std::string caret_line(const std::string& line, std::size_t column) {
  std::string caret;
  for (std::size_t i = 0; i < column; ++i) caret += (i < line.size() && line[i] == '\t') ? '\t' : ' ';
  return caret + "^";
}

}  // namespace

SourceText SourceText::from_argument(const std::string& text, const std::string& origin) {
  return {text, origin, 0, 0, text};
}

std::string render_error(const SourceText& source, std::size_t offset, const std::string& message) {
  offset = std::min(offset, source.text.size());
  if (source.line == 0)
    return source.file + ": error: " + message + "\n  " + source.text + "\n  " + caret_line(source.text, offset);

  // The text starts at its column, or one later behind an opening quote.
  const std::size_t start = source.column > 0 ? static_cast<std::size_t>(source.column) - 1 : 0;
  for (std::size_t begin : {start, start + 1}) {
    if (begin > source.line_text.size() || source.line_text.compare(begin, source.text.size(), source.text) != 0)
      continue;
    const std::size_t column = begin + offset;
    return source.file + ":" + std::to_string(source.line) + ":" + std::to_string(column + 1) + ": error: " + message +
           "\n  " + source.line_text + "\n  " + caret_line(source.line_text, column);
  }
  std::string flat = source.text;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  return source.file + ":" + std::to_string(source.line) + ":" + std::to_string(source.column) + ": error: " + message +
         "\n  " + flat + "\n  " + caret_line(flat, offset);
}

void throw_case_error(const SourceText& source, std::size_t offset, const std::string& message) {
  throw CaseError(render_error(source, offset, message));
}

}  // namespace gwrm
