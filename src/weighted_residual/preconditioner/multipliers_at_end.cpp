#include "weighted_residual/preconditioner/multipliers_at_end.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/rates_at.hpp"
#include "weighted_residual/preconditioner/shared_instantaneous.hpp"

namespace gwrm {
namespace {

// The last change of the multipliers, relative: small enough to stop (the next one, by a factor of ten or more smaller,
// would be below what Newton leaves, 1e-12), ...
constexpr double kSolved = 1e-11;
// ... and to take them, where rounding ends the iteration before: those of the last node may be off by more.
constexpr double kMultiplierTolerance = 1e-8;

bool is_served(const WindowSystem& window) {
  const Model& model = window.model();
  const auto constrained = [&](int field) { return is_fixed_by_constraint(model, field); };
  if (model.time_axis() != 0 || window.plan().series) return false;
  if (model.weighting != Weighting::radau || window.discretisation().time()->n_unknowns() < 2) return false;
  bool any = false;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    any = any || constrained(f);
    if (model.fields[at(f)].time_order != (constrained(f) ? 0 : 1)) return false;
  }
  return any && std::all_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
           return constrained(model.equations[at(condition.equation)].field) ||
                  std::none_of(condition.fields.begin(), condition.fields.end(),
                               [&](const auto& entry) { return constrained(entry.field); });
         });
}

SideOfTime before_end(const WindowSystem& window, State at_end) {
  const TimeBasis& time = *window.discretisation().time();
  std::vector<double> parameter_values;
  for (int axis = 0; axis < static_cast<int>(window.model().axes.size()); ++axis)
    parameter_values.push_back(window.discretisation().points(axis)(0));  // read where it is the only one
  return {window.context(), window.model(), window.plan(), window.discretisation().subdomains(),
          parameter_values, time.end(),     time.length(), SideOfTime::Side::before,
          std::move(at_end)};
}

bool set_by(InstantaneousSystem& instantaneous, const RowVector& slopes, const SideOfTime& side,
            const WindowSystem& window, std::vector<double>& x) {
  const Model& model = window.model();
  const SpatialLayout& layout = side.at_time().layout;
  const std::optional<std::vector<double>> rates =
      rates_at(instantaneous, slopes, side, model, kSolved, kMultiplierTolerance);
  if (!rates) return false;
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    if (!is_fixed_by_constraint(model, f)) continue;
    const Index first = layout.fields[at(f)], n = layout.fields[at(f) + 1] - first;
    const FieldLayout& own = window.layouts()[at(f)];
    std::copy_n(rates->begin() + first, n, x.begin() + own.offset + element_count(own.extents) - n);
  }
  return true;
}

}  // namespace

bool set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, const InstantaneousPlace& where) {
  if (!is_served(window)) return false;
  const SideOfTime side = before_end(window, window.end_state(x));
  const auto at_place = [&](ShortWindow& of) { return instantaneous_at(where, of.system, of.layout, true); };
  const RowVector slopes = side.nearby() ? side.slopes(*at_place(*side.nearby())) : RowVector();
  return set_by(*at_place(side.at_time()), slopes, side, window, x);
}

void set_multipliers_at_end(const WindowSystem& window, std::vector<double>& x, Communicator& ranks) {
  if (!is_served(window)) return;
  State state = ranks.rank() == 0 ? window.end_state(x) : window.state();  // which have the same extents
  for (std::vector<Array>& field : state)
    for (Array& values : field)
      ranks.broadcast(reinterpret_cast<std::byte*>(values.data.data()), values.data.size() * sizeof(double), 0);
  const SideOfTime side = before_end(window, std::move(state));
  if (ranks.rank() == 0) {
    const RowVector slopes =
        side.nearby() ? side.slopes(*shared_instantaneous(side.nearby()->system, ranks)) : RowVector();
    set_by(*shared_instantaneous(side.at_time().system, ranks), slopes, side, window, x);
  } else {
    if (side.nearby()) serve_instantaneous(side.nearby()->system, ranks);
    serve_instantaneous(side.at_time().system, ranks);
  }
}

}  // namespace gwrm
