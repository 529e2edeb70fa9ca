#include "weighted_residual/model/multipliers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "expression/constant_value.hpp"
#include "expression/frechet.hpp"
#include "weighted_residual/model/condition_count.hpp"
#include "weighted_residual/model/orders_of_equations.hpp"
#include "weighted_residual/model/statement_names.hpp"

namespace gwrm {
namespace {

using expression::AtomUse;

std::vector<int> space_axes(const Model& model) {
  std::vector<int> axes;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.axes[axis].kind == AxisKind::space) axes.push_back(axis);
  return axes;
}

bool is_bounded(const Model& model, int axis) {
  return model.axes[axis].kind == AxisKind::space && !make_basis(model.subdomains[axis])->is_periodic();
}

bool is_differentiated(const std::vector<int>& orders, const std::vector<int>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](int axis) { return orders[at(axis)] > 0; });
}

// The order in which an expression holds a field: of its highest derivative in space; kAbsent where it does not.
int spatial_order(const std::vector<expression::FieldOrders>& fields, int field, const std::vector<int>& axes) {
  int order = kAbsent;
  for (const expression::FieldOrders& entry : fields)
    if (entry.field == field)
      for (int axis : axes) order = std::max(order, entry.orders[at(axis)]);
  return order;
}

// Every use of the field, or of any (-1), is differentiated in space.
bool only_differentiated(const Model& model, expression::Expr residual, int field, const std::vector<int>& axes) {
  const std::vector<AtomUse> uses = expression::atom_uses(*model.pool, residual);
  return std::all_of(uses.begin(), uses.end(), [&](const AtomUse& use) {
    return (field >= 0 && use.atom.field != field) || is_differentiated(use.atom.orders, axes);
  });
}

class Search {
 public:
  explicit Search(Model& model) : model_(model), axes_(space_axes(model)) {
    for (int axis : axes_)
      if (is_bounded(model, axis)) {
        bounded_.push_back(axis);
        std::vector<std::vector<int>>& orders = orders_.emplace_back();
        for (const EquationModel& equation : model.equations)
          orders.push_back(local_orders(model, equation.residual, axis));
      }
    equations_.resize(model.equations.size());
    std::iota(equations_.begin(), equations_.end(), 0);
    fields_.resize(model.fields.size());
    std::iota(fields_.begin(), fields_.end(), 0);
  }

  void run() {
    const std::vector<int> constraints = possible_constraints(), unknowns = possible_unknowns();
    if (constraints.empty() || unknowns.empty()) return;
    std::vector<int> numbers = jacobi_numbers();
    for (int c : constraints)
      for (int m : unknowns) {
        if (std::find(fields_.begin(), fields_.end(), m) == fields_.end() || !may_be_pair(c, m)) continue;
        if (bounded_.empty()) {
          if (!only_differentiated(model_, model_.equations[at(c)].residual, -1, axes_) || !never_bare(m) || leads(m))
            continue;
          take(c, m);
          break;
        }
        const std::vector<int> equations = equations_, fields = fields_;
        std::erase(equations_, c);
        std::erase(fields_, m);
        if (jacobi_numbers() == numbers) {
          take(c, m);
          break;
        }
        equations_ = equations;
        fields_ = fields;
      }
  }

 private:
  bool has_time_derivative(const expression::FieldOrders& entry) const {
    return model_.time_axis() >= 0 && entry.orders[at(model_.time_axis())] > 0;
  }

  std::vector<int> possible_constraints() const {
    std::vector<int> found;
    for (std::size_t e = 0; e < model_.equations.size(); ++e) {
      const std::vector<expression::FieldOrders>& fields = model_.equations[e].fields;
      if (std::none_of(fields.begin(), fields.end(), [&](const auto& entry) { return has_time_derivative(entry); }) &&
          std::any_of(fields.begin(), fields.end(),
                      [&](const auto& entry) { return is_differentiated(entry.orders, axes_); }))
        found.push_back(static_cast<int>(e));
    }
    return found;
  }

  std::vector<int> possible_unknowns() const {
    std::vector<bool> moves(model_.fields.size(), false), differentiated(model_.fields.size(), false);
    for (const EquationModel& equation : model_.equations)
      for (const expression::FieldOrders& entry : equation.fields) {
        if (has_time_derivative(entry)) moves[at(entry.field)] = true;
        if (is_differentiated(entry.orders, axes_)) differentiated[at(entry.field)] = true;
      }
    std::vector<int> found;
    for (std::size_t f = 0; f < model_.fields.size(); ++f)
      if (!moves[f] && differentiated[f]) found.push_back(static_cast<int>(f));
    return found;
  }

  // But for Jacobi's number.
  bool may_be_pair(int c, int m) const {
    const EquationModel& constraint = model_.equations[at(c)];
    const std::uint32_t varies = constraint.residual->facts.axes;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis)
      if ((varies >> axis & 1u) != 0 && !model_.fields[at(m)].depends_on(axis)) return false;
    if (spatial_order(constraint.fields, m, axes_) > 0) return false;
    if (std::none_of(constraint.fields.begin(), constraint.fields.end(),
                     [&](const auto& entry) { return entry.field != m && is_differentiated(entry.orders, axes_); }))
      return false;
    for (std::size_t e = 0; e < model_.equations.size(); ++e)
      if (static_cast<int>(e) != c && spatial_order(model_.equations[e].fields, m, axes_) > 0) return true;
    return false;
  }

  bool never_bare(int m) const {
    return std::all_of(model_.equations.begin(), model_.equations.end(), [&](const EquationModel& equation) {
      return only_differentiated(model_, equation.residual, m, axes_);
    });
  }

  // An equation holds it with a higher derivative, in space or time, than all others: that equation is its own.
  bool leads(int m) const {
    return std::any_of(model_.equations.begin(), model_.equations.end(), [&](const EquationModel& equation) {
      const int order = spatial_order(equation.fields, m, axes_);
      return order > 0 && std::all_of(equation.fields.begin(), equation.fields.end(), [&](const auto& entry) {
               const int highest = *std::max_element(entry.orders.begin(), entry.orders.end());
               return entry.field == m || highest < order;
             });
    });
  }

  // Of the equations and fields that are left, along each bounded axis.
  std::vector<int> jacobi_numbers() const {
    std::vector<int> numbers;
    for (const std::vector<std::vector<int>>& all : orders_) {
      std::vector<std::vector<int>> orders;
      for (int e : equations_) {
        orders.emplace_back();
        for (int f : fields_) orders.back().push_back(all[at(e)][at(f)]);
      }
      int sum = 0;
      for (const AssignedOrder& one : assigned_orders(orders, std::vector<int>(orders.size(), -1))) sum += one.order;
      numbers.push_back(sum);
    }
    return numbers;
  }

  void take(int c, int m) {
    std::erase(equations_, c);
    std::erase(fields_, m);
    model_.multipliers.push_back({c, m});
    model_.equations[at(c)].field = m;
  }

  Model& model_;
  std::vector<int> axes_, bounded_;                    // of space
  std::vector<std::vector<std::vector<int>>> orders_;  // along each bounded axis: of each unknown in each equation
  std::vector<int> equations_, fields_;                // not yet in a pair
};

std::vector<int> space_axes_of(const Model& model, const FieldModel& field) {
  std::vector<int> axes;
  for (int axis : field.axes)
    if (model.axes[axis].kind == AxisKind::space) axes.push_back(axis);
  return axes;
}

std::string count_text(int n) {
  switch (n) {
    case 1:
      return "one degree";
    case 2:
      return "two degrees";
    default:
      return fmt::format("{} degrees", n);
  }
}

}  // namespace

void find_multipliers(Model& model) {
  if (!space_axes(model).empty() && model.equations.size() == model.fields.size()) Search(model).run();
}

const Multiplier* multiplier_fixed_by(const Model& model, const ConditionModel& condition,
                                      const std::vector<int>& lost) {
  if (condition.fields.size() != 1) return nullptr;
  const Multiplier* multiplier = multiplier_of(model, condition.fields.front().field);
  if (multiplier == nullptr || lost != space_axes_of(model, model.fields[at(multiplier->field)])) return nullptr;
  return multiplier;
}

std::vector<SourceText> missing_gauges(const Model& model) {
  std::vector<SourceText> texts;
  for (const Multiplier& multiplier : model.multipliers) {
    const FieldModel& field = model.fields[at(multiplier.field)];
    const std::vector<int> axes = space_axes_of(model, field);
    const auto never_bare = [&](const auto& statement) {
      return only_differentiated(model, statement.residual, multiplier.field, axes);
    };
    if (!std::all_of(model.equations.begin(), model.equations.end(), never_bare) ||
        !std::all_of(model.conditions.begin(), model.conditions.end(), never_bare))
      continue;
    SourceText text = model.equations[at(multiplier.equation)].text;
    text.component.clear();
    text.whole.clear();
    text.text = field.name;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
      text.text = fmt::format("integral({}, {})", text.text, model.axes[at(*axis)].name);
    text.text += " = 0";
    texts.push_back(std::move(text));
  }
  return texts;
}

void lower_degrees(Model& model) {
  for (FieldModel& field : model.fields) field.n_lower.assign(model.axes.size(), 0);
  for (const Multiplier& multiplier : model.multipliers) {
    FieldModel& field = model.fields[at(multiplier.field)];
    const std::vector<int> axes = space_axes(model);
    for (int axis : field.axes) {
      if (!is_bounded(model, axis)) continue;
      for (std::size_t e = 0; e < model.equations.size(); ++e)
        if (static_cast<int>(e) != multiplier.equation &&
            spatial_order(model.equations[e].fields, multiplier.field, axes) > 0)
          field.n_lower[at(axis)] = std::max(field.n_lower[at(axis)], model.equations[e].n_conditions[at(axis)]);
    }
  }
}

int multiplier_differentiated_in(const Model& model, int equation, int axis) {
  for (const Multiplier& multiplier : model.multipliers)
    if (equation != multiplier.equation &&
        expression::derivative_order(model.equations[at(equation)].fields, multiplier.field, axis) > 0)
      return multiplier.field;
  return -1;
}

bool holds_tangential_derivative(const expression::Pool& pool, const ConditionModel& condition) {
  for (expression::Expr leaf : expression::atoms_in(condition.residual)) {
    const expression::Atom atom = expression::atom_of(pool, leaf);
    for (std::size_t axis = 0; axis < atom.orders.size(); ++axis)
      if (atom.orders[axis] > 0 && static_cast<int>(axis) != condition.axis) return true;
  }
  return false;
}

void rank_corners(Model& model) {
  const int n_axes = static_cast<int>(model.axes.size());
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    EquationModel& equation = model.equations[e];
    equation.corner_ranks.resize(model.axes.size());
    std::iota(equation.corner_ranks.begin(), equation.corner_ranks.end(), 0);
    for (const ConditionModel& condition : model.conditions)
      if (condition.axis >= 0 && condition.equation == static_cast<int>(e) &&
          holds_tangential_derivative(*model.pool, condition))
        equation.corner_ranks[at(condition.axis)] += n_axes;
    for (int axis = 0; axis < n_axes; ++axis)
      if (multiplier_differentiated_in(model, static_cast<int>(e), axis) >= 0)
        equation.corner_ranks[at(axis)] = axis - n_axes;
  }
  for (const ConditionModel& condition : model.conditions) {
    if (condition.axis < 0) continue;
    for (const expression::FieldOrders& entry : condition.fields)
      if (multiplier_of(model, entry.field) != nullptr)
        model.equations[at(condition.equation)].corner_ranks[at(condition.axis)] = condition.axis - n_axes;
  }
}

bool is_lower_beside_another(const Model& model, int axis) {
  return std::any_of(model.multipliers.begin(), model.multipliers.end(), [&](const Multiplier& multiplier) {
    const std::vector<int>& n_lower = model.fields[at(multiplier.field)].n_lower;
    return n_lower[at(axis)] > 0 && std::count_if(n_lower.begin(), n_lower.end(), [](int n) { return n > 0; }) > 1;
  });
}

bool has_cross_points(const Model& model, const std::vector<AxisDescription>& subdomains) {
  int n_divided = 0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    n_divided += is_lower_beside_another(model, axis) && subdomains[at(axis)].n_subdomains() > 1 ? 1 : 0;
  return n_divided > 1;
}

std::optional<double> stress_factor(const Model& model, int equation, int axis) {
  const EquationModel& own = model.equations[at(equation)];
  const int multiplier = multiplier_differentiated_in(model, equation, axis);
  if (multiplier < 0) return {};
  double g = 0.0, k = 0.0;
  for (const expression::LinearTerm& term :
       expression::collect(*model.pool, expression::frechet(*model.pool, own.residual))) {
    if (!expression::is_atom(term.leaf)) continue;
    const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
    const bool of_multiplier = atom.field == multiplier && atom.orders[at(axis)] == 1;
    if (!of_multiplier && (atom.field != own.field || atom.orders[at(axis)] != 2)) continue;
    const std::optional<double> value = expression::constant_value(model.pool->symbols(), term.coefficient);
    if (!value) return {};
    (of_multiplier ? g : k) += *value;
  }
  const double factor = k / g;
  return std::isfinite(factor) && factor != 0.0 ? std::optional(factor) : std::nullopt;
}

std::string describe(const Model& model, const Multiplier& multiplier) {
  const FieldModel& field = model.fields[at(multiplier.field)];
  std::string text = "the multiplier of " + equation_name(model, at(multiplier.equation)), separator = ": ";
  for (int axis : field.axes)
    if (field.n_lower[at(axis)] > 0) {
      text +=
          fmt::format("{}{} lower along {}", separator, count_text(field.n_lower[at(axis)]), model.axes[at(axis)].name);
      separator = ", ";
    }
  if (multiplier.mean_zero) text += separator + "mean zero";
  return text;
}

const Multiplier* multiplier_of(const Model& model, int field) {
  for (const Multiplier& multiplier : model.multipliers)
    if (multiplier.field == field) return &multiplier;
  return nullptr;
}

bool is_fixed_by_constraint(const Model& model, int field) {
  const int time = model.time_axis();
  if (multiplier_of(model, field) != nullptr) return true;
  if (time < 0 || model.fields[at(field)].time_order > 0 || !model.fields[at(field)].depends_on(time)) return false;
  const auto holds = [](const EquationModel& equation, int held) {
    return std::any_of(equation.fields.begin(), equation.fields.end(),
                       [&](const expression::FieldOrders& entry) { return entry.field == held; });
  };
  const auto own = std::find_if(model.equations.begin(), model.equations.end(),
                                [&](const EquationModel& equation) { return equation.field == field; });
  if (own == model.equations.end() || holds(*own, field)) return false;
  if (std::any_of(own->fields.begin(), own->fields.end(),
                  [&](const expression::FieldOrders& held) { return held.orders[at(time)] > 0; }))
    return false;
  return std::any_of(model.equations.begin(), model.equations.end(), [&](const EquationModel& driven) {
    return driven.field >= 0 && model.fields[at(driven.field)].time_order > 0 && holds(driven, field) &&
           holds(*own, driven.field);
  });
}

}  // namespace gwrm
