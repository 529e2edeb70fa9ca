#include "problems/time_spectral/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/parameter_statistics.hpp"

namespace gwrm {
namespace {

std::vector<double> sample_points(const Case& problem, const Axis& axis) {
  for (const GridAxis& grid : problem.output.grid) {
    if (grid.axis != axis.name) continue;
    if (grid.count == 0) return grid.points;
    std::vector<double> points;
    for (int i = 0; i < grid.count; ++i) {
      const double s = grid.count == 1 ? 0.0 : static_cast<double>(i) / (grid.count - 1);
      points.push_back(axis.map == MapKind::log ? axis.lower * std::pow(axis.upper / axis.lower, s)
                                                : axis.lower + s * (axis.upper - axis.lower));
    }
    if (grid.count > 1) points.back() = axis.upper;
    return points;
  }
  return {axis.lower, axis.upper};
}

}  // namespace

void sample_fields(const Case& problem, const Model& model, RunOutcome& outcome) {
  outcome.grid.clear();
  outcome.fields.clear();
  outcome.statistics.clear();
  for (const Axis& axis : model.axes) {
    std::vector<double> grid = sample_points(problem, axis);
    if (axis.kind == AxisKind::time) {
      const double last = outcome.solution.window_edges.back();
      std::erase_if(grid, [&](double t) { return t > last; });
      if (grid.empty()) grid = {last};
    }
    outcome.grid.push_back(std::move(grid));
  }
  for (const NamedExpression& field : problem.output.fields) {
    const expression::Expr e = expression::lower(*model.pool, expression::parse(*model.pool, field.text));
    SampledField sampled{field.name, field.text.text, {}, {}};
    GridPoints grid = outcome.grid;
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      if ((e->facts.axes >> axis & 1u) != 0)
        sampled.axes.push_back(static_cast<int>(axis));
      else
        grid[axis].resize(1);
    }
    sampled.values = evaluate(*model.pool, outcome.solution, e, grid);
    sampled.values.shape.clear();
    for (int axis : sampled.axes) sampled.values.shape.push_back(static_cast<Index>(grid[at(axis)].size()));
    // What uncertain parameters do to it.
    const bool uncertain = std::any_of(sampled.axes.begin(), sampled.axes.end(), [&](int axis) {
      return model.axes[at(axis)].kind == AxisKind::parameter;
    });
    if (uncertain && problem.output.statistics == StatisticsChoice::automatic)
      outcome.statistics.push_back(
          {field.name, field.text.text, parameter_statistics(*model.pool, outcome.solution, e, outcome.grid)});
    outcome.fields.push_back(std::move(sampled));
  }
}

}  // namespace gwrm
