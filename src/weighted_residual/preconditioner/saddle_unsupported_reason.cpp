#include <fmt/format.h>

#include <algorithm>

#include "weighted_residual/model/multipliers.hpp"
#include "weighted_residual/preconditioner/natural_condition.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

std::string saddle_unsupported_reason(const Model& model, const std::vector<AxisDescription>& subdomains) {
  if (model.multipliers.empty()) return "no unknown is the multiplier of a constraint";
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.axes[axis].kind == AxisKind::parameter && model.is_modal(static_cast<int>(axis)))
      return "the parameter " + model.axes[axis].name + " is coupled";
  for (const Multiplier& multiplier : model.multipliers)
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if (model.fields[at(multiplier.field)].n_lower[axis] > 0 && subdomains[axis].n_subdomains() > 1)
        return fmt::format("{} is lower along {}, which is divided", model.fields[at(multiplier.field)].name,
                           model.axes[axis].name);
  for (const ConditionModel& condition : model.conditions) {
    const EquationModel& equation = model.equations[at(condition.equation)];
    if (multiplier_of(model, equation.field) != nullptr) continue;
    if (!condition.mean_axes.empty()) return "a condition fixes the mean of " + model.fields[at(equation.field)].name;
    if (holds_multiplier_alone(model, condition)) continue;
    if (std::none_of(condition.fields.begin(), condition.fields.end(),
                     [&](const expression::FieldOrders& entry) { return entry.field == equation.field; }))
      return fmt::format("the condition \"{}\" does not hold {}", condition.text.text,
                         model.fields[at(equation.field)].name);
  }
  return {};
}

}  // namespace gwrm
