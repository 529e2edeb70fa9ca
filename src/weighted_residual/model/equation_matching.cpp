#include "weighted_residual/model/equation_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/array.hpp"
#include "expression/lowering.hpp"

namespace gwrm {
namespace {

using expression::Atom;
using expression::Expr;

// Bipartite matching by augmenting paths (Kuhn): choices[i] lists the slots item i may take, best first.
// Returns the slot of each item, -1 where none is left.
std::vector<int> match(const std::vector<std::vector<int>>& choices, int n_slots) {
  std::vector<int> owner(at(n_slots), -1);
  std::vector<bool> visited;
  std::function<bool(int)> place = [&](int item) {
    for (int slot : choices[item]) {
      if (visited[slot]) continue;
      visited[slot] = true;
      int& current = owner[slot];
      if (current >= 0 && !place(current)) continue;
      current = item;
      return true;
    }
    return false;
  };
  for (int item = 0; item < static_cast<int>(choices.size()); ++item) {
    visited.assign(at(n_slots), false);
    place(item);
  }
  std::vector<int> slot_of(choices.size(), -1);
  for (int slot = 0; slot < n_slots; ++slot)
    if (owner[slot] >= 0) slot_of[static_cast<std::size_t>(owner[slot])] = slot;
  return slot_of;
}

std::uint32_t mask_of(const FieldModel& field) {
  std::uint32_t mask = 0;
  for (int axis : field.axes) mask |= 1u << axis;
  return mask;
}

bool holds_highest_time_derivative(const Model& model, const EquationModel& equation, int field) {
  const int order = model.fields[static_cast<std::size_t>(field)].time_order;
  const int time = model.time_axis();
  return order > 0 && expression::derivative_order(*model.pool, equation.residual, field, time) == order;
}

}  // namespace

void match_equations(Model& model) {
  const int n = static_cast<int>(model.fields.size());
  std::vector<std::vector<int>> choices;
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    const EquationModel& equation = model.equations[e];
    const std::uint32_t varies = equation.residual->facts.axes;
    auto rank = [&](int f) {
      const FieldModel& field = model.fields[f];
      int value = 0;
      if (mask_of(field) != varies) value += 8;
      // An unknown with dt belongs to an equation that holds it; one without dt takes what is left.
      if (!holds_highest_time_derivative(model, equation, f)) value += field.time_order > 0 ? 16 : 4;
      if (f != static_cast<int>(e)) value += 2;
      if (expression::derivative_order(*model.pool, equation.residual, f, 0) < 0) value += 1;
      return value;
    };
    std::vector<int> fields;
    for (int f = 0; f < n; ++f)
      if ((varies & ~mask_of(model.fields[f])) == 0) fields.push_back(f);
    std::stable_sort(fields.begin(), fields.end(), [&](int a, int b) { return rank(a) < rank(b); });
    choices.push_back(std::move(fields));
  }
  const std::vector<int> field_of = match(choices, n);
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    if (field_of[e] < 0)
      throw_case_error(
          model.equations[e].text, 0,
          fmt::format("this equation varies along ({}), but no unknown with these dimensions is left for it; "
                      "each equation needs an unknown of its own with at least its dimensions",
                      model.axes_text(model.equations[e].residual->facts.axes)));
    model.equations[e].field = field_of[e];
  }
}

namespace {

std::string count_table(const Model& model, int axis) {
  std::string text;
  for (const EquationModel& equation : model.equations) {
    const int order = equation.orders[axis];
    if (equation.n_conditions[axis] > 0)
      text += fmt::format("\n  order {} along {}: {}", order, model.axes[axis].name, equation.text.text);
  }
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    int needed = 0, given = 0;
    for (const EquationModel& equation : model.equations)
      if (equation.field == static_cast<int>(f)) needed += equation.n_conditions[axis];
    for (const ConditionModel& condition : model.conditions)
      if (condition.axis == axis &&
          expression::derivative_order(*model.pool, condition.residual, static_cast<int>(f), axis) >= 0)
        ++given;
    if (needed > 0 || given > 0)
      text += fmt::format("\n  {}: {} condition{} along {} given, {} needed", model.fields[f].name, given,
                          given == 1 ? "" : "s", model.axes[axis].name, needed);
  }
  return text;
}

}  // namespace

void match_conditions(Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    std::vector<int> slots;  // the equation that each free place along this axis belongs to
    for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
      for (int i = 0; i < model.equations[e].n_conditions[axis]; ++i) slots.push_back(e);
    std::vector<int> along;
    for (int c = 0; c < static_cast<int>(model.conditions.size()); ++c)
      if (model.conditions[c].axis == axis) along.push_back(c);

    const std::string& name = model.axes[axis].name;
    if (along.size() < slots.size()) {
      const SourceText& where =
          slots.empty() ? model.equations.front().text : model.equations[static_cast<std::size_t>(slots.back())].text;
      throw_case_error(
          where, 0,
          fmt::format("missing boundary condition: the equations need {} along {}, {} given under `boundary`{}",
                      slots.size(), name, along.size(), count_table(model, axis)));
    }
    if (along.size() > slots.size())
      throw_case_error(model.conditions[static_cast<std::size_t>(along.back())].text, 0,
                       fmt::format("surplus boundary condition: the equations take {} along {}, {} given{}",
                                   slots.size(), name, along.size(), count_table(model, axis)));

    std::vector<std::vector<int>> choices;
    for (int c : along) {
      const ConditionModel& condition = model.conditions[c];
      auto own = [&](int slot) {
        const int field = model.equations[static_cast<std::size_t>(slots[slot])].field;
        return expression::derivative_order(*model.pool, condition.residual, field, axis) >= 0;
      };
      // A condition may not vary along more dimensions than the unknown of the equation it replaces.
      std::vector<int> allowed;
      for (int s = 0; s < static_cast<int>(slots.size()); ++s) {
        const EquationModel& equation = model.equations[static_cast<std::size_t>(slots[s])];
        if ((condition.residual->facts.axes & ~mask_of(model.fields[static_cast<std::size_t>(equation.field)])) == 0)
          allowed.push_back(s);
      }
      std::stable_partition(allowed.begin(), allowed.end(), own);
      choices.push_back(std::move(allowed));
    }
    const std::vector<int> slot_of = match(choices, static_cast<int>(slots.size()));
    for (std::size_t i = 0; i < along.size(); ++i) {
      ConditionModel& condition = model.conditions[static_cast<std::size_t>(along[i])];
      if (slot_of[i] < 0)
        throw_case_error(condition.text, 0,
                         "this condition varies along dimensions that no equation left has" + count_table(model, axis));
      condition.equation = slots[static_cast<std::size_t>(slot_of[i])];
    }
  }
}

}  // namespace gwrm
