#include "output/judged_check.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gwrm {

double judged_value(const Check& check) {
  return check.judged ? check.value * check.margin : check.value;
}

JudgedTexts judged_texts(const Check& check) {
  constexpr int kMostDigits = 16;  // after the point: these give every double back
  const double value = judged_value(check);
  const auto texts = [&](int digits) {
    return JudgedTexts{fmt::format("{:.{}e}", value, digits), fmt::format("{:.{}e}", check.tolerance, digits)};
  };
  JudgedTexts result = texts(1);
  if (!check.judged || !std::isfinite(value)) return result;
  for (int digits = 2; digits <= kMostDigits; ++digits) {
    if ((std::stold(result.value) <= std::stold(result.allowed)) == check.passed()) break;
    result = texts(digits);
  }
  return result;
}

}  // namespace gwrm
