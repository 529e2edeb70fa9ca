#include "weighted_residual/preconditioner/consistent_state.hpp"

#include <algorithm>
#include <cmath>

#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

// Relative violation that is left as it is: sums of some ten to hundred terms, each to the machine epsilon.
constexpr double kConsistent = 1e-13;
// Last change of the correction, relative, up to which it is taken.
constexpr double kStateTolerance = 1e-3;

bool is_served(const Model& model) {
  if (model.multipliers.empty() || model.time_axis() < 0) return false;
  return std::all_of(model.fields.begin(), model.fields.end(),
                     [](const FieldModel& field) { return field.time_order <= 1; });
}

// The rows at the start of the window with the state as it is, extrapolated from those at its two points in time.
std::vector<double> rows_at_start(ShortWindow& window, const InstantaneousPlace& where) {
  const TimeBasis& time = *window.discretisation.time();
  const Matrix values =
      window.layout.gather(instantaneous_at(where, window.system, window.layout)->rows(), window.layout.rows);
  const double first = time.points()(0) - time.start(), second = time.points()(1) - time.start();
  const RowVector start = (second * values.row(0) - first * values.row(1)) / (second - first);
  return {start.begin(), start.end()};
}

struct CountedRow {
  std::size_t place = 0;
  double scale = 1.0;  // RowBlock::scale
};

// Over the rows that are to vanish (the others hold the acceleration of so short a step, and its round-off).
double largest(const std::vector<double>& values, const std::vector<CountedRow>& rows) {
  double size = 0.0;
  for (const auto& [place, scale] : rows) size = std::max(size, std::abs(values[place]) / scale);
  return size;
}

}  // namespace

ConsistentState consistent_state(const Context& context, const Model& model, const SystemPlan& plan,
                                 std::vector<AxisDescription> subdomains, const std::vector<double>& parameter_values,
                                 double start, double length, State state, bool with_conditions,
                                 const InstantaneousPlace& where) {
  ConsistentState result{std::move(state), 0.0, 0.0};
  if (!is_served(model)) return result;
  const auto of_nodes = [&](int n_nodes) {
    return ShortWindow(context, model, plan, subdomains, parameter_values, n_nodes, start,
                       start + short_step(length, start), result.state);
  };
  std::vector<double> rows;
  {
    ShortWindow before = of_nodes(2);
    rows = rows_at_start(before, where);
  }
  ShortWindow window = of_nodes(1);  // as long: with rows of the same scales
  const WindowSystem& system = window.system;
  const SpatialLayout& layout = window.layout;

  // b: what is to vanish.
  std::vector<double> b(rows.size(), 0.0);
  std::vector<CountedRow> counted, of_constraints;
  double size = 0.0;
  for (const std::vector<Array>& field : result.state)
    for (const Array& value : field)
      for (double number : value.data) size = std::max(size, std::abs(number));
  for (std::size_t i = 0; i < system.rows().size(); ++i) {
    const RowBlock& row = system.rows()[i];
    const bool constrains = std::any_of(model.multipliers.begin(), model.multipliers.end(),
                                        [&](const Multiplier& one) { return one.equation == row.equation; });
    // Of a condition that holds a multiplier the multiplier takes care.
    const bool is_free = std::any_of(row.terms.begin(), row.terms.end(), [&](const RowTerm& term) {
      return term.integral < 0 && multiplier_of(model, term.atom.field) != nullptr;
    });
    const bool counts = constrains
                            ? row.kind == RowBlock::Kind::equation
                            : with_conditions && !is_free &&
                                  (row.kind == RowBlock::Kind::condition || row.kind == RowBlock::Kind::continuity);
    if (!counts) continue;
    for (Index j = layout.rows[i]; j < layout.rows[i + 1]; ++j) {
      const auto place = static_cast<std::size_t>(j);
      b[place] = -rows[place];
      counted.push_back({place, row.scale});
      if (constrains) of_constraints.push_back(counted.back());
    }
  }
  // Rows that give way to a condition on a mean have none of the constraint.
  for (const RowBlock& row : system.rows())
    if (row.kind == RowBlock::Kind::mean)
      for (Index place : row.places) {
        const auto i = static_cast<std::size_t>(layout.rows[at(row.equation)] + place);
        b[i] = 0.0;
        for (std::vector<CountedRow>* list : {&counted, &of_constraints})
          std::erase_if(*list, [&](const CountedRow& one) { return one.place == i; });
      }
  if (size > 0.0) result.violation = largest(b, of_constraints) / size;
  if (!(largest(b, counted) > kConsistent * size)) return result;

  const double z = window.discretisation.time()->length();
  const std::unique_ptr<InstantaneousSystem> instantaneous = instantaneous_at(where, window.system, layout);
  if (instantaneous->factor() != LuStatus::regular) return result;
  const auto of_state = [&](std::span<const double> values) {
    double sum = 0.0;
    for (std::size_t f = 0; f < model.fields.size(); ++f)
      for (Index j = layout.fields[f]; model.fields[f].time_order == 1 && j < layout.fields[f + 1]; ++j)
        sum = std::max(sum, std::abs(values[static_cast<std::size_t>(j)]));
    return sum;
  };
  const InstantaneousSolution solution = solve_instantaneous(*instantaneous, b, 0.0, of_state);
  if (!(solution.change <= kStateTolerance)) return result;
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    if (model.fields[f].time_order != 1) continue;
    std::vector<double>& u = result.state[f].front().data;
    for (std::size_t j = 0; j < u.size(); ++j) {
      const double w = z * solution.x[static_cast<std::size_t>(layout.fields[f]) + j];
      result.correction = std::max(result.correction, std::abs(w));
      u[j] += w;
    }
  }
  if (size > 0.0) result.correction /= size;
  return result;
}

}  // namespace gwrm
