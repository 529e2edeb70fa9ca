#include "output/solution.hpp"

#include <algorithm>
#include <functional>

#include "core/errors.hpp"

namespace gwrm {
int Solution::time_axis() const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].kind == AxisKind::time) return static_cast<int>(i);
  return -1;
}

std::size_t Solution::window_of(double t) const {
  return n_windows() == 1 ? 0 : static_cast<std::size_t>(interval_of(window_edges, t));
}

const FieldSolution* Solution::find_field(const std::string& name) const {
  for (const FieldSolution& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

void Solution::check() const {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw ShapeError("solution: " + what);
  };
  const int time = time_axis();
  require((time >= 0) == (window_edges.size() >= 2), "a problem in time, and no other, needs window edges");
  require(pieces.size() == n_windows(), "every window needs its pieces");
  for (std::size_t w = 0; w < pieces.size(); ++w) {
    require(pieces[w].size() == axes.size(), "every axis needs its pieces in every window");
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto& [degree, edges] = pieces[w][i];
      const bool is_time = static_cast<int>(i) == time;
      const bool ascending = std::adjacent_find(edges.begin(), edges.end(), std::not_fn(std::less<>())) == edges.end();
      require(degree >= 0 && edges.size() >= 2 && ascending && !(is_time && edges.size() > 2) &&
                  edges.front() == (is_time ? window_edges[w] : axes[i].lower) &&
                  edges.back() == (is_time ? window_edges[w + 1] : axes[i].upper),
              "the pieces along " + axes[i].name + " do not fit it in window " + std::to_string(w));
    }
  }
  for (const FieldSolution& field : fields) {
    require(field.windows.size() == n_windows() || field.windows.size() == 1,
            field.name + " needs one array per time window");
    for (std::size_t w = 0; w < field.windows.size(); ++w) {
      Shape shape;
      for (int axis : field.axes) shape.push_back(pieces[w].at(at(axis)).n_coefficients());
      require(
          field.windows[w].shape == shape && field.windows[w].size() == element_count(shape),
          "the coefficients of " + field.name + " do not have the degrees of the axes in window " + std::to_string(w));
    }
  }
}

}  // namespace gwrm
