// The answer of a time-spectral run: one polynomial in (t, parameters, space) per field and time window.
#pragma once

#include <string>
#include <vector>

#include "core/axis.hpp"
#include "core/matrix.hpp"

namespace gwrm {

// Plain Chebyshev coefficients u = sum a_k T_k T_l ... (no halved first terms) of one field.
struct FieldSolution {
  std::string name;
  std::vector<int> axes;       // the dimensions it depends on, as indices into Solution::axes, ascending
  std::vector<Array> windows;  // one array per time window, (degree + 1) extents along `axes` in that order;
                               // a single entry if the problem has no time
};

struct Solution {
  std::vector<Axis> axes;            // (t, parameters, z, y, x): the order of every array
  std::vector<int> degrees;          // per axis
  std::vector<double> window_edges;  // times t_0 < ... < t_n; empty without time
  std::vector<FieldSolution> fields;

  int time_axis() const;  // index or -1
  std::size_t n_windows() const { return window_edges.empty() ? 1 : window_edges.size() - 1; }
  // The window that holds time t; an edge belongs to the window it ends. t outside is clamped to the first or last.
  std::size_t window_of(double t) const;
  const FieldSolution* find_field(const std::string& name) const;
};

}  // namespace gwrm
