#include "output/solution_difference.hpp"

#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/errors.hpp"
#include "output/evaluate.hpp"

namespace gwrm {
namespace {

struct WeightedGrid {
  GridPoints points;
  GridPoints weights;
};

// Points per dimension: the whole grid stays below some hundred thousand.
Index budget(std::size_t n_axes) {
  return n_axes <= 1 ? 2000 : n_axes == 2 ? 400 : n_axes == 3 ? 60 : 20;
}

bool covers(const Solution& solution, std::size_t axis, double z) {
  const bool in_windows = static_cast<int>(axis) == solution.windowed_axis();
  const double lower = in_windows ? solution.window_edges.front() : solution.axes[axis].lower;
  const double upper = in_windows ? solution.window_edges.back() : solution.axes[axis].upper;
  return z >= lower && z <= upper;
}

WeightedGrid gauss_points(const Solution& run, const Solution& finer) {
  WeightedGrid grid;
  for (std::size_t axis = 0; axis < finer.axes.size(); ++axis) {
    const bool in_windows = static_cast<int>(axis) == finer.windowed_axis();
    AxisDescription parts = likely_part(finer.subdomains.front()[axis]);
    if (in_windows) parts.edges = finer.window_edges;
    const AxisGrid all = ascending(make_basis(parts)->grid(
        std::max<Index>(2, std::min<Index>(60, budget(finer.axes.size()) / parts.n_subdomains()))));
    grid.points.emplace_back();
    grid.weights.emplace_back();
    for (Index k = 0; k < all.points.size(); ++k) {
      if (!covers(run, axis, all.points(k))) continue;
      grid.points.back().push_back(all.points(k));
      grid.weights.back().push_back(all.weights(k));
    }
  }
  return grid;
}

FieldDifference difference(expression::Pool& pool, const FieldSolution& field, const Solution& run,
                           const Solution& finer, const WeightedGrid& grid, std::span<const LeftOut> left_out) {
  const expression::Expr u = pool.field(field.name);
  const Array a = evaluate(pool, run, u, grid.points), b = evaluate(pool, finer, u, grid.points);
  DifferenceSums sums;
  std::vector<std::size_t> index(grid.points.size(), 0);
  std::vector<double> coordinates(grid.points.size());
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    double weight = 1.0;
    for (int axis : field.axes) weight *= grid.weights[axis][index[axis]];
    for (std::size_t axis = 0; axis < index.size(); ++axis) coordinates[axis] = grid.points[axis][index[axis]];
    if (std::none_of(left_out.begin(), left_out.end(), [&](const LeftOut& place) {
          return place.concerns(field.name) &&
                 place.holds(finer.windowed_axis(), [&](std::size_t axis) { return coordinates[axis]; });
        }))
      sums.add(a.data[i], b.data[i], weight);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < grid.points[axis].size()) break;
      index[axis] = 0;
    }
  }
  return sums.result(field.name);
}

}  // namespace

void DifferenceSums::add(double value, double fine, double weight) {
  if (std::isnan(value) && std::isnan(fine)) return;  // both say that there is no number
  const double d = value == fine ? 0.0 : std::abs(value - fine);
  worst_ = std::isnan(d) || std::isnan(worst_) ? std::nan("") : std::max(worst_, d);
  largest_ = std::max(largest_, std::abs(fine));
  squares_ += weight * d * d;
  fine_squares_ += weight * fine * fine;
}

FieldDifference DifferenceSums::result(const std::string& field) const {
  return {field, worst_, largest_ > 0.0 ? worst_ / largest_ : worst_,
          std::sqrt(fine_squares_ > 0.0 ? squares_ / fine_squares_ : squares_)};
}

std::vector<FieldDifference> solution_differences(const Solution& run, const Solution& finer,
                                                  std::span<const LeftOut> left_out) {
  const auto same_axis = [](const Axis& a, const Axis& b) { return a.name == b.name && a.kind == b.kind; };
  if (!std::equal(run.axes.begin(), run.axes.end(), finer.axes.begin(), finer.axes.end(), same_axis))
    throw ShapeError("the two solutions have different dimensions");
  expression::Symbols symbols;
  symbols.axes = finer.axes;
  for (const FieldSolution& field : finer.fields) {
    symbols.fields.push_back({field.name, {}});
    for (int axis : field.axes) symbols.fields.back().dims.push_back(finer.axes[axis].name);
  }
  expression::Pool pool(symbols);
  const WeightedGrid grid = gauss_points(run, finer);
  std::vector<FieldDifference> differences;
  for (const std::vector<double>& points : grid.points)
    if (points.empty()) return differences;
  for (const FieldSolution& field : finer.fields) {
    const FieldSolution* other = run.find_field(field.name);
    if (other != nullptr && other->axes == field.axes)
      differences.push_back(difference(pool, field, run, finer, grid, left_out));
  }
  return differences;
}

}  // namespace gwrm
