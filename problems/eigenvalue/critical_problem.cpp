#include "problems/eigenvalue/critical_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "problems/eigenvalue/eigenvalue_case.hpp"

namespace gwrm {
namespace {

double constant_of(const Case& the_case, const std::string& name) {
  for (const expression::Constant& constant : the_case.constants)
    if (constant.name == name) return constant.value;
  return 0.0;
}

Case without_critical(const Case& the_case) {
  Case plain = the_case;
  const auto section = std::make_shared<EigenvalueCase>(*eigenvalue_of(the_case));
  section->critical = {};
  plain.section = section;
  return plain;
}

}  // namespace

CriticalProblem::CriticalProblem(const Case& the_case) : case_(the_case), first_(without_critical(the_case)) {}

Summary CriticalProblem::summary() const {
  Summary summary = first_.summary();
  const EigenvalueCase::Critical& critical = eigenvalue_of(case_)->critical;
  summary.lines.emplace_back(
      "critical", fmt::format("the {} for which the largest real part of {} vanishes{}, from {:g} on",
                              critical.parameter, eigenvalue_of(case_)->name,
                              critical.minimise_over.empty() ? "" : ", the smallest over " + critical.minimise_over,
                              constant_of(case_, critical.parameter)));
  return summary;
}

Case CriticalProblem::at(double parameter, double over, int modes) const {
  Case moved = without_critical(case_);
  const EigenvalueCase::Critical& critical = eigenvalue_of(case_)->critical;
  for (expression::Constant& constant : moved.constants) {
    if (constant.name == critical.parameter) constant.value = parameter;
    if (constant.name == critical.minimise_over) constant.value = over;
  }
  const auto section = std::make_shared<EigenvalueCase>(*eigenvalue_of(moved));
  section->modes = modes;
  moved.section = section;
  return moved;
}

CriticalPoint CriticalProblem::find(const Context& context, int refinements, const CriticalPoint& start,
                                    const std::function<bool()>& interrupted) const {
  const Growth growth = [&](double parameter, double over) {
    if (interrupted && interrupted()) return std::numeric_limits<double>::quiet_NaN();
    const std::optional<Mode> mode =
        EigenvalueProblem(at(parameter, over, 1)).leading(context, refinements, interrupted);
    return mode ? mode->value.real() : std::numeric_limits<double>::quiet_NaN();
  };
  const bool minimised = !eigenvalue_of(case_)->critical.minimise_over.empty();
  return find_critical(growth, start.parameter, minimised ? std::optional(start.over) : std::nullopt, interrupted);
}

RunOutcome CriticalProblem::run(const Context& given, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  const Context context = given.without_device();
  const EigenvalueCase& eigenvalue = *eigenvalue_of(case_);
  const CriticalPoint start{
      constant_of(case_, eigenvalue.critical.parameter), constant_of(case_, eigenvalue.critical.minimise_over), {}};
  const CriticalPoint point = find(context, 0, start, control.interrupted);
  RunOutcome outcome;
  if (control.interrupted && control.interrupted()) {
    outcome.report = report_of(case_, summary(), context.device_name());
    outcome.status = ExitStatus::interrupted;
    outcome.report.status = "interrupted";
    return outcome;
  }
  if (!point.failure.empty()) {
    outcome.report = report_of(case_, summary(), context.device_name());
    outcome.status = ExitStatus::not_converged;
    outcome.report.status = "no critical point found";
    outcome.report.reason = point.failure;
    return outcome;
  }
  outcome = EigenvalueProblem(at(point.parameter, point.over, eigenvalue.modes)).run(context, control);
  outcome.report.case_text = case_.resolved_text;
  if (!outcome.complete) return outcome;

  const std::vector<std::string> names = moved_constants(case_);
  const double values[] = {point.parameter, point.over};
  for (std::size_t i = 0; i < names.size(); ++i) {
    outcome.solution.fields.push_back({names[i], {}, {Array(Shape{}, values[i])}});
    outcome.fields.push_back({names[i], "critical value of " + names[i], {}, Array(Shape{}, values[i])});
  }
  if (case_.verification.estimate != EstimateChoice::off) {
    const CriticalPoint finer = find(context, 1, point, control.interrupted);
    const double error = finer.failure.empty() ? std::abs(finer.parameter / point.parameter - 1.0)
                                               : std::numeric_limits<double>::infinity();
    outcome.report.verification.checks.insert(
        outcome.report.verification.checks.begin(),
        {"estimate", names.front(), error, case_.verification.tolerance, true, kEstimateMargin});
    const std::vector<double> nowhere(outcome.solution.axes.size(), std::numeric_limits<double>::quiet_NaN());
    outcome.report.verification.estimate.fields.push_back({names.front(), error, nowhere, error, 0.0});
    if (!outcome.report.verification.passed() && outcome.status == ExitStatus::converged) {
      outcome.status = ExitStatus::unresolved;
      outcome.report.status = "verification failed";
      outcome.report.reason = fmt::format(
          "the critical value of {} moves by {:.1e} when the degrees are raised: raise them", names.front(), error);
    }
  }
  outcome.report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace gwrm
