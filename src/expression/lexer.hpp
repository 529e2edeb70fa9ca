// Text -> tokens.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/source_text.hpp"

namespace gwrm::expression {

enum class TokenKind {
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  open,
  close,
  open_list,
  close_list,
  comma,
  equals,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;        // as written; "^" for "**"
  double value = 0.0;      // of a number
  std::size_t offset = 0;  // of the first character in the source text
};

// The last token is `end`, behind the last character. Throws CaseError for a character or number that means nothing,
// and for a text longer than kMaxTextLength.
std::vector<Token> tokenize(const SourceText& source);

}  // namespace gwrm::expression
