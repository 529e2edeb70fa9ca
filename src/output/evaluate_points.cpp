#include "output/evaluate_points.hpp"

#include <algorithm>
#include <limits>

#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "output/point_plan.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

// Cells are the subdomains of the axes in use, window after window.
class Cells {
 public:
  Cells(const Solution& solution, const ScatteredPoints& points, std::uint32_t used)
      : solution_(solution), points_(points), time_(solution.windowed_axis()) {
    for (std::size_t axis = 0; axis < solution.axes.size(); ++axis)
      if (used >> axis & 1u) axes_.push_back(axis);
    for (std::size_t w = 0; w < solution.n_windows(); ++w) {
      first_.push_back(count_);
      std::size_t own = 1;
      for (std::size_t axis : axes_) own *= static_cast<std::size_t>(solution.subdomains[w][axis].n_subdomains());
      count_ += own;
    }
  }

  std::size_t count() const { return count_; }
  const std::vector<std::size_t>& axes() const { return axes_; }
  double coordinate(std::size_t axis, std::size_t p) const {
    return points_.axes[axis].size() == 1 ? points_.axes[axis][0] : points_.axes[axis][p];
  }
  bool is_used(int axis) const { return std::find(axes_.begin(), axes_.end(), at(axis)) != axes_.end(); }
  std::size_t window_of(std::size_t p) const {
    return time_ < 0 || !is_used(time_) ? 0 : solution_.window_of(coordinate(at(time_), p));
  }

  std::size_t of(std::size_t p) const {
    for (std::size_t axis : axes_) {
      const double z = coordinate(axis, p);
      const bool in_windows = static_cast<int>(axis) == time_;
      const double lower = in_windows ? solution_.window_edges.front() : solution_.axes[axis].lower;
      const double upper = in_windows ? solution_.window_edges.back() : solution_.axes[axis].upper;
      if (!(z >= lower && z <= upper)) return kNowhere;
    }
    const std::size_t window = window_of(p);
    std::size_t cell = 0;
    for (std::size_t axis : axes_) {
      const AxisDescription& own = solution_.subdomains[window][axis];
      cell = cell * static_cast<std::size_t>(own.n_subdomains()) +
             static_cast<std::size_t>(own.subdomain_of(coordinate(axis, p)));
    }
    return first_[window] + cell;
  }

 private:
  const Solution& solution_;
  const ScatteredPoints& points_;
  int time_;
  std::vector<std::size_t> axes_, first_;
  std::size_t count_ = 0;
};

// Points [first, first + count) of the order.
struct Run {
  std::size_t first, count;
};

// Counting sort by cells; blocks do not cross from one to the next.
void sort_points(const Cells& cells, std::size_t n_points, std::vector<std::size_t>& order, std::vector<Run>& blocks) {
  std::vector<std::size_t> next(cells.count() + 1, 0);
  for (std::size_t p = 0; p < n_points; ++p)
    if (const std::size_t cell = cells.of(p); cell != kNowhere) ++next[cell + 1];
  constexpr auto longest = static_cast<std::size_t>(cpu::kScatteredBlock);
  for (std::size_t cell = 0; cell < cells.count(); ++cell) {
    const std::size_t begin = next[cell], end = next[cell + 1] += begin;
    for (std::size_t first = begin; first < end; first += longest)
      blocks.push_back({first, std::min(longest, end - first)});
  }
  order.resize(next.back());
  for (std::size_t p = 0; p < n_points; ++p)
    if (const std::size_t cell = cells.of(p); cell != kNowhere) order[next[cell]++] = p;
}

void check_shapes(const expression::Pool& pool, const Solution& solution, const ScatteredPoints& points) {
  if (points.axes.size() != solution.axes.size() || pool.symbols().axes.size() != solution.axes.size())
    throw ShapeError("evaluate: points, symbols and solution must have the same axes");
  if (solution.subdomains.size() != solution.n_windows() || solution.subdomains.front().size() != solution.axes.size())
    throw ShapeError("evaluate: the solution lacks the subdomains of its windows and axes");
  for (const auto& axis : points.axes)
    if (axis.size() != 1 && axis.size() != points.count)
      throw ShapeError("evaluate: an axis needs a coordinate for each point, or one for all");
}

}  // namespace

std::vector<std::vector<double>> evaluate_points(const expression::Pool& pool, const Solution& solution,
                                                 std::span<const expression::Expr> es, const ScatteredPoints& points,
                                                 int n_threads) {
  check_shapes(pool, solution, points);
  std::uint32_t used = 0;
  for (expression::Expr e : es) used |= e->facts.axes;
  const Cells cells(solution, points, used);
  std::vector<std::size_t> order;
  std::vector<Run> blocks;
  sort_points(cells, points.count, order, blocks);

  const WindowBases bases(solution);
  const PointPlan plan(pool, solution, bases, es);
  std::vector<std::vector<double>> values(es.size(),
                                          std::vector<double>(points.count, std::numeric_limits<double>::quiet_NaN()));
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
  for (std::size_t b = 0; b < blocks.size(); ++b)
    errors.run([&] {
      const Run& run = blocks[b];
      PointBlock block{run.count, cells.window_of(order[run.first]), {}};
      block.axes.resize(solution.axes.size());
      for (std::size_t axis = 0; axis < block.axes.size(); ++axis) block.axes[axis].numbers[0] = points.axes[axis][0];
      for (std::size_t axis : cells.axes()) {
        PointBlock::Coordinates& own = block.axes[axis];
        own.is_fixed = points.axes[axis].size() == 1;
        for (std::size_t i = 0; i < run.count; ++i) own.numbers[i] = cells.coordinate(axis, order[run.first + i]);
        own.subdomain = solution.subdomains[block.window][axis].subdomain_of(own.numbers[0]);
      }
      std::vector<BlockNumbers> own(es.size());
      plan.evaluate(block, own);
      for (std::size_t e = 0; e < es.size(); ++e)
        for (std::size_t i = 0; i < run.count; ++i) values[e][order[run.first + i]] = own[e][i];
    });
  errors.rethrow();
  return values;
}

}  // namespace gwrm
