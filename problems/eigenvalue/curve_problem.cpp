#include "problems/eigenvalue/curve_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "basis/axis_basis.hpp"
#include "core/counted.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr double kHelps = 0.7;   // what a higher degree leaves of an error, or it is no longer the degree's
constexpr int kFirstDegree = 8;  // of an automatic run

AxisDescription along_parameter(const Case& the_case) {
  const AxisCase& parameter = *parameter_of(the_case);
  return {parameter.degree >= 0 ? parameter.degree : kFirstDegree, parameter.edges, parameter.axis.map,
          parameter.basis};
}

double largest(const std::vector<CurveError>& errors) {
  double result = 0.0;
  for (const CurveError& error : errors) {
    result = std::max(result, relative_error(error.value, error.size));
    for (const double moved : error.moved) result = std::max(result, moved);
  }
  return result;
}

// The largest of both, field by field; index -1: the eigenvalue.
FieldError largest_error(const std::string& name, const Curves& curves, int field, std::size_t n_axes) {
  const std::vector<double> nowhere(n_axes, std::numeric_limits<double>::quiet_NaN());
  FieldError result{name, 0.0, nowhere, 0.0, 0.0};
  for (std::size_t k = 0; k < curves.curves.size(); ++k) {
    double of_mode = 0.0;
    for (const auto* errors : {&curves.curves[k].in_space, &curves.curves[k].along})
      for (const CurveError& error : *errors) {
        const double value =
            field < 0 ? relative_error(error.value, error.size) : error.moved[static_cast<std::size_t>(field)];
        of_mode = std::max(of_mode, value);
        if (!(value <= result.largest)) {
          result.largest = value;
          result.at = nowhere;
          result.at[0] = static_cast<double>(k);
          result.at[1] = error.at;
        }
      }
    result.at_end = of_mode;
  }
  return result;
}

// Of errors at points the larger one of the two beside q.
double beside(const std::vector<CurveError>& errors, double q, double CurveError::*what) {
  if (errors.empty()) return 0.0;
  const auto after = std::lower_bound(errors.begin(), errors.end(), q,
                                      [](const CurveError& error, double at) { return error.at < at; });
  double result = 0.0;
  if (after != errors.end()) result = (*after).*what;
  if (after != errors.begin()) result = std::max(result, (*(after - 1)).*what);
  return result;
}

}  // namespace

CurveProblem::CurveProblem(const Case& the_case)
    : case_((check_eigenvalue_case(the_case), the_case)),
      first_(case_at_parameter(the_case, parameter_of(the_case)->axis.lower)),
      along_(along_parameter(the_case)),
      summary_(describe()) {}

Summary CurveProblem::describe() const {
  Summary summary = first_.summary();
  const AxisCase& parameter = *parameter_of(case_);
  summary.lines.emplace_back(
      "curves", fmt::format("over {} from {:g} to {:g}, {}, and between them to see the error", parameter.axis.name,
                            parameter.axis.lower, parameter.axis.upper,
                            parameter.degree >= 0 ? counted(make_basis(along_)->n_coefficients(), "node")
                                                  : std::string("nodes by the tolerance")));
  return summary;
}

void CurveProblem::deliver(const Curves& curves, const AxisDescription& along, RunOutcome& outcome) const {
  const std::string& name = eigenvalue_of(case_)->name;
  std::vector<ModeSeries> series;
  bool is_complex = false;
  for (const Curve& curve : curves.curves) {
    series.push_back(curve.series);
    is_complex = is_complex || any_complex(curve.modes);
  }
  outcome.solution = mode_solution(case_, curves.first->pencil(), parameter_of(case_)->axis, along, series);
  sample_modes(case_, {}, outcome);
  const std::vector<double>& q = outcome.grid[1];
  const auto add = [&](const std::string& field, const std::string& what, const std::string& error_of, auto&& value) {
    SampledField sampled{
        field, what, {0, 1}, Array(Shape{static_cast<Index>(series.size()), static_cast<Index>(q.size())}), error_of};
    auto at = sampled.values.data.begin();
    for (const Curve& curve : curves.curves)
      for (const double z : q) *at++ = value(curve, z);
    outcome.fields.push_back(std::move(sampled));
  };
  if (case_.verification.estimate != EstimateChoice::off)
    add(name + "_error", "estimated error of the eigenvalue", parts_of(name, is_complex).front(),
        [](const Curve& curve, double z) {
          return beside(curve.in_space, z, &CurveError::value) + beside(curve.along, z, &CurveError::value);
        });
  const bool has_conditions = std::all_of(curves.curves.begin(), curves.curves.end(), [](const Curve& curve) {
    return std::all_of(curve.in_space.begin(), curve.in_space.end(),
                       [](const CurveError& error) { return error.condition > 0.0; });
  });
  if (has_conditions)
    add("condition", "condition number of the eigenvalue: 1 of a self-adjoint problem", "",
        [](const Curve& curve, double z) { return beside(curve.in_space, z, &CurveError::condition); });

  Verification& verification = outcome.report.verification;
  verification.checks = curves.checks;
  for (Check& check : check_known_values(case_, outcome.solution)) verification.checks.push_back(std::move(check));
  if (case_.verification.estimate != EstimateChoice::off) {
    ErrorEstimate estimate;
    estimate.status = ErrorEstimate::Status::made;
    const std::size_t n_axes = outcome.solution.axes.size();
    estimate.fields.push_back(largest_error(name, curves, -1, n_axes));
    const std::vector<FieldModel>& fields = curves.first->pencil().system().model().fields;
    for (std::size_t f = 0; f + 1 < fields.size(); ++f)
      estimate.fields.push_back(largest_error(fields[f].name, curves, static_cast<int>(f), n_axes));
    judge_by(case_, estimate, verification);
    for (Check& check : verification.checks)
      if (check.kind == "boundary" || check.kind == "mean") check.judged = false;
  }
  verification.checks.push_back({"modes", fmt::format("of {} asked for, missing", eigenvalue_of(case_)->modes),
                                 static_cast<double>(eigenvalue_of(case_)->modes) - static_cast<double>(series.size()),
                                 0.0});
  if (curves.loss)
    verification.checks.push_back(
        {"modes",
         fmt::format("mode {} is lost between {} = {:.6g} and {:.6g}", curves.loss->mode,
                     parameter_of(case_)->axis.name, std::min(curves.loss->from, curves.loss->to),
                     std::max(curves.loss->from, curves.loss->to)),
         1.0, 0.0});
}

RunOutcome CurveProblem::run(const Context& given, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  const Context context = given.without_device();
  RunOutcome outcome;
  RunReport& report = outcome.report = report_of(case_, summary_, context.device_name());
  outcome.status = ExitStatus::converged;
  AxisDescription along = along_;
  double last_error = HUGE_VAL;  // of what was raised last
  bool last_was_space = false;
  for (int refinements = 0;;) {
    const Curves curves = eigenvalue_curves(context, case_, refinements, along, control);
    report.warnings = summary_.warnings;
    if (control.interrupted && control.interrupted()) {
      outcome.status = ExitStatus::interrupted;
      report.status = "interrupted";
      break;
    }
    if (!curves.failure.empty()) {
      outcome.status = ExitStatus::not_converged;
      report.status = "no modes found";
      report.reason = curves.failure;
      break;
    }
    report.n_unknowns = curves.first->pencil().size();
    deliver(curves, along, outcome);
    outcome.complete = true;
    if (report.verification.passed()) {
      const std::vector<std::complex<double>> missed = first_.missed(context, refinements, control);
      if (missed.empty()) break;
      report.verification.checks.push_back({"modes", "of those asked for, not found: " + describe_missed(missed),
                                            static_cast<double>(missed.size()), 0.0});
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      report.reason = fmt::format(
          "modes are missing at the lower end of {}, {}, which finer subdomains show: divide the domain where they are",
          parameter_of(case_)->axis.name, describe_missed(missed));
      break;
    }
    double in_space = 0.0, over_parameter = 0.0;
    for (const Curve& curve : curves.curves) {
      in_space = std::max(in_space, largest(curve.in_space));
      over_parameter = std::max(over_parameter, largest(curve.along));
    }
    if (case_.resolution.automatic() && !curves.loss) {
      const bool is_space = in_space > over_parameter;
      std::vector<AxisDescription> next = first_.subdomains(refinements + 1);
      if (!is_space) next = {along}, next.front().degree = finer_degree(along.degree);
      const bool fits = std::all_of(next.begin(), next.end(), [&](const AxisDescription& axis) {
        return axis.degree <= case_.resolution.max_degree;
      });
      const double error = is_space ? in_space : over_parameter;
      const bool helps = last_was_space != is_space || error < kHelps * last_error;
      last_error = error;
      last_was_space = is_space;
      if (fits && helps) {
        is_space ? static_cast<void>(++refinements) : static_cast<void>(along = next.front());
        continue;
      }
    }
    outcome.status = ExitStatus::unresolved;
    report.status = "verification failed";
    const std::string& q = parameter_of(case_)->axis.name;
    report.reason =
        curves.loss
            ? fmt::format(
                  "mode {0} could not be followed over {1} between {2:.6g} and {3:.6g}: two eigenvalues meet there and "
                  "become a "
                  "complex pair, or avoid each other within less than that, or it leaves those that are found; end "
                  "the range of {1} before, or ask for fewer modes",
                  curves.loss->mode, q, std::min(curves.loss->from, curves.loss->to),
                  std::max(curves.loss->from, curves.loss->to))
        : static_cast<int>(curves.curves.size()) < eigenvalue_of(case_)->modes
            ? fmt::format(
                  "{} of {} modes are resolved at the lower end of {}: raise the degrees, or ask for fewer modes",
                  curves.curves.size(), eigenvalue_of(case_)->modes, q)
            : describe_verification(case_, report.verification, outcome.solution.axes) +
                  (over_parameter > in_space
                       ? fmt::format(" (it is larger between the nodes of {}: raise its degree, or "
                                     "shorten its range)",
                                     q)
                       : std::string());
    break;
  }
  end_without_estimate(outcome);
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace gwrm
