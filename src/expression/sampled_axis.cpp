#include "expression/sampled_axis.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
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
  find_reach();
}

SampledAxis SampledAxis::equal(double lower, double upper, std::size_t intervals) {
  if (intervals == 0 || !(lower < upper))
    throw ShapeError("SampledAxis: one interval at least, its ends in ascending order");
  SampledAxis axis;
  axis.intervals_ = intervals;
  axis.lower_ = lower;
  axis.upper_ = upper;
  axis.length_ = upper - lower;
  return axis;
}

SampledAxis SampledAxis::around(std::vector<double> points, double length) {
  if (points.empty()) throw ShapeError("SampledAxis: one point at least");
  const double first = points.front(), last = points.back();
  const std::size_t n = points.size();
  points.insert(points.begin(), last - length);
  points.push_back(first + length);
  const std::vector<double> ends{points.front(), points.back()};
  SampledAxis axis(std::move(points), ends);
  axis.n_around_ = n;
  return axis;
}

std::vector<double> SampledAxis::trigonometric_weights(double fraction) const {
  const auto n = static_cast<double>(n_around_);
  std::vector<double> weights(n_around_, 0.0);
  // sin(n s/2) without the whole turns in it.
  const double sine = std::sin(std::numbers::pi * fraction);
  for (std::size_t d = 0; d < n_around_; ++d) {
    const double half = std::numbers::pi * (static_cast<double>(d) + fraction) / n, below = std::sin(half);
    if (below == 0.0) {
      weights.assign(n_around_, 0.0);
      weights[d] = 1.0;
      return weights;
    }
    weights[d] = (d % 2 == 0 ? sine : -sine) / (n * below) * (n_around_ % 2 == 0 ? std::cos(half) : 1.0);
  }
  return weights;
}

double SampledAxis::point(std::size_t i) const {
  if (intervals_ == 0) return points_[i];
  return i == intervals_ ? upper_ : lower_ + length_ / static_cast<double>(intervals_) * static_cast<double>(i);
}

SampledAxis::Cell SampledAxis::cell(std::size_t k) const {
  if (intervals_ == 0) return cells_[k];
  return {point(k), point(k + 1), true, true, k >= 1 ? k - 1 : 0, std::min(k + 2, intervals_), 0};
}

std::size_t SampledAxis::cell_at(double z) const {
  if (intervals_ > 0) {
    const double place = std::floor((z - lower_) / length_ * static_cast<double>(intervals_));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(intervals_)));
  }
  const auto found =
      std::upper_bound(cells_.begin(), cells_.end(), z, [](double at, const Cell& each) { return at < each.upper; });
  return static_cast<std::size_t>(found - cells_.begin());
}

void SampledAxis::find_reach() {
  reach_.emplace_back();
  for (const Cell& cell : cells_)
    reach_[0].push_back((cell.lower_is_point && cell.upper_is_point ? 0.5 : 1.0) * (cell.upper - cell.lower));
  for (std::size_t length = 1; 2 * length <= reach_[0].size(); length *= 2) {
    const std::vector<double>& half = reach_.back();
    std::vector<double> both(half.size() - length);
    for (std::size_t k = 0; k < both.size(); ++k) both[k] = std::max(half[k], half[k + length]);
    reach_.push_back(std::move(both));
  }
}

double SampledAxis::reach(std::size_t first, std::size_t last) const {
  if (intervals_ > 0) return 0.5 * length_ / static_cast<double>(intervals_);
  const auto level = static_cast<std::size_t>(std::bit_width(last - first + 1)) - 1;
  return std::max(reach_[level][first], reach_[level][last + 1 - (std::size_t{1} << level)]);
}

Stencil SampledAxis::interpolation(const Cell& cell, double z, std::size_t width) const {
  if (n_around_ > 0) {
    const double distance = (z - points_[1]) / (points_[n_around_ + 1] - points_[1]) * static_cast<double>(n_around_);
    const double whole = std::floor(distance);
    const std::vector<double> weights = trigonometric_weights(distance - whole);
    const auto n = static_cast<std::ptrdiff_t>(n_around_), shift = static_cast<std::ptrdiff_t>(whole);
    Stencil all{1, std::vector<double>(n_around_)};
    for (std::ptrdiff_t i = 0; i < n; ++i)
      all.weights[static_cast<std::size_t>(i)] = weights[static_cast<std::size_t>(((shift - i) % n + n) % n)];
    return all;
  }
  const bool equal = intervals_ > 0;
  const std::size_t begin = equal ? 0 : first_point_[cell.subdomain],
                    end = equal ? n_points() : first_point_[cell.subdomain + 1];
  if (begin == end) return {cell.first, {1.0}};  // a subdomain without points: its neighbour's
  const std::size_t n = std::min(width, end - begin);
  std::size_t middle = 0;  // the first point at or behind the upper end
  if (equal)
    middle = static_cast<std::size_t>(std::lround((cell.upper - lower_) / length_ * static_cast<double>(intervals_)));
  else
    middle = static_cast<std::size_t>(std::lower_bound(points_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                       points_.begin() + static_cast<std::ptrdiff_t>(end), cell.upper) -
                                      points_.begin());
  const std::size_t first = std::clamp(middle - std::min(n / 2, middle), begin, end - n);
  Stencil stencil{first, std::vector<double>(n, 1.0)};  // Lagrange's form
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) stencil.weights[i] *= (z - point(first + j)) / (point(first + i) - point(first + j));
  return stencil;
}

}  // namespace gwrm::expression
