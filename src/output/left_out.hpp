// Where an answer is not judged: near a place at which its data jump, from the time of the jump until shortly after; in
// a steady problem near a corner where the data of two sides do not fit together.
//
// There the limits of the solution differ by the jump, and a continuous series misses half of it, however fine. All
// else, and all places from the end of that time on, are judged. Or of an unknown that follows from others without a
// time derivative, as pressure, and starts with an infinite rate: everywhere for a while, that unknown only.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

namespace gwrm {

struct LeftOut {
  double start = 0.0, end = 0.0;    // start <= t < end
  int axis = -1;                    // of space, index into Solution::axes; -1: all places
  double place = 0.0, width = 0.0;  // |z - place| < width, z the coordinate along that axis
  std::string what;                 // "y jumps by 1"
  std::string unknown{};            // the only one that is not judged; empty: none is
  int other_axis = -1;              // of a corner of a steady problem: the same along this axis as well
  double other_place = 0.0;

  bool holds_time(double t) const { return t >= start && t < end; }
  bool holds_place(double z) const { return axis < 0 || std::abs(z - place) < width; }
  bool holds_other(double z) const { return std::abs(z - other_place) < width; }
  bool concerns(const std::string& one) const { return unknown.empty() || unknown == one; }
  // coordinate(axis): along that axis; time: its index, -1 of a steady problem.
  template <class Coordinate>
  bool holds(int time, const Coordinate& coordinate) const {
    if (time >= 0 ? !holds_time(coordinate(static_cast<std::size_t>(time))) : other_axis < 0) return false;
    return (axis < 0 || holds_place(coordinate(static_cast<std::size_t>(axis)))) &&
           (other_axis < 0 || holds_other(coordinate(static_cast<std::size_t>(other_axis))));
  }
};

}  // namespace gwrm
