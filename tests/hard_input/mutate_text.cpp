#include "hard_input/mutate_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace gwrm::hard_input {
namespace {

using Below = std::function<std::size_t(std::size_t)>;
using Piece = std::pair<std::size_t, std::size_t>;  // begin and length within the text

constexpr std::string_view kTellingBytes = "[]{}:,#&*!|>'\"%@`-?~ \t\n\r\\()=.0$<";

constexpr std::array<std::string_view, 30> kNumbers = {
    "0",     "-1",   "1",    "2",      "3",          "1e300",      "-1e300",      "1e-300",     "5e-324",
    "1e999", "nan",  ".inf", "-.inf",  "2147483647", "2147483648", "-2147483648", "4294967296", "9223372036854775808",
    "0x10",  "010",  "1e5",  "100000", "1.5",        "1/0",        "0/0",         "2*pi",       "1e16",
    "null",  "true", "~"};

constexpr std::array<std::string_view, 55> kWords = {"u",
                                                     "v",
                                                     "x",
                                                     "y",
                                                     "z",
                                                     "t",
                                                     "nu",
                                                     "c",
                                                     "pi",
                                                     "dt(u)",
                                                     "dx(u,2)",
                                                     "dx(u,9)",
                                                     "lap(u)",
                                                     "u(x=0)",
                                                     "u(t=0)",
                                                     "u(x=1,t=1)",
                                                     "integral(u, x)",
                                                     "integral(u, t)",
                                                     "sin(u)",
                                                     "log(u)",
                                                     "sqrt(x)",
                                                     "u^u",
                                                     "u^0.5",
                                                     "1/x",
                                                     "exp(exp(u))",
                                                     "abs(u)",
                                                     "min(u,x)",
                                                     "degree",
                                                     "domains",
                                                     "tolerance",
                                                     "limits",
                                                     "newton",
                                                     "memory",
                                                     "radau",
                                                     "chebyshev",
                                                     "log",
                                                     "auto",
                                                     "coupled",
                                                     "collocation",
                                                     "dense",
                                                     "averaged",
                                                     "tensor",
                                                     "banded",
                                                     "sparse",
                                                     "arclength",
                                                     "sir",
                                                     "anderson",
                                                     "none",
                                                     "all",
                                                     "range",
                                                     "map",
                                                     "time_spectral",
                                                     "sbp_sat_poisson",
                                                     "recurrence_bvp",
                                                     "[]"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

// Words and numbers.
std::vector<Piece> tokens_of(const std::string& text) {
  std::vector<Piece> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) tokens.emplace_back(i, end - i);
    i = end + 1;
  }
  return tokens;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

void change_bytes(std::string& text, const Below& below) {
  const std::size_t place = below(text.size());
  switch (below(7)) {
    case 0:
      text[place] = static_cast<char>(below(256));
      break;
    case 1:
      text[place] = kTellingBytes[below(kTellingBytes.size())];
      break;
    case 2:
      text.insert(place, 1, kTellingBytes[below(kTellingBytes.size())]);
      break;
    case 3:
      text.erase(place, 1 + below(20));
      break;
    case 4:
      text.insert(place, text.substr(below(text.size()), 1 + below(30)));
      break;
    case 5:  // one thing very often
      text.insert(place, std::string(1 + below(300), kTellingBytes[below(kTellingBytes.size())]));
      break;
    default:
      text.resize(place);
      break;
  }
}

void change_token(std::string& text, const Below& below) {
  const std::vector<Piece> tokens = tokens_of(text);
  if (tokens.empty()) return;
  const auto [place, length] = tokens[below(tokens.size())];
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[place])) != 0;
  const std::size_t kind = below(4);
  if (kind == 0) {
    const auto [other, other_length] = tokens[below(tokens.size())];
    text.replace(place, length, text.substr(other, other_length));
  } else if (is_number == (kind != 1)) {  // mostly a number for a number
    text.replace(place, length, kNumbers[below(kNumbers.size())]);
  } else {
    text.replace(place, length, kWords[below(kWords.size())]);
  }
}

void change_lines(std::string& text, std::span<const std::string> donors, const Below& below) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t place = below(lines.size()), other = below(lines.size());
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(place);
  switch (below(donors.empty() ? 5 : 7)) {
    case 0:
      lines.erase(at);
      break;
    case 1:
      lines.insert(at, lines[other]);
      break;
    case 2:
      std::swap(lines[place], lines[other]);
      break;
    case 3:
      lines[place].insert(0, 1 + below(4), ' ');
      break;
    case 4:
      lines[place].erase(0, std::min(lines[place].find_first_not_of(' '), 1 + below(4)));
      break;
    default: {
      const std::vector<std::string> strange = lines_of(donors[below(donors.size())]);
      const std::size_t first = below(strange.size()),
                        count = 1 + below(std::min<std::size_t>(4, strange.size() - first));
      lines.insert(at, strange.begin() + static_cast<std::ptrdiff_t>(first),
                   strange.begin() + static_cast<std::ptrdiff_t>(first + count));
      break;
    }
  }
  text.clear();
  for (const std::string& line : lines) text += line;
}

}  // namespace

std::string mutated_text(std::string text, std::span<const std::string> donors, const Below& below) {
  for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n) switch (below(4)) {
      case 0:
        change_bytes(text, below);
        break;
      case 1:
        change_lines(text, donors, below);
        break;
      default:
        change_token(text, below);
        break;
    }
  return text;
}

}  // namespace gwrm::hard_input
