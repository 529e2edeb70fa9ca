// A dimension of the problem: time, space or a physical parameter.
#pragma once

#include <string>

namespace gwrm {

enum class AxisKind { time, space, parameter };

// How [lower, upper] is mapped to the Chebyshev interval [-1, 1]: affinely in z, or affinely in log z (0 < lower).
enum class MapKind { linear, log };

struct Axis {
  std::string name;
  AxisKind kind = AxisKind::space;
  double lower = 0.0;
  double upper = 1.0;
  MapKind map = MapKind::linear;
};

}  // namespace gwrm
