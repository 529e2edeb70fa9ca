#include "problems/convergence/self_difference.hpp"

#include <algorithm>
#include <cmath>

#include "output/evaluate.hpp"
#include "spectral/axis_map.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

struct WeightedGrid {
  GridPoints points;
  GridPoints weights;
};

constexpr std::size_t kFewestCommon = 5;  // points of two grids along a dimension, or all of the coarser one

// Points per dimension: the whole grid stays below some hundred thousand.
Index budget(std::size_t n_axes) {
  return n_axes <= 1 ? 2000 : n_axes == 2 ? 400 : n_axes == 3 ? 60 : 20;
}

WeightedGrid gauss_points(const Solution& solution) {
  WeightedGrid grid;
  for (std::size_t axis = 0; axis < solution.axes.size(); ++axis) {
    const bool is_time = static_cast<int>(axis) == solution.time_axis();
    const std::vector<double>& edges = is_time ? solution.window_edges : solution.pieces.front()[axis].edges;
    const auto n_parts = static_cast<Index>(edges.size()) - 1;
    const QuadratureRule rule(std::max<Index>(2, std::min<Index>(60, budget(solution.axes.size()) / n_parts)));
    grid.points.emplace_back();
    grid.weights.emplace_back();
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const AxisMap interval(edges[i], edges[i + 1], solution.axes[axis].map);
      const Vector z = rule.points(interval), q = rule.weights(interval);
      for (Index k = z.size(); k-- > 0;) {  // ascending
        grid.points.back().push_back(z(k));
        grid.weights.back().push_back(q(k));
      }
    }
  }
  return grid;
}

class Sums {
 public:
  void add(double value, double fine, double weight) {
    const double d = std::abs(value - fine);
    worst_ = std::isnan(d) ? d : std::max(worst_, d);
    largest_ = std::max(largest_, std::abs(fine));
    squares_ += weight * d * d;
    fine_squares_ += weight * fine * fine;
  }
  FieldDifference result(const std::string& field) const {
    return {field, largest_ > 0.0 ? worst_ / largest_ : worst_,
            std::sqrt(fine_squares_ > 0.0 ? squares_ / fine_squares_ : squares_)};
  }

 private:
  double worst_ = 0.0, largest_ = 0.0, squares_ = 0.0, fine_squares_ = 0.0;
};

FieldDifference polynomial_difference(expression::Pool& pool, const FieldSolution& field, const Solution& coarse,
                                      const Solution& fine, const WeightedGrid& grid) {
  const expression::Expr u = pool.field(field.name);
  const Array a = evaluate(pool, coarse, u, grid.points), b = evaluate(pool, fine, u, grid.points);
  Sums sums;
  std::vector<std::size_t> index(grid.points.size(), 0);
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    double weight = 1.0;
    for (int axis : field.axes) weight *= grid.weights[at(axis)][index[at(axis)]];
    sums.add(a.data[i], b.data[i], weight);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < grid.points[axis].size()) break;
      index[axis] = 0;
    }
  }
  return sums.result(field.name);
}

// Pairs (index in a, index in b) of equal coordinates; both ascend.
std::vector<std::pair<std::size_t, std::size_t>> common_points(const std::vector<double>& a,
                                                               const std::vector<double>& b) {
  const double slack = 1e-9 * std::abs(b.back() - b.front()) / static_cast<double>(std::max<std::size_t>(1, b.size()));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j] < a[i] - slack) ++j;
    if (j < b.size() && std::abs(b[j] - a[i]) <= slack) pairs.emplace_back(i, j);
  }
  return pairs;
}

FieldDifference grid_difference(const Case& problem, const RunOutcome& run, const RunOutcome& finest) {
  const SampledField &a = run.fields.front(), &b = finest.fields.front();
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairs;
  for (int axis : b.axes) {
    pairs.push_back(common_points(run.grid[at(axis)], finest.grid[at(axis)]));
    if (pairs.back().size() < std::min(kFewestCommon, run.grid[at(axis)].size()))
      throw CaseError(problem.path +
                      ": error: the grids of this study have too few points in common: let the numbers of "
                      "intervals divide each other, as 16, 32, 64, or give `exact`");
  }
  Sums sums;
  const std::size_t n_fast_a = pairs.size() == 2 ? run.grid[1].size() : 1,
                    n_fast_b = pairs.size() == 2 ? finest.grid[1].size() : 1;
  for (const auto& [ja, jb] : pairs.front()) {
    if (pairs.size() == 1) {
      sums.add(a.values.data[ja], b.values.data[jb], 1.0);
      continue;
    }
    for (const auto& [ia, ib] : pairs.back())
      sums.add(a.values.data[ja * n_fast_a + ia], b.values.data[jb * n_fast_b + ib], 1.0);
  }
  return sums.result(b.name);
}

}  // namespace

std::vector<FieldDifference> self_differences(const Case& problem, const RunOutcome& run, const RunOutcome& finest) {
  if (finest.solution.fields.empty()) return {grid_difference(problem, run, finest)};
  expression::Pool pool(problem.symbols());
  const WeightedGrid grid = gauss_points(finest.solution);
  std::vector<FieldDifference> differences;
  for (const FieldSolution& field : finest.solution.fields)
    differences.push_back(polynomial_difference(pool, field, run.solution, finest.solution, grid));
  return differences;
}

}  // namespace gwrm
