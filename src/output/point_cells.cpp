#include "output/point_cells.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace gwrm {

std::uint32_t used_axes(std::span<const expression::Expr> es) {
  std::uint32_t used = 0;
  for (expression::Expr e : es) used |= e->facts.axes;
  return used;
}

PointCells::PointCells(const Solution& solution, const ScatteredPoints& points, std::uint32_t used, bool common)
    : solution_(solution), points_(points), time_(solution.windowed_axis()) {
  for (std::size_t axis = 0; axis < solution.axes.size(); ++axis)
    if (used >> axis & 1u) axes_.push_back(axis);
  for (std::size_t w = 0; w < solution.n_windows(); ++w) {
    edges_.emplace_back();
    for (std::size_t axis : axes_) edges_.back().push_back(solution.subdomains[w][axis].edges);
  }
  for (std::size_t k = 0; common && k < axes_.size(); ++k) {
    if (static_cast<int>(axes_[k]) == time_) continue;
    std::vector<double> all;
    for (const auto& window : edges_) all.insert(all.end(), window[k].begin(), window[k].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (auto& window : edges_) window[k] = all;
  }
  for (const auto& window : edges_) {
    first_.push_back(count_);
    std::size_t own = 1;
    for (const auto& edges : window) own *= edges.size() - 1;
    count_ += own;
    if (count_ >= kNowhere) throw MemoryError("more cells than points can be sorted by: windows times subdomains");
  }
}

std::size_t PointCells::window_of(std::size_t p) const {
  const bool in_use = time_ >= 0 && std::find(axes_.begin(), axes_.end(), at(time_)) != axes_.end();
  return in_use ? solution_.window_of(coordinate(at(time_), p)) : 0;
}

std::uint32_t PointCells::of(std::size_t p) const {
  for (std::size_t axis : axes_) {
    const double z = coordinate(axis, p);
    const bool in_windows = static_cast<int>(axis) == time_;
    const double lower = in_windows ? solution_.window_edges.front() : solution_.axes[axis].lower;
    const double upper = in_windows ? solution_.window_edges.back() : solution_.axes[axis].upper;
    if (!(z >= lower && z <= upper)) return kNowhere;
  }
  const std::size_t window = window_of(p);
  std::size_t cell = 0;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const std::vector<double>& edges = edges_[window][k];
    cell = cell * (edges.size() - 1) + static_cast<std::size_t>(interval_of(edges, coordinate(axes_[k], p)));
  }
  return static_cast<std::uint32_t>(first_[window] + cell);
}

// By counting.
SortedPoints sort_points(const PointCells& cells, std::size_t n_points, std::size_t longest, int n_threads) {
  std::vector<std::uint32_t> cell_of(n_points);
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (std::size_t p = 0; p < n_points; ++p) cell_of[p] = cells.of(p);
  std::vector<std::size_t> next(cells.count() + 1, 0);
  for (std::uint32_t cell : cell_of)
    if (cell != PointCells::kNowhere) ++next[cell + 1];
  SortedPoints sorted;
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    const std::size_t begin = next[cell], end = next[cell + 1] += begin;
    for (std::size_t first = begin; first < end; first += longest)
      sorted.blocks.push_back({first, std::min(longest, end - first), static_cast<std::uint32_t>(cell)});
  }
  sorted.order.resize(next.back());
  for (std::size_t p = 0; p < n_points; ++p)
    if (cell_of[p] != PointCells::kNowhere) sorted.order[next[cell_of[p]]++] = p;
  return sorted;
}

void gather_values(const SortedPoints& points, std::size_t first, const double* all, std::span<double> sorted,
                   int n_threads) {
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = all[points.order[first + i]];
}

void scatter_values(const SortedPoints& points, std::size_t first, std::span<const double> sorted, double* all,
                    int n_threads) {
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (std::size_t i = 0; i < sorted.size(); ++i) all[points.order[first + i]] = sorted[i];
}

}  // namespace gwrm
