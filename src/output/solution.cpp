#include "output/solution.hpp"

#include <algorithm>
#include <functional>

#include "basis/axis_basis.hpp"
#include "core/errors.hpp"

namespace gwrm {

int Solution::windowed_axis() const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (is_windowed(axes[i].kind)) return static_cast<int>(i);
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
  const int windowed = windowed_axis();
  require((windowed >= 0) == (window_edges.size() >= 2),
          "a problem in time or a branch, and no other, needs window edges");
  require(subdomains.size() == n_windows(), "every window needs its subdomains");
  for (std::size_t w = 0; w < subdomains.size(); ++w) {
    require(subdomains[w].size() == axes.size(), "every axis needs its subdomains in every window");
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto& [degree, edges, map, basis] = subdomains[w][i];
      const bool in_windows = static_cast<int>(i) == windowed;
      const bool ascending = std::adjacent_find(edges.begin(), edges.end(), std::not_fn(std::less<>())) == edges.end();
      require(is_basis(basis), "there is no basis " + basis + " along " + axes[i].name);
      require(degree >= 0 && map == axes[i].map && edges.size() >= 2 && ascending &&
                  !(in_windows && edges.size() > 2) &&
                  edges.front() == (in_windows ? window_edges[w] : axes[i].lower) &&
                  edges.back() == (in_windows ? window_edges[w + 1] : axes[i].upper),
              "the subdomains along " + axes[i].name + " do not fit it in window " + std::to_string(w));
    }
  }
  for (const FieldSolution& field : fields) {
    require(field.windows.size() == n_windows() || field.windows.size() == 1,
            field.name + " needs one array per window");
    for (std::size_t w = 0; w < field.windows.size(); ++w) {
      Shape shape;
      for (int axis : field.axes) shape.push_back(subdomains[w].at(at(axis)).n_coefficients());
      require(
          field.windows[w].shape == shape && field.windows[w].size() == element_count(shape),
          "the coefficients of " + field.name + " do not have the degrees of the axes in window " + std::to_string(w));
    }
  }
}

}  // namespace gwrm
