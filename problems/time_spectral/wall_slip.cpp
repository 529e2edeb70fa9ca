#include "problems/time_spectral/wall_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "expression/frechet.hpp"
#include "output/evaluate.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/rates_at.hpp"

namespace gwrm {
namespace {

using expression::Expr;

constexpr double kSolvedRates = 1e-10, kAcceptedRates = 1e-4;  // last change of the iteration, relative

// The condition's value of its equation's own unknown, without derivatives, at one end of its axis.
std::optional<double> wall_of(const Model& model, const ConditionModel& condition) {
  if (condition.axis < 0 || condition.equation < 0) return std::nullopt;
  const Axis& axis = model.axes[at(condition.axis)];
  const int own = model.equations[at(condition.equation)].field;
  if (axis.kind != AxisKind::space || model.fields[at(own)].time_order != 1) return std::nullopt;
  std::optional<double> wall;
  for (Expr leaf : expression::atoms_in(condition.residual)) {
    const expression::Atom atom = expression::atom_of(*model.pool, leaf);
    if (std::any_of(atom.orders.begin(), atom.orders.end(), [](int order) { return order > 0; })) return std::nullopt;
    if (!atom.restricted[at(condition.axis)]) return std::nullopt;
    const double place = atom.points[at(condition.axis)];
    if (wall && *wall != place) return std::nullopt;
    wall = place;
  }
  if (!wall || (*wall != axis.lower && *wall != axis.upper)) return std::nullopt;
  if (multiplier_differentiated_in(model, condition.equation, condition.axis) >= 0) return std::nullopt;  // normal
  return wall;
}

// The factor of dt of its own unknown, where no other dt is in the equation; null: there is another.
Expr factor_of_rate(const Model& model, const EquationModel& equation) {
  const auto time = at(model.time_axis());
  Expr factor = nullptr;
  for (const expression::LinearTerm& term :
       expression::collect(*model.pool, expression::frechet(*model.pool, equation.residual))) {
    if (!expression::is_atom(term.leaf)) continue;
    const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
    if (atom.orders[time] == 0) continue;
    const bool is_plain =
        std::count(atom.orders.begin(), atom.orders.end(), 0) == static_cast<std::ptrdiff_t>(atom.orders.size()) - 1;
    if (atom.field != equation.field || !is_plain || factor != nullptr) return nullptr;
    factor = term.coefficient;
  }
  return factor;
}

// The factor of its own second derivative along the axis; null: it has none.
Expr factor_of_diffusion(const Model& model, const EquationModel& equation, int axis) {
  for (const expression::LinearTerm& term :
       expression::collect(*model.pool, expression::frechet(*model.pool, equation.residual))) {
    if (!expression::is_atom(term.leaf)) continue;
    const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
    const bool is_plain =
        std::count(atom.orders.begin(), atom.orders.end(), 0) == static_cast<std::ptrdiff_t>(atom.orders.size()) - 1;
    if (atom.field == equation.field && is_plain && atom.orders[at(axis)] == 2) return term.coefficient;
  }
  return nullptr;
}

// u(t) = u + a (t - t0) over a window of this length, and constant q.
Solution linear_in_time(const Model& model, const std::vector<AxisDescription>& subdomains, double t, double length,
                        const State& state, const SpatialLayout& layout, const std::vector<double>& x) {
  const int time = model.time_axis();
  Solution solution;
  solution.axes = model.axes;
  solution.axes[at(time)].map = MapKind::linear;
  solution.window_edges = {t, t + length};
  solution.subdomains.push_back(subdomains);
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    AxisDescription& mine = solution.subdomains.front()[at(axis)];
    if (axis == time) {
      mine.degree = 1;
      mine.edges = {t, t + length};
    } else if (model.is_collocated(axis)) {
      mine.degree = 0;
    }
  }
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    const FieldModel& field = model.fields[f];
    FieldSolution series{field.name, field.axes, {}};
    Array coefficients;
    for (int axis : field.axes) coefficients.shape.push_back(solution.subdomains.front()[at(axis)].n_coefficients());
    const std::span<const double> own = std::span(x).subspan(
        static_cast<std::size_t>(layout.fields[f]), static_cast<std::size_t>(layout.fields[f + 1] - layout.fields[f]));
    std::vector<double> first(own.begin(), own.end()), second(own.size(), 0.0);
    if (field.time_order == 1) {
      const std::vector<double>& u = state[f].front().data;
      for (std::size_t j = 0; j < first.size(); ++j) {
        second[j] = 0.5 * length * own[j];
        first[j] = u[j] + second[j];
      }
    }
    coefficients.data = std::move(first);
    if (field.depends_on(time)) coefficients.data.insert(coefficients.data.end(), second.begin(), second.end());
    series.windows.push_back(std::move(coefficients));
    solution.fields.push_back(std::move(series));
  }
  return solution;
}

double largest_quotient(const Array& a, const Array& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    if (b.data[i] != 0.0) largest = std::max(largest, std::abs(a.data[i] / b.data[i]));
  return std::isfinite(largest) ? largest : 0.0;
}

std::vector<bool> driven_by(const Model& model, const std::vector<bool>& constrained) {
  std::vector<bool> driven(constrained.size(), false);
  for (const EquationModel& equation : model.equations)
    if (equation.field >= 0 && !constrained[at(equation.field)])
      driven[at(equation.field)] =
          std::any_of(equation.fields.begin(), equation.fields.end(),
                      [&](const expression::FieldOrders& held) { return constrained[at(held.field)]; });
  return driven;
}

}  // namespace

std::vector<bool> constrained_unknowns(const Model& model) {
  std::vector<bool> found(model.fields.size(), false);
  if (model.time_axis() != 0 || model.whole_time || model.window_edges.empty() || model.weighting != Weighting::radau)
    return {};
  bool any = false;
  for (std::size_t f = 0; f < found.size(); ++f) {
    found[f] = is_fixed_by_constraint(model, static_cast<int>(f));
    any = any || found[f];
    if (model.fields[f].time_order > 1) return {};
  }
  return any ? found : std::vector<bool>{};
}

bool may_slip(const Model& model, const std::vector<bool>& constrained) {
  const std::vector<bool> driven = driven_by(model, constrained);
  return std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    return wall_of(model, condition) && driven[at(model.equations[at(condition.equation)].field)];
  });
}

WallSlip wall_slip(const Context& context, const Model& model, const SystemPlan& plan,
                   const std::vector<AxisDescription>& subdomains, const std::vector<double>& parameter_values,
                   double t, double length, const State& state) {
  const std::size_t n_fields = model.fields.size();
  WallSlip result{std::vector<double>(n_fields, 0.0),
                  std::vector<double>(n_fields, 0.0),
                  std::vector<double>(n_fields, 0.0),
                  std::vector<bool>(n_fields, false),
                  {},
                  {}};
  const std::vector<bool> constrained = constrained_unknowns(model);
  if (constrained.empty() || plan.series) return result;
  const SideOfTime side(context, model, plan, subdomains, parameter_values, t, length, SideOfTime::Side::after, state);
  const auto on_cpu = [](ShortWindow& of) { return instantaneous_on_cpu(of.system, of.layout, true); };
  const RowVector slopes = side.nearby() ? side.slopes(*on_cpu(*side.nearby())) : RowVector();
  const std::optional<std::vector<double>> x =
      rates_at(*on_cpu(side.at_time()), slopes, side, model, kSolvedRates, kAcceptedRates);
  if (!x) return result;
  const Solution solution = linear_in_time(model, subdomains, t, length, state, side.at_time().layout, *x);

  GridPoints points(model.axes.size());
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    points[at(axis)] = axis == model.time_axis()   ? std::vector<double>{t}
                       : model.is_collocated(axis) ? std::vector<double>{parameter_values[at(axis)]}
                                                   : places(subdomains[at(axis)]);
  expression::Pool& pool = *model.pool;
  const auto largest_of = [&](Expr e) {
    return largest_magnitude(evaluate(pool, solution, expression::lower(pool, e), points, false).data);
  };
  const std::string& time = model.axes[at(model.time_axis())].name;
  for (std::size_t f = 0; f < n_fields; ++f) {
    const Expr field = pool.field(model.fields[f].name);
    result.values[f] = largest_of(field);
    if (model.fields[f].time_order == 1) result.rates[f] = largest_of(pool.derivative(field, time, 1));
  }
  result.driven = driven_by(model, constrained);
  double largest_slip = 0.0;
  for (const ConditionModel& condition : model.conditions) {
    const std::optional<double> wall = wall_of(model, condition);
    if (!wall) continue;
    const EquationModel& equation = model.equations[at(condition.equation)];
    const Expr factor = factor_of_rate(model, equation);
    if (factor == nullptr) continue;
    GridPoints at_wall = points;
    at_wall[at(condition.axis)] = {*wall};
    std::vector<Expr> wanted{equation.residual, factor};
    if (const Expr diffusion = factor_of_diffusion(model, equation, condition.axis)) wanted.push_back(diffusion);
    const std::vector<Array> found = evaluate(pool, solution, wanted, at_wall, true);
    const double slip = largest_quotient(found[0], found[1]);
    if (found.size() > 2)
      result.layers.push_back({equation.field, condition.axis, *wall == model.axes[at(condition.axis)].upper,
                               largest_quotient(found[0], found[2])});
    result.slip[at(equation.field)] = std::max(result.slip[at(equation.field)], slip);
    if (result.driven[at(equation.field)] && slip > largest_slip) {
      largest_slip = slip;
      result.where = fmt::format("{} = {:.6g}", model.axes[at(condition.axis)].name, *wall);
    }
  }
  return result;
}

}  // namespace gwrm
