// A double with the fewest digits that read back the same.
#pragma once

#include <charconv>
#include <string>

namespace gwrm::expression {

inline std::string number_text(double value) {
  char digits[32];  // 17 digits, sign, point and exponent fit
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end};
}

}  // namespace gwrm::expression
