#include "problems/continuation/branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/counted.hpp"
#include "core/memory.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "problems/continuation/branch_case.hpp"
#include "problems/continuation/branch_error.hpp"
#include "problems/continuation/branch_solution.hpp"
#include "problems/continuation/branch_verification.hpp"
#include "problems/continuation/branch_window.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/proposal_trials.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {
namespace {

std::vector<NewtonRecord> records(int point, const std::vector<NewtonIteration>& iterations) {
  std::vector<NewtonRecord> all;
  for (std::size_t i = 0; i < iterations.size(); ++i)
    all.push_back({point, 0, static_cast<int>(i), iterations[i].residual_norm, iterations[i].correction_norm,
                   iterations[i].damping, iterations[i].linear_iterations});
  return all;
}

}  // namespace

Branch::Branch(const Case& the_case)
    : case_((check_branch_case(the_case), the_case)),
      first_(case_at(the_case, the_case.continuation.from)),
      model_(build_model(case_with_parameter_unknown(the_case))),
      plan_(model_),
      summary_(describe()) {}

Summary Branch::describe() const {
  const Continuation& branch = case_.continuation;
  Summary summary = first_.summary();
  summary.n_unknowns += 1;
  summary.memory_bytes =
      static_cast<std::size_t>(std::min(memory_of(LinearMethod::dense, model_, plan_, model_.subdomains), 9e18));
  summary.linear_solver = "dense LU, bordered by the parameter of the branch";
  for (auto& [name, value] : summary.lines) {
    if (name == "linear solver") value = summary.linear_solver;
    if (name == "memory") value = format_bytes(summary.memory_bytes);
  }
  summary.lines.emplace_back(
      "branch",
      fmt::format("{} from {:g} to {:g}, {}, at most {} points", branch.parameter, branch.from, branch.to,
                  branch.method == ContinuationMethod::arclength ? "by arc length" : "by the parameter itself",
                  branch.max_points));
  return summary;
}

RunOutcome Branch::run(const Context& context, const RunControl& control) {
  const auto seconds = [began = std::chrono::steady_clock::now()] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const std::size_t limit =
      case_.solver.memory_gb > 0.0 ? static_cast<std::size_t>(case_.solver.memory_gb * 1e9) : available_memory();
  if (summary_.memory_bytes > limit)
    throw MemoryError(fmt::format(
        "not enough memory: {} unknowns with {} need {}, there are {}; lower resolution.degree", summary_.n_unknowns,
        summary_.linear_solver, format_bytes(summary_.memory_bytes), format_bytes(limit)));
  RunOutcome outcome;
  RunReport& report = outcome.report = report_of(case_, summary_, context.device_name());

  std::vector<std::string> undecided;
  std::vector<Check> data_checks = check_branch_data(undecided);
  Window window = steady_window(context, model_, plan_, model_.subdomains);
  const auto lu = make_dense_lu(context);
  std::vector<BranchPoint> points;
  const auto point_done = [&](const BranchPoint& point, const std::vector<NewtonIteration>& iterations) {
    for (const NewtonRecord& record : records(static_cast<int>(points.size()), iterations))
      report.newton.push_back(record);
    points.push_back(point);
    if (control.progress)
      control.progress(
          fraction_done(point.x.back(), points.size()),
          fmt::format("{} = {:.6g}, point {}", case_.continuation.parameter, point.x.back(), points.size()));
  };
  const BranchEnd end =
      follow_branch(equations(window.system), settings(), *lu, first_guess(context), point_done, control.interrupted);
  report.n_factorisations = end.n_factorisations;
  report.n_newton_iterations = static_cast<int>(report.newton.size());
  report.n_windows = std::max(0, static_cast<int>(points.size()) - 1);
  describe_end(end, points.size(), outcome);
  outcome.complete = outcome.status == ExitStatus::converged;
  if (points.size() > 1) {
    outcome.solution = branch_solution(window.system, points);
    sample_branch(case_, points, outcome);
    note_folds(points, outcome);
  }
  if (outcome.complete) {
    report.verification = verify_branch(case_, window.system, points);
    if (case_.verification.estimate != EstimateChoice::off)
      judge_by(case_, estimate_branch_error(case_, window.system, points, control.interrupted), report.verification);
    std::vector<Check>& checks = report.verification.checks;
    check_data_files(case_, case_.verification.tolerance, data_checks, undecided);
    checks.insert(checks.end(), data_checks.begin(), data_checks.end());
    report.warnings.insert(report.warnings.end(), undecided.begin(), undecided.end());
    if (!stopped_before_verdict(control, outcome) && !report.verification.passed()) {
      missing_ = missing_resolution(case_, model_, branch_losses(window.system, points), report.verification);
      report.wall_seconds = seconds();  // without the trials of what is proposed
      report.verification.estimate.advice =
          missing_.proposal && control.tries_proposals ? tried(context, control, report.wall_seconds) : missing_.text;
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      report.reason = describe_verification(case_, report.verification, outcome.solution.axes);
    }
  }
  end_without_estimate(outcome);
  if (report.wall_seconds == 0.0) report.wall_seconds = seconds();
  return outcome;
}

std::string Branch::tried(const Context& context, const RunControl& control, double seconds) const {
  const TrialRun run = [&](const Case& the_case, const std::function<bool()>& interrupted) {
    Branch problem(the_case);
    RunControl quiet;
    quiet.interrupted = interrupted;
    const RunOutcome outcome = problem.run(context, quiet);
    return trial_of(outcome, std::move(problem.missing_));
  };
  return try_proposals(case_, *missing_.proposal, run, seconds, control.interrupted);
}

// What holds along the whole branch, and where the parameter stands within the data, these at both ends.
std::vector<Check> Branch::check_branch_data(std::vector<std::string>& undecided) const {
  std::vector<Check> checks = check_data(case_, model_, undecided);
  if (!case_.resolution.automatic()) {
    const UnresolvedData unresolved = unresolved_data(case_, model_, model_.subdomains, false);
    checks.insert(checks.end(), unresolved.checks.begin(), unresolved.checks.end());
  }
  for (const double end : {case_.continuation.from, case_.continuation.to}) {
    if (!checks.empty()) break;
    undecided.clear();  // the whole case is looked at again
    checks = check_data(case_, build_model(case_at(case_, end)), undecided);
  }
  return checks;
}

// `guess` at `from`: data of the steady case, in which the parameter is a constant.
std::vector<double> Branch::first_guess(const Context& context) const {
  const Model model = build_model(case_at(case_, case_.continuation.from));
  const SystemPlan plan(model);
  const Window window = steady_window(context, model, plan, model.subdomains);
  std::vector<double> guess = constant_start(window.system);
  guess.push_back(case_.continuation.from);
  return guess;
}

BranchEquations Branch::equations(WindowSystem& system) const {
  return {system, free_row(system), branch_unknowns(system)};
}

BranchSettings Branch::settings() const {
  const Continuation& branch = case_.continuation;
  BranchSettings settings;
  settings.from = branch.from;
  settings.to = branch.to;
  settings.arclength = branch.method == ContinuationMethod::arclength;
  settings.first_step = branch.step;
  settings.max_points = branch.max_points;
  settings.newton = newton_options(case_);
  return settings;
}

double Branch::fraction_done(double parameter, std::size_t n_points) const {
  const Continuation& branch = case_.continuation;
  const double way = std::clamp((parameter - branch.from) / (branch.to - branch.from), 0.0, 1.0);
  return std::max(way, static_cast<double>(n_points) / branch.max_points);
}

void Branch::describe_end(const BranchEnd& end, std::size_t n_points, RunOutcome& outcome) const {
  const Continuation& branch = case_.continuation;
  RunReport& report = outcome.report;
  outcome.status = ExitStatus::converged;
  if (end.status == BranchStatus::reached_end) return;
  if (end.status == BranchStatus::came_back) {
    report.warnings.push_back(
        fmt::format("the branch does not reach {} = {:g}: it turns, and ends where it comes back to {:g}",
                    branch.parameter, branch.to, branch.from));
    return;
  }
  if (end.status == BranchStatus::point_limit) {
    report.warnings.push_back(fmt::format("the branch ends at {} = {:.6g} after {} (continue.points)", branch.parameter,
                                          end.parameter, counted(n_points, "point")));
    return;
  }
  MarchEnd march;
  march.status = MarchStatus::newton_failed;
  march.newton = end.newton;
  march.detail = end.detail;
  const Failure failure = describe_failure(model_, march, std::vector<double>(model_.axes.size(), 0.0), 0);
  outcome.status = failure.exit == ExitStatus::converged ? ExitStatus::not_converged : failure.exit;
  report.status = succeeded(end.newton) ? "the branch could not be followed" : failure.status;
  if (end.status == BranchStatus::first_failed) {
    report.reason = fmt::format(
        "no solution was found at {} = {:g}, where the branch begins: {}{}give a better start under "
        "`guess`, or another `from`",
        branch.parameter, branch.from, end.detail, end.detail.empty() ? "" : "; ");
    return;
  }
  report.reason = fmt::format("the branch was followed to {} = {:.10g} ({})", branch.parameter, end.parameter,
                              counted(n_points, "point"));
  if (end.status == BranchStatus::interrupted) return;
  report.reason += fmt::format("; there the step became too small{}{}; {}", end.detail.empty() ? "" : ": ", end.detail,
                               branch.method == ContinuationMethod::natural
                                   ? "it may turn back there: use method: arclength"
                                   : "the solution may end or branch there, or need a higher degree");
}

void Branch::note_folds(const std::vector<BranchPoint>& points, RunOutcome& outcome) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].fold) continue;
    std::string text = fmt::format("fold at {} = {:.10g}", case_.continuation.parameter, points[i].x.back());
    for (const UnknownCase& unknown : case_.unknowns)
      for (const SampledField& field : outcome.fields)
        if (field.name == "norm_" + unknown.name)
          text += fmt::format(", {} = {:.8g}", field.name, field.values.data[i]);
    outcome.report.warnings.push_back(text + fmt::format(" (s = {:.6g})", points[i].s));
  }
}

std::unique_ptr<Problem> make_branch(const Case& the_case) {
  return std::make_unique<Branch>(the_case);
}

}  // namespace gwrm
