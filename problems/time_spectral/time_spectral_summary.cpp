// What `gwrm check` says of a case of problem: time_spectral (time_spectral.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "basis/orthogonal_basis.hpp"
#include "core/counted.hpp"
#include "core/memory.hpp"
#include "expression/expression.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/distribution_text.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/multiplier_checks.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/periodic_axes.hpp"
#include "problems/time_spectral/system_summary.hpp"
#include "problems/time_spectral/time_kinks.hpp"
#include "problems/time_spectral/time_spectral.hpp"
#include "problems/time_spectral/uncertain_section.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

// What a condition takes the place of.
std::string place_of(const Model& model, const ConditionModel& condition) {
  const std::string equation = equation_name(model, static_cast<std::size_t>(condition.equation));
  if (condition.inner_edge)
    return fmt::format("at the inner edge {} = {:.10g}, of {}", model.axes[condition.axis].name, *condition.inner_edge,
                       equation);
  if (condition.axis >= 0) return fmt::format("closes {} of {}", model.axes[condition.axis].name, equation);
  std::uint32_t mask = 0;
  for (int axis : condition.mean_axes) mask |= 1u << axis;
  const std::vector<Multiplier>& multipliers = model.multipliers;
  if (std::any_of(multipliers.begin(), multipliers.end(), [&](const Multiplier& multiplier) {
        return multiplier.mean_zero && multiplier.equation == condition.equation;
      }))
    return fmt::format("added: nothing else fixes it; in place of the mean of {}", equation);
  return fmt::format("in place of the mean of {} over {}", equation, model.axes_text(mask));
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// One warning of each order: the largest clash, and the other conditions of which the same is to be said.
std::vector<std::string> clashes_told(const Model& model, const std::vector<IncompatibleData>& conflicts,
                                      bool automatic) {
  std::vector<std::string> told;
  for (const int order : {0, 1}) {
    const IncompatibleData* largest = nullptr;
    for (const IncompatibleData& conflict : conflicts)
      if (conflict.order == order && (largest == nullptr || conflict.size > largest->size)) largest = &conflict;
    if (largest == nullptr) continue;
    std::vector<std::string> others;
    for (const IncompatibleData& conflict : conflicts)
      if (conflict.order == order && &conflict != largest)
        others.push_back("\"" + model.conditions[conflict.condition].text.text + "\"");
    told.push_back(describe(model, *largest, automatic) + (others.empty() ? "" : "; likewise " + join(others, ", ")));
  }
  return told;
}

std::string axes_of(const Model& model, const FieldModel& field) {
  std::vector<std::string> names;
  for (int axis : field.axes) names.push_back(model.axes[axis].name);
  return names.empty() ? "nothing" : join(names, ", ");
}

}  // namespace

Summary TimeSpectral::describe() const {
  Summary summary;
  const bool automatic = case_.resolution.automatic();
  auto line = [&](const std::string& name, const std::string& value) { summary.lines.emplace_back(name, value); };
  for (std::size_t i = 0; i < model_.axes.size(); ++i) {
    const Axis& axis = model_.axes[i];
    const AxisDescription& subdomains = model_.subdomains[i];
    const char* kind = axis.kind == AxisKind::time ? "time" : axis.kind == AxisKind::space ? "space" : "parameter";
    std::string how = fmt::format("{}{}", kind, expansion_text(axis, subdomains));
    if (axis.kind == AxisKind::time) {
      if (!automatic) how += ", " + counted(std::ssize(model_.window_edges) - 1, "window");
      how += model_.weighting == Weighting::radau ? ", radau weighting" : ", chebyshev weighting";
    }
    if (automatic) how += axis.kind == AxisKind::time ? ", windows by the tolerance" : " to start with";
    if (model_.is_collocated(static_cast<int>(i)))
      how += ", solved at each of its " + std::to_string(subdomains.n_coefficients()) + " Gauss points";
    else if (axis.kind == AxisKind::parameter)
      how += ", coupled";
    how += quadrature_text(subdomains);
    if (parameter_error_of(case_) == ParameterError::mean_square && model_.is_collocated(static_cast<int>(i)) &&
        distribution_of(subdomains))
      how += ", the estimated error by its root mean square over the density";
    line("dimension " + axis.name, how);
  }
  for (std::size_t e = 0; e < model_.equations.size(); ++e) {
    const EquationModel& equation = model_.equations[e];
    std::vector<std::string> orders;
    for (std::size_t axis = 0; axis < model_.axes.size(); ++axis)
      if (equation.orders[axis] > 0)
        orders.push_back(fmt::format("{} along {}", equation.orders[axis], model_.axes[axis].name));
    const int degree = equation.residual->facts.degree;
    const std::string kind = degree <= 1                            ? "linear"
                             : degree >= expression::kNonPolynomial ? "non-polynomial"
                                                                    : fmt::format("polynomial of degree {}", degree);
    line(equation_name(model_, e),
         fmt::format("{}   [for {}; {}; order {}]", equation.text.text, model_.fields[equation.field].name, kind,
                     orders.empty() ? "0" : join(orders, ", ")));
  }
  for (std::size_t c = 0; c < model_.conditions.size(); ++c)
    line(condition_name(model_, c),
         fmt::format("{}   [{}]", model_.conditions[c].text.text, place_of(model_, model_.conditions[c])));
  for (const auto& [name, advice] : fourier_advice(case_, model_)) line(name, advice);
  const WindowSize size = window_size(model_, model_.subdomains);
  for (std::size_t f = 0; f < model_.fields.size(); ++f) {
    const FieldModel& field = model_.fields[f];
    const Multiplier* multiplier = multiplier_of(model_, static_cast<int>(f));
    line("unknown " + field.name,
         fmt::format("depends on {}; {}", axes_of(model_, field),
                     multiplier != nullptr ? gwrm::describe(model_, *multiplier)
                                           : fmt::format("dt up to order {}", field.time_order)));
  }
  summary.n_unknowns = static_cast<Index>(size.unknowns);
  summary.memory_bytes = static_cast<std::size_t>(
      std::min(memory_of(choice_.method, model_, plan_, model_.subdomains, choice_.coefficient_degree) +
                   sampled_bytes(case_, model_),
               9e18));
  summary.linear_solver = gwrm::describe(choice_);
  // An automatic run in two or three dimensions outgrows its first degrees; its small windows take one thread anyway.
  summary.one_thread = !(automatic && model_.n_modal_axes() > 1) &&
                       one_thread_suffices(choice_.method, model_, model_.subdomains, parameter_points(model_).size());
  summary.device_pays = device_pays(choice_.method, model_, plan_, model_.subdomains);
  line("unknowns", fmt::format("{:.0f} per window{}{}", size.unknowns, automatic ? " to start with" : "",
                               model_.linear ? ", linear: one Newton step" : ""));
  line("linear solver", summary.linear_solver + (automatic ? "; to start with" : ""));
  if (case_.backend == BackendChoice::cuda && !stays_dense()) line("device", describe_device());
  line("products", plans_.description());
  line("memory", format_bytes(summary.memory_bytes));
  summary.warnings = model_.warnings;
  for (std::string& text : projected_initial_values(model_, parameter_points(model_).front()))
    summary.warnings.push_back(std::move(text));
  if (const std::string kinks = describe_kinks_on_undivided_axes(model_); !kinks.empty())
    summary.warnings.push_back(kinks);
  if (!automatic)
    for (const std::string& kinks : {describe_kinks_inside_windows(model_), describe_kinks_inside_subdomains(model_)})
      if (!kinks.empty()) summary.warnings.push_back(kinks);
  if (starts_.all.empty())
    for (std::string& text : clashes_told(model_, felt(conflicts_, tolerance_of_answer(case_)), automatic))
      summary.warnings.push_back(std::move(text));
  for (const std::string& text : gwrm::describe(model_, starts_.all)) line("sudden start", text);
  for (const std::string& text : gwrm::describe(model_, flows_)) line("start of a flow", text);
  for (const std::string& text : gwrm::describe(model_, corners_)) line("corner of sides", text);
  // A first window so small that the clash does no harm there does not make the solution smooth.
  std::vector<IncompatibleData> whole_incompatible;
  if (model_.window_edges.size() == 2)
    whole_incompatible = conflicts_;
  else if (!model_.window_edges.empty())
    whole_incompatible = incompatible_between(model_, parameter_points(model_).front(), model_.window_edges.front(),
                                              model_.window_edges.back(), tolerance_of_answer(case_));
  for (const IncompatibleData& conflict : whole_incompatible)
    summary.clashes.push_back(describe_incompatible(model_, conflict));
  for (const auto& [name, value] : corner_lines(model_, conflicts_, whole_incompatible)) line(name, value);
  summary.system = printed_system(case_, model_);
  summary.conditions = condition_table(model_);
  return summary;
}

}  // namespace gwrm
