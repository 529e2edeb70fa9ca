// Where an answer is not judged: near a place at which its data jump, from the time of the jump until shortly after.
//
// There the limits of the solution differ by the jump, and a continuous series misses half of it, however fine. All
// else, and all places from the end of that time on, are judged.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace gwrm {

struct LeftOut {
  double start = 0.0, end = 0.0;    // start <= t < end
  int axis = -1;                    // of space, index into Solution::axes
  double place = 0.0, width = 0.0;  // |z - place| < width, z the coordinate along that axis
  std::string what;                 // "y jumps by 1"

  bool holds_time(double t) const { return t >= start && t < end; }
  bool holds_place(double z) const { return std::abs(z - place) < width; }
};

// One coordinate for each axis of the solution; time: its index.
inline bool is_left_out(std::span<const LeftOut> all, int time, std::span<const double> coordinates) {
  for (const LeftOut& one : all)
    if (time >= 0 && one.holds_time(coordinates[static_cast<std::size_t>(time)]) &&
        one.holds_place(coordinates[static_cast<std::size_t>(one.axis)]))
      return true;
  return false;
}

}  // namespace gwrm
