#include "problems/time_spectral/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/shared_pieces.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/parameter_statistics.hpp"
#include "problems/time_spectral/uncertain_section.hpp"

namespace gwrm {
namespace {

std::vector<double> sample_points(const Case& the_case, const Axis& axis) {
  for (const GridAxis& grid : the_case.output.grid) {
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

// Puts `part` behind `whole` along one dimension; their other extents agree.
void append(Array& whole, const Array& part, std::size_t dimension) {
  if (whole.shape.empty()) {
    whole = part;
    return;
  }
  const auto row_of = [&](const Array& a) {
    return element_count(Shape(a.shape.begin() + static_cast<std::ptrdiff_t>(dimension), a.shape.end()));
  };
  const Index whole_row = row_of(whole), part_row = row_of(part), n_rows = part.size() / part_row;
  whole.shape[dimension] += part.shape[dimension];
  Array joined(whole.shape);
  auto next = joined.data.begin();
  for (Index row = 0; row < n_rows; ++row) {
    next = std::copy_n(whole.data.begin() + row * whole_row, whole_row, next);
    next = std::copy_n(part.data.begin() + row * part_row, part_row, next);
  }
  whole = std::move(joined);
}

// The times of a grid, those of a window together up to kPointsOfPiece points.
std::vector<std::vector<double>> runs_of_times(const Solution& part, const GridPoints& grid, int time) {
  std::size_t at_a_time = 1;
  for (std::size_t axis = 0; axis < grid.size(); ++axis)
    if (static_cast<int>(axis) != time) at_a_time *= grid[axis].size();
  std::vector<std::vector<double>> runs;
  std::size_t window = 0;
  for (const double t : grid[at(time)]) {
    const std::size_t own = part.window_of(t);
    if (runs.empty() || own != window || (runs.back().size() + 1) * at_a_time > Sampler::kPointsOfPiece)
      runs.emplace_back();
    runs.back().push_back(t);
    window = own;
  }
  return runs;
}

void append(ParameterStatistics& whole, ParameterStatistics part, int time) {
  if (whole.parameters.empty()) {
    whole = std::move(part);
    return;
  }
  if (part.axes.empty() || part.axes.front() != time) return;  // the same at all times
  for (auto of_field : {&ParameterStatistics::mean, &ParameterStatistics::variance, &ParameterStatistics::std})
    append(whole.*of_field, part.*of_field, 0);
  for (auto per_parameter : {&ParameterStatistics::sensitivity, &ParameterStatistics::sensitivity_normalised,
                             &ParameterStatistics::sobol_first, &ParameterStatistics::sobol_total})
    append(whole.*per_parameter, part.*per_parameter, 1);
  if (!whole.quantile.data.empty()) append(whole.quantile, part.quantile, 1);
}

}  // namespace

Sampler::Sampler(const Case& the_case, const Model& model)
    : Sampler(the_case, model, the_case.output.fields, the_case.output.statistics) {}

Sampler::Sampler(const Case& the_case, const Model& model, const std::vector<NamedExpression>& fields,
                 StatisticsChoice statistics)
    : model_(model), quantiles_(quantiles_of(the_case)) {
  for (const Axis& axis : model.axes) {
    if (is_windowed(axis.kind)) time_ = static_cast<int>(grid_.size());
    grid_.push_back(sample_points(the_case, axis));
  }
  if (time_ >= 0) times_ = std::exchange(grid_[time_], {});
  for (const NamedExpression& named : fields) {
    Sampled sampled;
    sampled.e = expression::lower(*model.pool, expression::parse(*model.pool, named.text));
    sampled.field = {named.name, named.text.text, {}, {}};
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
      if ((sampled.e->facts.axes >> axis & 1u) == 0) continue;
      sampled.field.axes.push_back(static_cast<int>(axis));
      if (is_windowed(model.axes[axis].kind)) sampled.varies_in_time = true;
      if (model.axes[axis].kind == AxisKind::parameter)
        sampled.is_uncertain = statistics == StatisticsChoice::automatic;
    }
    fields_.push_back(std::move(sampled));
  }
}

void Sampler::add(const Solution& part, bool is_last, Communicator* ranks) {
  GridPoints grid = grid_;
  std::vector<double> times;
  if (time_ >= 0) grid[time_] = times = next_times(part.window_edges.back(), is_last);
  for (Sampled& sampled : fields_)
    if (sampled.varies_in_time ? !times.empty() : !begun_) add(sampled, part, grid, ranks);
  if (time_ >= 0) grid_[time_].insert(grid_[time_].end(), times.begin(), times.end());
  begun_ = true;
}

std::vector<double> Sampler::next_times(double end, bool is_last) {
  std::vector<double> times;
  while (n_taken_ < times_.size() && times_[n_taken_] <= end) times.push_back(times_[n_taken_++]);
  if (is_last && n_taken_ == 0) times.push_back(end);
  return times;
}

void Sampler::add(Sampled& sampled, const Solution& part, GridPoints grid, Communicator* ranks) {
  // No time of the grid needs to lie in the first part, where a field that is the same at all times is sampled.
  if (time_ >= 0 && grid[time_].empty()) grid[time_] = {part.window_edges.back()};
  if (sampled.is_uncertain)
    append(sampled.statistics, parameter_statistics(*model_.pool, part, sampled.e, grid, quantiles_), time_);
  for (std::size_t axis = 0; axis < grid.size(); ++axis)
    if ((sampled.e->facts.axes >> axis & 1u) == 0) grid[axis].resize(1);
  const auto values_on = [&](const GridPoints& points) {
    return std::move(evaluate(*model_.pool, part, std::span(&sampled.e, 1), points, true, &trials_).front());
  };
  const auto take = [&](std::vector<double> values) {
    Array taken;
    for (int axis : sampled.field.axes) taken.shape.push_back(static_cast<Index>(grid[axis].size()));
    taken.data = std::move(values);
    append(sampled.field.values, taken, 0);
  };
  if (ranks == nullptr) return take(values_on(grid).data);
  const std::vector<std::vector<double>> runs =
      sampled.varies_in_time ? runs_of_times(part, grid, time_) : std::vector<std::vector<double>>(1);
  std::vector<double> all;
  share_numbers<double>(
      *ranks, runs.size(), {Takers::first_rank},
      [&](std::size_t i) {
        GridPoints points = grid;
        if (sampled.varies_in_time) points[time_] = runs[i];
        return values_on(points).data;
      },
      [&](std::size_t, std::span<const double> values) { all.insert(all.end(), values.begin(), values.end()); });
  if (ranks->rank() == 0) take(std::move(all));
}

void Sampler::deliver(RunOutcome& outcome) {
  outcome.grid = std::move(grid_);
  outcome.fields.clear();
  outcome.statistics.clear();
  for (Sampled& sampled : fields_) {
    if (sampled.is_uncertain)
      outcome.statistics.push_back({sampled.field.name, sampled.field.expression, std::move(sampled.statistics)});
    outcome.fields.push_back(std::move(sampled.field));
  }
}

void sample_fields(const Case& the_case, const Model& model, RunOutcome& outcome) {
  Sampler sampler(the_case, model);
  sampler.add(outcome.solution, true);
  sampler.deliver(outcome);
}

}  // namespace gwrm
