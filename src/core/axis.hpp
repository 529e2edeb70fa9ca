// A dimension of a problem or of its result.
#pragma once

#include <string>

namespace gwrm {

// Arc length is the coordinate of a branch of steady solutions: results have it, no case does; nor the axis of
// modes, which counts them: mode k is its window from k - 1/2 to k + 1/2, in which nothing varies.
enum class AxisKind { time, space, parameter, arc_length, mode };

// Divided into windows, the coefficients of each an array of their own: the steps of a march or of a branch, or modes.
inline bool is_windowed(AxisKind kind) {
  return kind == AxisKind::time || kind == AxisKind::arc_length || kind == AxisKind::mode;
}

// How [lower, upper] is mapped to the Chebyshev interval [-1, 1]: affinely in z, or affinely in log z (0 < lower).
enum class MapKind { linear, log };

// Names of bases (basis/axis_basis.hpp): what a case file can ask for along an axis.
inline constexpr const char* kChebyshev = "chebyshev";
inline constexpr const char* kFourier = "fourier";

struct Axis {
  std::string name;
  AxisKind kind = AxisKind::space;
  double lower = 0.0;
  double upper = 1.0;
  MapKind map = MapKind::linear;
};

}  // namespace gwrm
