#include "expression/sampled_axis.hpp"

#include <algorithm>
#include <utility>

#include "core/errors.hpp"

namespace gwrm::expression {

SampledAxis::SampledAxis(std::vector<double> points, const std::vector<double>& edges) : points_(std::move(points)) {
  if (points_.empty() || edges.size() < 2 || !std::is_sorted(points_.begin(), points_.end()) ||
      !std::is_sorted(edges.begin(), edges.end()))
    throw ShapeError("SampledAxis: points and edges have to be given in ascending order, one point at least");
  length_ = edges.back() - edges.front();
  for (std::size_t s = 0; s + 1 < edges.size(); ++s) {
    // A point on an inner edge belongs to the subdomain that it ends.
    const auto begin = s == 0 ? points_.begin() : std::upper_bound(points_.begin(), points_.end(), edges[s]);
    const auto end =
        s + 2 == edges.size() ? points_.end() : std::upper_bound(points_.begin(), points_.end(), edges[s + 1]);
    first_point_.push_back(static_cast<std::size_t>(begin - points_.begin()));

    std::vector<std::pair<double, bool>> ends{{edges[s], false}};
    for (auto point = begin; point != end; ++point) ends.emplace_back(*point, true);
    ends.emplace_back(edges[s + 1], false);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const auto [lower, lower_is_point] = ends[i];
      const auto [upper, upper_is_point] = ends[i + 1];
      if (!(upper - lower > kNarrowest * length_)) continue;
      const std::size_t right = first_point_.back() + i;  // the first point at or behind the upper end
      const std::size_t last = points_.size() - 1;
      cells_.push_back(
          {lower, upper, lower_is_point, upper_is_point, right >= 2 ? right - 2 : 0, std::min(right + 1, last), s});
    }
  }
  first_point_.push_back(points_.size());
}

Stencil SampledAxis::interpolation(const Cell& cell, double z, std::size_t width) const {
  const std::size_t begin = first_point_[cell.subdomain], end = first_point_[cell.subdomain + 1];
  if (begin == end) return {cell.first, {1.0}};  // a subdomain without points: its neighbour's
  const std::size_t n = std::min(width, end - begin);
  const auto right = std::lower_bound(points_.begin() + static_cast<std::ptrdiff_t>(begin),
                                      points_.begin() + static_cast<std::ptrdiff_t>(end), cell.upper);
  const std::size_t middle = static_cast<std::size_t>(right - points_.begin());
  const std::size_t first = std::clamp(middle - std::min(n / 2, middle), begin, end - n);
  Stencil stencil{first, std::vector<double>(n, 1.0)};  // Lagrange's form
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) stencil.weights[i] *= (z - points_[first + j]) / (points_[first + i] - points_[first + j]);
  return stencil;
}

}  // namespace gwrm::expression
