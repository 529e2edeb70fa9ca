#include "output/solution.hpp"

#include <algorithm>

namespace gwrm {

int Solution::time_axis() const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].kind == AxisKind::time) return static_cast<int>(i);
  return -1;
}

std::size_t Solution::window_of(double t) const {
  if (n_windows() == 1) return 0;
  // The first window whose end is not before t; the last window's end is left out of the search, which clamps.
  const auto first_end = window_edges.begin() + 1;
  return static_cast<std::size_t>(std::lower_bound(first_end, window_edges.end() - 1, t) - first_end);
}

const FieldSolution* Solution::find_field(const std::string& name) const {
  for (const FieldSolution& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

}  // namespace gwrm
