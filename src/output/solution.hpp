// The answer of a time-spectral run: one piecewise polynomial in (t, parameters, space) per field.
//
// Time is divided into windows; within a window an axis of space may be divided into subdomains, the same for all
// fields but not the same in all windows. In two and three dimensions the subdomains are the tensor grid of the axes'.
#pragma once

#include <string>
#include <vector>

#include "basis/axis_description.hpp"
#include "core/array.hpp"
#include "core/axis.hpp"

namespace gwrm {

using AxisPieces = AxisDescription;

// Plain Chebyshev coefficients u = sum a_k T_k T_l ... (no halved first terms) of one field.
struct FieldSolution {
  std::string name;
  std::vector<int> axes;       // the dimensions it depends on, as indices into Solution::axes, ascending
  std::vector<Array> windows;  // one array per time window, n_coefficients() extents along `axes` in that order;
                               // a single one, in the pieces of the first window, if it is the same at all times
};

struct Solution {
  std::vector<Axis> axes;                       // (t, parameters, z, y, x): the order of every array
  std::vector<double> window_edges;             // times t_0 < ... < t_n; empty without time
  std::vector<std::vector<AxisPieces>> pieces;  // per window (one without time), per axis
  std::vector<FieldSolution> fields;

  int time_axis() const;  // index or -1
  std::size_t n_windows() const { return window_edges.empty() ? 1 : window_edges.size() - 1; }
  // The window that holds time t; an edge belongs to the window it ends. t outside is clamped to the first or last.
  std::size_t window_of(double t) const;
  const FieldSolution* find_field(const std::string& name) const;
  // ShapeError unless there are pieces for every window and axis, their edges ascend from end to end of the axis (of
  // the window, for time, which is never divided), and every array has as many coefficients as the pieces.
  void check() const;
};

}  // namespace gwrm
