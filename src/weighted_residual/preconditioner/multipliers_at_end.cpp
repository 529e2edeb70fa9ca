#include "weighted_residual/preconditioner/multipliers_at_end.hpp"

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/shared_instantaneous.hpp"

namespace gwrm {
namespace {

constexpr double kLastPart = 0.05;  // of the window: where data are differentiated
constexpr int kNodes = 6;           // there
// The last change of the multipliers, relative: small enough to stop (the next one, by a factor of ten or more smaller,
// would be below what Newton leaves, 1e-12), ...
constexpr double kSolved = 1e-11;
// ... and to take them, where rounding ends the iteration before: those of the last node may be off by more.
constexpr double kMultiplierTolerance = 1e-8;

bool is_served(const WindowSystem& window) {
  const Model& model = window.model();
  if (model.multipliers.empty() || model.time_axis() != 0 || window.plan().series) return false;
  if (model.weighting != Weighting::radau || window.discretisation().time()->n_unknowns() < 2) return false;
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    if (model.fields[f].time_order != (multiplier_of(model, static_cast<int>(f)) == nullptr ? 1 : 0)) return false;
  return std::all_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    const bool of_constraint = multiplier_of(model, model.equations[at(condition.equation)].field) != nullptr;
    return of_constraint || std::all_of(condition.fields.begin(), condition.fields.end(), [&](const auto& entry) {
             return multiplier_of(model, entry.field) == nullptr;
           });
  });
}

bool holds(expression::Expr e, const std::string& coordinate) {
  return (e->op == expression::Op::coordinate && e->name == coordinate) ||
         std::any_of(e->args.begin(), e->args.end(),
                     [&](expression::Expr argument) { return holds(argument, coordinate); });
}

// Constraints and conditions whose rows change in time although the state does not.
bool data_depend_on_time(const Model& model) {
  const std::string& t = model.axes[at(model.time_axis())].name;
  return std::any_of(model.conditions.begin(), model.conditions.end(),
                     [&](const ConditionModel& condition) { return holds(condition.residual, t); }) ||
         std::any_of(model.multipliers.begin(), model.multipliers.end(), [&](const Multiplier& multiplier) {
           return holds(model.equations[at(multiplier.equation)].residual, t);
         });
}

// Of the polynomial through the points its derivative at the last one: the weights of the values.
RowVector derivative_at_last(const Vector& points) {
  const Index n = points.size(), last = n - 1;
  RowVector weights = RowVector::Zero(n);
  for (Index j = 0; j < last; ++j) {
    double product = 1.0 / (points(j) - points(last));
    for (Index m = 0; m < last; ++m)
      if (m != j) product *= (points(last) - points(m)) / (points(j) - points(m));
    weights(j) = product;
    weights(last) += 1.0 / (points(last) - points(j));
  }
  return weights;
}

// The equations of the last part of a window, from the state at its end.
class LastPart {
 public:
  LastPart(const WindowSystem& window, State at_end)
      : window_(window), state_(std::move(at_end)), context_(window.context().without_device()) {
    const TimeBasis& time = *window.discretisation().time();
    end = part(1, short_step(time.length(), time.end()));
    if (data_depend_on_time(window.model())) before = part(kNodes, kLastPart * time.length());
  }

  std::unique_ptr<ShortWindow> end;     // one node
  std::unique_ptr<ShortWindow> before;  // whose rows are differentiated; null where no data depend on time

 private:
  std::unique_ptr<ShortWindow> part(int n_nodes, double length) const {
    const Model& model = window_.model();
    const double end_of_window = window_.discretisation().time()->end();
    std::vector<double> parameter_values;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      parameter_values.push_back(window_.discretisation().points(axis)(0));  // read where it is the only one
    return std::make_unique<ShortWindow>(context_, model, window_.plan(), window_.discretisation().subdomains(),
                                         parameter_values, n_nodes, end_of_window - length, end_of_window, state_);
  }

  const WindowSystem& window_;
  const State state_;
  const Context context_;
};

// slopes: of the rows in time, the state being as it is, in the scales of `before`; empty: zero.
bool set_by(InstantaneousSystem& instantaneous, const RowVector& slopes, const LastPart& part,
            const WindowSystem& window, std::vector<double>& x) {
  const Model& model = window.model();
  const SpatialLayout& layout = part.end->layout;
  const double z = part.end->discretisation.time()->length();
  if (instantaneous.factor() != LuStatus::regular) return false;

  const std::vector<double> at_end = instantaneous.rows();
  std::vector<double> b(at_end.size(), 0.0);
  const std::vector<RowBlock>& rows = part.end->system.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowBlock& row = rows[i];
    const bool of_constraint = multiplier_of(model, model.equations[at(row.equation)].field) != nullptr;
    const bool is_differentiated = row.kind == RowBlock::Kind::equation ? of_constraint
                                                                        : row.kind == RowBlock::Kind::condition ||
                                                                              row.kind == RowBlock::Kind::continuity;
    const double scale = part.before ? row.scale / part.before->system.rows()[i].scale : 0.0;
    for (Index j = layout.rows[i]; j < layout.rows[i + 1]; ++j) {
      const auto place = static_cast<std::size_t>(j);
      if (!is_differentiated)
        b[place] = -at_end[place];
      else if (part.before)
        b[place] = -z * scale * slopes(j);
    }
    if (row.kind == RowBlock::Kind::mean)
      for (Index place : row.places) {
        const auto j = static_cast<std::size_t>(layout.rows[at(row.equation)] + place);
        b[j] = -at_end[j];
      }
  }

  const auto of_multipliers = [&](std::span<const double> values) {
    double size = 0.0;
    for (const Multiplier& multiplier : model.multipliers)
      for (Index j = layout.fields[at(multiplier.field)]; j < layout.fields[at(multiplier.field) + 1]; ++j)
        size = std::max(size, std::abs(values[static_cast<std::size_t>(j)]));
    return size;
  };
  const InstantaneousSolution solution = solve_instantaneous(instantaneous, b, kSolved, of_multipliers);
  logger().debug("of this, multipliers at its end: {} of GMRES, last change {:.1e}", solution.iterations,
                 solution.change);
  if (!(solution.change <= kMultiplierTolerance)) return false;
  for (const Multiplier& multiplier : model.multipliers) {
    const Index first = layout.fields[at(multiplier.field)], n = layout.fields[at(multiplier.field) + 1] - first;
    const FieldLayout& own = window.layouts()[at(multiplier.field)];
    std::copy_n(solution.x.begin() + first, n, x.begin() + own.offset + element_count(own.extents) - n);
  }
  return true;
}

RowVector slopes_of(InstantaneousSystem& instantaneous, const ShortWindow& before) {
  return derivative_at_last(before.discretisation.time()->points()) *
         before.layout.gather(instantaneous.rows(), before.layout.rows);
}

}  // namespace

bool set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, const InstantaneousPlace& where) {
  if (!is_served(window)) return false;
  const LastPart part(window, window.end_state(x));
  const auto at_place = [&](ShortWindow& of) { return instantaneous_at(where, of.system, of.layout); };
  const RowVector slopes = part.before ? slopes_of(*at_place(*part.before), *part.before) : RowVector();
  return set_by(*at_place(*part.end), slopes, part, window, x);
}

void set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, Communicator& ranks) {
  if (!is_served(window)) return;
  State state = ranks.rank() == 0 ? window.end_state(x) : window.state();  // which have the same extents
  for (std::vector<Array>& field : state)
    for (Array& values : field)
      ranks.broadcast(reinterpret_cast<std::byte*>(values.data.data()), values.data.size() * sizeof(double), 0);
  const LastPart part(window, std::move(state));
  if (ranks.rank() == 0) {
    const RowVector slopes =
        part.before ? slopes_of(*shared_instantaneous(part.before->system, ranks), *part.before) : RowVector();
    set_by(*shared_instantaneous(part.end->system, ranks), slopes, part, window, x);
  } else {
    for (const ShortWindow* one : {part.before.get(), part.end.get()})
      if (one != nullptr) serve_instantaneous(one->system, ranks);
  }
}

}  // namespace gwrm
