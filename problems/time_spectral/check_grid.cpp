#include "problems/time_spectral/check_grid.hpp"

#include <algorithm>
#include <utility>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "kernels/transform/fourier_plan.hpp"

namespace gwrm {
namespace {

void append(CheckGrid& grid, std::size_t axis, const AxisGrid& part) {
  grid.points[axis].insert(grid.points[axis].end(), part.points.begin(), part.points.end());
  grid.weights[axis].insert(grid.weights[axis].end(), part.weights.begin(), part.weights.end());
}

// Points in each subdomain: enough to see every mode, within a budget per axis that keeps the check cheaper than the
// solve.
Index check_count(const Solution& solution, std::size_t axis, const AxisBasis& basis, Index per_mode) {
  int n_space = 0;
  for (const Axis& a : solution.axes) n_space += a.kind == AxisKind::space ? 1 : 0;
  const Index budget = solution.axes[axis].kind == AxisKind::parameter ? 12
                       : n_space <= 1                                  ? 1000
                       : n_space == 2                                  ? 50
                                                                       : 24;
  const Index most = per_mode * basis.n_per_subdomain() + 2, least = std::min<Index>(4, most);
  const Index n = std::clamp<Index>(per_mode * budget / basis.n_subdomains(), least, most);
  return n == most && basis.is_periodic() ? smooth_length(n) : n;  // a length for fast transforms
}

}  // namespace

std::vector<CheckGrid> make_check_grids(const Solution& solution, int per_mode) {
  constexpr Index kTimeBudget = 2000;
  const int time = solution.windowed_axis();
  const std::size_t n_windows = solution.n_windows(), n_axes = solution.axes.size();
  const auto same_space = [&](std::size_t a, std::size_t b) {
    for (std::size_t axis = 0; axis < n_axes; ++axis)
      if (static_cast<int>(axis) != time && solution.subdomains[a][axis] != solution.subdomains[b][axis]) return false;
    return true;
  };
  std::vector<CheckGrid> grids;
  for (std::size_t begin = 0, end = 0; begin < n_windows; begin = end) {
    while (end < n_windows && same_space(begin, end)) ++end;
    CheckGrid grid{begin, end, GridPoints(n_axes), GridPoints(n_axes)};
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      if (static_cast<int>(axis) != time) {
        const auto basis = make_basis(likely_part(solution.subdomains[begin][axis]));
        append(grid, axis, ascending(basis->grid(check_count(solution, axis, *basis, per_mode))));
        continue;
      }
      for (std::size_t w = begin; w < end; ++w) {
        const auto basis = make_basis(solution.subdomains[w][axis]);
        append(grid, axis,
               ascending(basis->grid(
                   std::clamp<Index>(kTimeBudget / static_cast<Index>(n_windows), 2, basis->n_per_subdomain() + 2))));
      }
    }
    grids.push_back(std::move(grid));
  }
  return grids;
}

CheckGrid with_points(CheckGrid grid, const GridPoints& more) {
  for (std::size_t axis = 0; axis < more.size(); ++axis)
    for (double z : more[axis]) {
      std::vector<double>& points = grid.points[axis];
      const auto place = std::lower_bound(points.begin(), points.end(), z);
      grid.weights[axis].insert(grid.weights[axis].begin() + (place - points.begin()), 0.0);
      points.insert(place, z);
    }
  return grid;
}

std::vector<double> squares_over(const Array& v, const CheckGrid& grid, const std::vector<int>& axes, int kept) {
  std::vector<double> sums(kept < 0 ? 1 : static_cast<std::size_t>(v.shape[kept]), 0.0);
  std::vector<Index> index(v.shape.size(), 0);
  // Rows along the last axis, whose weight is the last factor.
  const int last = static_cast<int>(v.shape.size()) - 1;
  const Index width = v.shape.empty() ? 1 : v.shape.back();
  const bool weighs = std::find(axes.begin(), axes.end(), last) != axes.end();
  for (std::size_t first = 0; first < v.data.size(); first += static_cast<std::size_t>(width)) {
    double of_row = 1.0;
    for (int axis : axes)
      if (axis != last) of_row *= grid.weights[axis][static_cast<std::size_t>(index[axis])];
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
      const double value = v.data[first + i], weight = weighs ? of_row * grid.weights[last][i] : of_row;
      sums[kept < 0 ? 0 : kept == last ? i : static_cast<std::size_t>(index[kept])] += weight * value * value;
    }
    for (int axis = last; axis-- > 0;) {
      Index& i = index[static_cast<std::size_t>(axis)];
      if (++i < v.shape[axis]) break;
      i = 0;
    }
  }
  return sums;
}

}  // namespace gwrm
