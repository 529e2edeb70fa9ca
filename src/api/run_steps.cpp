#include "api/run_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "core/threads.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

// Empty where all values are finite.
std::string not_finite_text(const SampledField& field, const RunOutcome& outcome) {
  const std::vector<double>& values = field.values.data;
  const auto is_bad = [](double value) { return !std::isfinite(value); };
  const auto bad = std::find_if(values.begin(), values.end(), is_bad);
  if (bad == values.end()) return {};
  const std::vector<Index> index = unravel(field.values.shape, bad - values.begin());
  std::string point;
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const auto axis = static_cast<std::size_t>(field.axes[d]);
    point += fmt::format("{}{} = {:.6g}", point.empty() ? " at " : ", ", outcome.solution.axes[axis].name,
                         outcome.grid[axis][static_cast<std::size_t>(index[d])]);
  }
  return fmt::format("output.fields.{} is {}{} ({} of {} values are not finite)", field.name, *bad, point,
                     std::count_if(values.begin(), values.end(), is_bad), values.size());
}

}  // namespace

void check_output_names(const Case& the_case) {
  std::vector<std::string> axes, unknowns, fields;
  for (const AxisCase& axis : the_case.domain) axes.push_back(axis.axis.name);
  for (const UnknownCase& unknown : the_case.unknowns) unknowns.push_back(unknown.name);
  for (const NamedExpression& field : the_case.output.fields) {
    fields.push_back(field.name);
    if (the_case.output.error == ErrorFieldsChoice::on) fields.push_back(error_field_name(field.name));
  }
  check_output_names(axes, unknowns, fields);
}

Context context_for(const Summary& summary, BackendChoice asked, int threads) {
  const LogTime time("opening the backend");
  const Context context = Context::create(worthwhile(asked, summary.device_pays), threads > 0          ? threads
                                                                                  : summary.one_thread ? 1
                                                                                                       : 0);
  set_spare_threads(std::max(0, (threads > 0 ? threads : available_cores()) - context.n_threads()));
  return context;
}

void refuse_without_system(const Case& the_case, const Problem& problem) {
  const std::string reason = problem.no_linear_system();
  if (!reason.empty()) throw CaseError(fmt::format("{}: error: no linear system: {}", the_case.path, reason));
}

void warn_of_values_not_finite(RunOutcome& outcome) {
  if (!outcome.complete) return;
  for (const SampledField& field : outcome.fields)
    if (const std::string text = field.error_of.empty() ? not_finite_text(field, outcome) : ""; !text.empty())
      outcome.report.warnings.push_back(text);
}

void warn_of_missing_errors(const Case& the_case, RunOutcome& outcome) {
  if (!outcome.complete || the_case.output.error == ErrorFieldsChoice::off) return;
  for (const SampledField& field : outcome.fields)
    if (!field.error_of.empty()) return;
  const std::string& reason = outcome.report.verification.estimate.reason;
  outcome.report.warnings.push_back("output: {error: on}: there is no field of errors: " +
                                    (reason.empty() ? "this problem has no estimate of them" : reason));
}

}  // namespace gwrm
