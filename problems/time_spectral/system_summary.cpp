#include "problems/time_spectral/system_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/parser.hpp"
#include "expression/printer.hpp"

namespace gwrm {
namespace {

PrintedExpression printed(const std::string& name, expression::Expr left, expression::Expr right) {
  return {name, expression::print(left) + " = " + expression::print(right),
          expression::latex(left) + " = " + expression::latex(right)};
}

}  // namespace

std::vector<PrintedExpression> printed_system(const Case& the_case, const Model& model) {
  expression::Pool& pool = *model.pool;
  std::vector<PrintedExpression> system = printed_definitions(pool);
  for (std::size_t e = 0; e < model.equations.size(); ++e)
    system.push_back(printed(equation_name(model, e), model.equations[e].left, model.equations[e].right));
  for (std::size_t c = 0; c < model.conditions.size(); ++c)
    system.push_back(printed(condition_name(model, c), model.conditions[c].left, model.conditions[c].right));
  for (const InitialCase& initial : the_case.initial) {
    expression::Expr u = pool.field(initial.field);
    if (initial.order > 0) u = pool.derivative(u, "t", initial.order);
    u = pool.restriction(u, {{"t", pool.number(the_case.domain.front().axis.lower)}});
    system.push_back(printed("initial " + initial.field, u, expression::parse(pool, initial.text)));
  }
  for (const NamedExpression& exact : the_case.exact)
    system.push_back(printed("exact " + exact.name, pool.field(exact.name), expression::parse(pool, exact.text)));
  return system;
}

std::vector<std::vector<std::string>> condition_table(const Model& model) {
  std::vector<std::vector<std::string>> rows = {{"conditions", "unknown"}};
  for (const Axis& axis : model.axes) rows.front().push_back(axis.name);
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    const EquationModel& equation = model.equations[e];
    const FieldModel& field = model.fields[equation.field];
    std::vector<std::string> row = {equation_name(model, e), field.name};
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
      if (axis == model.time_axis()) {
        row.push_back(fmt::format("{} of {}", field.initial.size(), field.time_order));
        continue;
      }
      const auto given =
          std::count_if(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
            return condition.equation == static_cast<int>(e) && condition.axis == axis && !condition.inner_edge;
          });
      const bool mean =
          std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
            return condition.equation == static_cast<int>(e) &&
                   std::count(condition.mean_axes.begin(), condition.mean_axes.end(), axis) > 0;
          });
      row.push_back(mean                   ? "mean"
                    : model.is_modal(axis) ? fmt::format("{} of {}", given, equation.n_conditions[axis])
                                           : "-");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::pair<std::string, std::string>> corner_lines(const Model& model,
                                                              const std::vector<IncompatibleData>& first_window,
                                                              const std::vector<IncompatibleData>& whole_time) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const IncompatibleData& conflict : whole_time) {
    const std::string& text = model.conditions[conflict.condition].text.text;
    const auto first = std::find_if(first_window.begin(), first_window.end(), [&](const IncompatibleData& other) {
      return other.condition == conflict.condition && other.order == conflict.order;
    });
    const std::string over_first = first == first_window.end() ? "less than 1e-6" : fmt::format("{:.3g}", first->size);
    lines.emplace_back(
        "corner", conflict.order == 0
                      ? fmt::format("{}   [the initial values are off by {:.3g} of their size]", text, conflict.size)
                      : fmt::format("{}   [values agree; the slope in time is off by {} of their size "
                                    "over the first window, {:.3g} over the whole time]",
                                    text, over_first, conflict.size));
  }
  if (lines.empty() && model.time_axis() >= 0 && !model.conditions.empty())
    lines.emplace_back("corners", "no conflict of initial and boundary data found (values to 1e-8, slopes to 1e-6)");
  return lines;
}

}  // namespace gwrm
