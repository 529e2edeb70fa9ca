#include "weighted_residual/preconditioner/rates_at.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/log.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

constexpr double kNearbyPart = 0.05;  // of the window: where data are differentiated
constexpr int kNearbyNodes = 6;       // there

bool holds_coordinate(expression::Expr e, const std::string& coordinate) {
  return (e->op == expression::Op::coordinate && e->name == coordinate) ||
         std::any_of(e->args.begin(), e->args.end(),
                     [&](expression::Expr argument) { return holds_coordinate(argument, coordinate); });
}

bool is_constraint(const Model& model, int equation) {
  return is_fixed_by_constraint(model, model.equations[at(equation)].field);
}

// Constraints and conditions whose rows change in time although the state does not.
bool data_depend_on_time(const Model& model) {
  const std::string& t = model.axes[at(model.time_axis())].name;
  if (std::any_of(model.conditions.begin(), model.conditions.end(),
                  [&](const ConditionModel& condition) { return holds_coordinate(condition.residual, t); }))
    return true;
  for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
    if (is_constraint(model, e) && holds_coordinate(model.equations[at(e)].residual, t)) return true;
  return false;
}

// Of the polynomial through the points its derivative at z: the weights of the values.
RowVector derivative_at(const Vector& points, double z) {
  const Index n = points.size();
  RowVector weights = RowVector::Zero(n);
  for (Index j = 0; j < n; ++j)
    for (Index left_out = 0; left_out < n; ++left_out) {
      if (left_out == j) continue;
      double product = 1.0 / (points(j) - points(left_out));
      for (Index m = 0; m < n; ++m)
        if (m != j && m != left_out) product *= (z - points(m)) / (points(j) - points(m));
      weights(j) += product;
    }
  return weights;
}

}  // namespace

SideOfTime::SideOfTime(const Context& context, const Model& model, const SystemPlan& plan,
                       const std::vector<AxisDescription>& subdomains, const std::vector<double>& parameter_values,
                       double t, double length, Side side, State state)
    : t_(t),
      state_(std::make_unique<State>(std::move(state))),
      context_(std::make_unique<Context>(context.without_device())) {
  const auto part = [&](int n_nodes, double of_part) {
    const double start = side == Side::before ? t - of_part : t, end = side == Side::before ? t : t + of_part;
    return std::make_unique<ShortWindow>(*context_, model, plan, subdomains, parameter_values, n_nodes, start, end,
                                         *state_);
  };
  at_time_ = part(1, short_step(length, t));
  if (data_depend_on_time(model)) nearby_ = part(kNearbyNodes, kNearbyPart * length);
}

RowVector SideOfTime::slopes(InstantaneousSystem& nearby) const {
  return derivative_at(nearby_->discretisation.time()->points(), t_) *
         nearby_->layout.gather(nearby.rows(), nearby_->layout.rows);
}

std::optional<std::vector<double>> rates_at(InstantaneousSystem& instantaneous, const RowVector& slopes,
                                            const SideOfTime& side, const Model& model, double solved,
                                            double accepted) {
  const SpatialLayout& layout = side.at_time().layout;
  const double z = side.at_time().discretisation.time()->length();
  if (instantaneous.factor() != LuStatus::regular) return std::nullopt;

  const std::vector<double> at_time = instantaneous.rows();
  std::vector<double> b(at_time.size(), 0.0);
  const std::vector<RowBlock>& rows = side.at_time().system.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowBlock& row = rows[i];
    const bool is_differentiated = row.kind == RowBlock::Kind::equation ? is_constraint(model, row.equation)
                                                                        : row.kind == RowBlock::Kind::condition ||
                                                                              row.kind == RowBlock::Kind::continuity;
    const double scale = side.nearby() ? row.scale / side.nearby()->system.rows()[i].scale : 0.0;
    for (Index j = layout.rows[i]; j < layout.rows[i + 1]; ++j) {
      const auto place = static_cast<std::size_t>(j);
      if (!is_differentiated)
        b[place] = -at_time[place];
      else if (side.nearby())
        b[place] = -z * scale * slopes(j);
    }
    if (row.kind == RowBlock::Kind::mean)
      for (Index place : row.places) {
        const auto j = static_cast<std::size_t>(layout.rows[at(row.equation)] + place);
        b[j] = -at_time[j];
      }
  }

  const auto of_constraints = [&](std::span<const double> values) {
    double size = 0.0;
    for (std::size_t f = 0; f < model.fields.size(); ++f)
      for (Index j = layout.fields[f]; is_fixed_by_constraint(model, static_cast<int>(f)) && j < layout.fields[f + 1];
           ++j)
        size = std::max(size, std::abs(values[static_cast<std::size_t>(j)]));
    return size;
  };
  InstantaneousSolution solution = solve_instantaneous(instantaneous, b, solved, of_constraints);
  logger().debug("of this, unknowns that keep constraints: {} of GMRES, last change {:.1e}", solution.iterations,
                 solution.change);
  if (!(solution.change <= accepted)) return std::nullopt;
  return std::move(solution.x);
}

}  // namespace gwrm
