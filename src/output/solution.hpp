// The answer of a time-spectral run or of a branch: one piecewise polynomial in (t or s, parameters, space) per field.
//
// One axis at most is divided into windows: time, or the arc length s of a branch. Within a window an axis of space may
// be divided into subdomains, the same for all fields but not the same in all windows. In two and three dimensions the
// subdomains are the tensor grid of the axes'.
#pragma once

#include <string>
#include <vector>

#include "basis/axis_description.hpp"
#include "core/array.hpp"
#include "core/axis.hpp"

namespace gwrm {

// Coefficients u = sum a_kl.. phi_k phi_l .. of one field, phi those of the bases of its axes (basis/axis_basis.hpp).
struct FieldSolution {
  std::string name;
  std::vector<int> axes;       // the dimensions it depends on, as indices into Solution::axes, ascending
  std::vector<Array> windows;  // one array per window, n_coefficients() extents along `axes` in that order;
                               // a single one, in the subdomains of the first window, if it is the same in all windows
};

struct Solution {
  std::vector<Axis> axes;                                // (t or s, parameters, z, y, x): the order of every array
  std::vector<double> window_edges;                      // t_0 < ... < t_n on the windowed axis; empty without
  std::vector<std::vector<AxisDescription>> subdomains;  // per window (one if there is no windowed axis), per axis
  std::vector<FieldSolution> fields;

  int windowed_axis() const;  // the axis that is divided into windows: index or -1
  std::size_t n_windows() const { return window_edges.empty() ? 1 : window_edges.size() - 1; }
  // The window that holds t; an edge belongs to the window it ends. t outside is clamped to the first or last.
  std::size_t window_of(double t) const;
  const FieldSolution* find_field(const std::string& name) const;
  // ShapeError unless there are subdomains for every window and axis, their edges ascend from end to end of the axis
  // (of the window, for the windowed axis, which is not divided further), and every array has as many coefficients as
  // the subdomains.
  void check() const;
};

}  // namespace gwrm
