// The straight line through points, by least squares.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace gwrm {

struct StraightLine {
  double slope = 0.0, mean_x = 0.0, mean_y = 0.0;
  double rms = 0.0;  // of what the points are off

  // x: not all the same, as many as y.
  StraightLine(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean_x += x[i] / n;
      mean_y += y[i] / n;
    }
    double xx = 0.0, xy = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      xx += (x[i] - mean_x) * (x[i] - mean_x);
      xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    slope = xy / xx;
    for (std::size_t i = 0; i < x.size(); ++i) squares += (y[i] - at(x[i])) * (y[i] - at(x[i])) / n;
    rms = std::sqrt(squares);
  }

  double at(double x) const { return mean_y + slope * (x - mean_x); }
};

}  // namespace gwrm
