// A piece of text together with where the user wrote it, so that every error can point at the place.
#pragma once

#include <cstddef>
#include <string>

#include "core/errors.hpp"

namespace gwrm {

// `text` starts at (line, column), both counted from 1, of `file`; `line_text` is that whole line of the file.
// line = 0: the text does not come from a file (a command-line argument, a test); `file` then says where from.
struct SourceText {
  std::string text;
  std::string file;
  int line = 0;
  int column = 0;
  std::string line_text;
  // Of an expression of vectors or complex numbers that the reader has taken apart: the component that `text` is, "x",
  // "re", "x_im", and with the first component the whole as it was written.
  std::string component = {};
  std::string whole = {};

  static SourceText from_argument(const std::string& text, const std::string& origin = "expression");
};

// "burgers.yaml:12:18: error: MESSAGE", the line of the file and a caret below the character at `offset` of the text.
// Of a component the message begins with "in component x", "in the imaginary part". Where YAML has folded or unescaped
// the text, the caret is set under the text itself instead of the file's line.
std::string render_error(const SourceText& source, std::size_t offset, const std::string& message);

// Of SourceText::component: "component x", "real part", "component x, imaginary part".
std::string component_text(const std::string& component);

// A CaseError with that text and the place.
[[noreturn]] void throw_case_error(const SourceText& source, std::size_t offset, const std::string& message);

}  // namespace gwrm
