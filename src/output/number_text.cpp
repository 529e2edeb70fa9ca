#include "output/number_text.hpp"

#include <charconv>
#include <cmath>

namespace gwrm {

std::optional<double> number_of_text(const std::string& text) {
  if (text.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  const char* first = text.data();
  const char* last = first + text.size();
  if (text.size() > 1 && *first == '+' && text[1] != '-') ++first;  // from_chars knows no plus
  double value = 0.0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc{} || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace gwrm
