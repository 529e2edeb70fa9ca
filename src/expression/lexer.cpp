#include "expression/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "expression/parser.hpp"

namespace gwrm::expression {
namespace {

// Independent of the locale, unlike <cctype>.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::optional<TokenKind> symbol(char c) {
  switch (c) {
    case '+':
      return TokenKind::plus;
    case '-':
      return TokenKind::minus;
    case '*':
      return TokenKind::times;
    case '/':
      return TokenKind::divide;
    case '^':
      return TokenKind::power;
    case '(':
      return TokenKind::open;
    case ')':
      return TokenKind::close;
    case '[':
      return TokenKind::open_list;
    case ']':
      return TokenKind::close_list;
    case ',':
      return TokenKind::comma;
    case '=':
      return TokenKind::equals;
    default:
      return std::nullopt;
  }
}

// The bytes of one UTF-8 character, so that a message shows it whole.
std::string whole_character(const std::string& text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) ++end;
  return text.substr(begin, end - begin);
}

constexpr std::string_view kExpected = "expected a number, a name, a parenthesis, a bracket or one of + - * / ^ , =";

// How what is meant by a character of other languages, or of print, is written here; empty: nothing is known.
std::string foreign_character(std::string_view character, bool follows_name) {
  struct Foreign {
    std::string_view characters, ours;  // separated by blanks
  };
  static constexpr Foreign kForeign[] = {
      {"\u2207", "nabla is written grad(p), div(u), curl(u), lap(u)"},
      {"\u0394 \u2206", "the Laplacian is written lap(u)"},
      {"\u2202 ' \u2019 \u2032", "a derivative is named by its dimension, as dx(u), the second dx(u, 2)"},
      {"\u00b2 \u00b3", "a power is written a^2"},
      {"\u00b7 \u00d7 \u22c5", "a product is written a*b, that of vectors dot(a, b) or cross(a, b)"},
      {"\u2212 \u2013", "a minus is written -"},
      {"\u03c0", "it is written pi"},
      {"\u201c \u201d \u201e \u2018 \u00ab \u00bb", "expressions stand between quotes of the keyboard, \""},
      {"\u00a0 \u202f \u2009 \u200b \ufeff",
       "it is no blank of the keyboard, though it looks like one or like nothing"},
      {"\u222b", "the integral over the whole dimension x is written integral(e, x)"},
      {"\u221a", "a root is written sqrt(z)"},
      {"< > \u2264 \u2265 ?", "nothing is compared here: step(a - b) is 1 where a > b, and 0 elsewhere"},
      {"|", "the absolute value is written abs(z)"},
  };
  for (const Foreign& foreign : kForeign)
    for (std::size_t begin = 0; begin < foreign.characters.size();) {
      const std::size_t end = std::min(foreign.characters.find(' ', begin), foreign.characters.size());
      if (foreign.characters.substr(begin, end - begin) == character) return std::string(foreign.ours);
      begin = end + 1;
    }
  if (character == "." && follows_name)
    return "functions are called by their names alone, as sin(z), dx(u, 2); the components of a vector are u_x, u_y, "
           "and (u . grad) v is written dot(u, grad(v))";
  if (static_cast<unsigned char>(character.front()) >= 0x80) return "names have the letters a to z, digits and _";
  return {};
}

class Lexer {
 public:
  explicit Lexer(const SourceText& source) : source_(source), text_(source.text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      while (is_space(peek(0))) ++at_;
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::end) return tokens;
    }
  }

 private:
  // '\0' behind the end; a '\0' inside the text is refused like any other foreign character.
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token next() {
    if (at_ == text_.size()) return {TokenKind::end, "", 0.0, at_};
    const char c = peek(0);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_letter(c)) return name();
    if (c == '*' && peek(1) == '*') {
      at_ += 2;
      return {TokenKind::power, "^", 0.0, at_ - 2};
    }
    if (const auto kind = symbol(c)) return {*kind, std::string(1, c), 0.0, at_++};
    const std::string character = whole_character(text_, at_), ours = foreign_character(character, follows_name());
    throw_case_error(
        source_, at_,
        "unexpected character '" + character + (ours.empty() ? "'; " + std::string(kExpected) : "': " + ours));
  }

  bool follows_name() const {
    return at_ > 0 && (is_letter(text_[at_ - 1]) || is_digit(text_[at_ - 1]) || text_[at_ - 1] == ')');
  }

  Token name() {
    const std::size_t begin = at_;
    while (is_letter(peek(0)) || is_digit(peek(0))) ++at_;
    return {TokenKind::name, text_.substr(begin, at_ - begin), 0.0, begin};
  }

  // digits [. digits] [e [sign] digits], or . digits; an e that no digit follows starts a name (2e: an error of the
  // parser).
  Token number() {
    const std::size_t begin = at_;
    skip_digits();
    if (peek(0) == '.') {
      ++at_;
      skip_digits();
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
      const bool has_sign = peek(1) == '+' || peek(1) == '-';
      if (is_digit(peek(has_sign ? 2 : 1))) {
        at_ += has_sign ? 2 : 1;
        skip_digits();
      }
    }
    if (peek(0) == '.') throw_case_error(source_, at_, "a number with two decimal points");

    Token token{TokenKind::number, text_.substr(begin, at_ - begin), 0.0, begin};
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + at_, token.value);
    if (error != std::errc{} || end != text_.data() + at_)
      throw_case_error(source_, begin, "the number " + token.text + " is out of the range of double precision");
    return token;
  }

  void skip_digits() {
    while (is_digit(peek(0))) ++at_;
  }

  const SourceText& source_;
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source) {
  if (source.text.size() > kMaxTextLength) {
    constexpr std::size_t shown = 60;
    SourceText shortened = source;
    shortened.text = source.text.substr(0, shown) + " ...";
    shortened.line_text.clear();
    throw_case_error(shortened, 0,
                     "the expression has " + std::to_string(source.text.size()) + " characters; at most " +
                         std::to_string(kMaxTextLength) + " are possible");
  }
  return Lexer(source).run();
}

}  // namespace gwrm::expression
