// Times of a clock in messages: "42 s", "3 min 05 s", "2 h 10 min".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace gwrm {

inline std::string duration_text(double seconds) {
  const long whole = std::lround(std::min(seconds, 1e9));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace gwrm
