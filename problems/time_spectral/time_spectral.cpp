#include "problems/time_spectral/time_spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "core/blas.hpp"
#include "core/counted.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "core/version.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/given_solution.hpp"
#include "problems/spare_accuracy.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/enough_degrees.hpp"
#include "problems/time_spectral/error_follower.hpp"
#include "problems/time_spectral/failure_text.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/goals.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/jacobian_check.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/march_pass.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/multiplier_checks.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/periodic_axes.hpp"
#include "problems/time_spectral/point_places.hpp"
#include "problems/time_spectral/proposal_trials.hpp"
#include "problems/time_spectral/run_journal.hpp"
#include "problems/time_spectral/system_summary.hpp"
#include "problems/time_spectral/time_kinks.hpp"
#include "problems/time_spectral/window_store.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

// Scaled Jacobians of well-posed problems stay far above; dependent equations polluted by round-off come out near eps.
constexpr double kSuspiciousCondition = 1e-15;

// An automatic run whose tails are small enough and whose estimated error is not is repeated, so often at most, ...
constexpr int kMaxRepeats = 2;
constexpr double kLeastTightening = 0.5, kMostTightening = 1e-3;  // ... its tails by this factor smaller, ...
constexpr double kAimedAt = 0.3;                                  // ... for an error of this share of the tolerance ...
constexpr double kGain = 0.5;                                     // less is no gain of a repetition
constexpr double kLongestRepetition = 10.0;                       // times the first pass, or kShortestRepetition:
constexpr double kShortestRepetition = 10.0;                      // longer ones are given up
constexpr double kUntilForecast = 0.25;  // of that time: first attempts tell little of the rest
constexpr double kHopelessError = 0.1;   // ... unless the error is as large as that.

double first_start(const Model& model) {
  return model.window_edges.empty() ? 0.0 : model.window_edges.front();
}
double first_end(const Model& model) {
  return model.window_edges.empty() ? 1.0 : model.window_edges[1];
}

void check_degrees(const Model& model) {
  for (const EquationModel& equation : model.equations)
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      if (equation.n_conditions[axis] > model.subdomains[axis].degree)
        throw_case_error(equation.text, 0,
                         fmt::format("order {} along {} needs resolution.degree.{} of at least {}, it is {}",
                                     equation.orders[axis], model.axes[axis].name, model.axes[axis].name,
                                     equation.orders[axis], model.subdomains[axis].degree));
}

// What the march needs to know of a clash between initial and boundary data: the largest, per unit of time.
double incompatibility_of(const std::vector<IncompatibleData>& conflicts, double first_length) {
  double clash = 0.0;
  for (const IncompatibleData& conflict : conflicts)
    clash = std::max(clash, conflict.order == 0 ? 1.0 : conflict.size / first_length);
  return clash;
}

// What does not fit together in the case is found before anything is computed.
LinearChoice checked_choice(const Case& the_case, const Model& model, const SystemPlan& plan) {
  check_degrees(model);
  check_multipliers(model, parameter_points(model).front(), the_case.verification.tolerance);
  for (const NamedExpression& field : the_case.output.fields)
    expression::lower(*model.pool, expression::parse(*model.pool, field.text));
  for (const ReferenceValue& value : the_case.verification.values) known_value_expression(model, value);
  check_goals(the_case, model);
  check_parts(the_case, model);
  return choose_linear_method(the_case, model, plan, model.subdomains);
}

// Of the first window.
std::vector<IncompatibleData> first_incompatible(const Case& the_case, const Model& model,
                                                 const std::vector<double>& point) {
  return incompatible_between(model, point, first_start(model), first_end(model), tolerance_of_answer(the_case));
}

}  // namespace

NewtonOptions newton_options(const Case& the_case) {
  const Case::Solver::Newton& newton = the_case.solver.newton;
  NewtonOptions options{newton.tolerance, newton.max_iterations, Globalisation::natural};
  // Digits far below the tolerance of the run cost iterations and are lost in its truncation errors.
  if (the_case.resolution.automatic())
    options.tolerance = std::max(options.tolerance, 1e-3 * the_case.resolution.tolerance);
  else if (newton.tolerance == Case::Solver::Newton().tolerance)  // the user leaves it open
    options.loosest_tolerance = 0.1 * the_case.verification.tolerance;
  switch (newton.globalisation) {
    case GlobalisationChoice::natural:
      break;
    case GlobalisationChoice::none:
      options.globalisation = Globalisation::none;
      break;
    case GlobalisationChoice::sir:
      options.globalisation = Globalisation::sir;
      break;
    case GlobalisationChoice::anderson:
      options.globalisation = Globalisation::anderson;
      break;
  }
  return options;
}

TimeSpectral::TimeSpectral(const Case& the_case)
    : case_(the_case),
      model_(with_degrees_of_data(
          the_case, graded_toward_corners(the_case, with_edges_at_features(the_case, build_model(the_case))))),
      plans_(case_, model_),
      plan_(plans_.on(Backend::cpu)),
      choice_(checked_choice(case_, model_, plan_)),
      conflicts_(first_incompatible(case_, model_, parameter_points(model_).front())),
      starts_(sudden_starts(case_, model_, conflicts_)),
      flows_(flow_starts(case_, model_, plan_)),
      corners_(side_corners(case_, model_)),
      summary_(describe()) {}

TimeSpectral::~TimeSpectral() = default;

std::vector<Check> TimeSpectral::check_jacobian(const Context& context) const {
  return gwrm::check_jacobian(context.without_device(), model_, plan_, parameter_points(model_).front());
}

RunOutcome TimeSpectral::run(const Context& given, const RunControl& control) {
  began_ = std::chrono::steady_clock::now();
  const Context context = stays_dense() ? given : given.without_device();
  open_places(given, control);
  check_memory(case_, model_, plan_, choice_,
               device_ == nullptr ? ranks_of_window(places_.get(), parameter_points(model_).size()) : RanksOfWindow());
  std::vector<std::string> undecided, hints;
  std::vector<Check> data_checks = check_data(case_, model_, undecided);
  if (control.solution) data_checks.push_back(check_given(given, *control.solution));
  RunOutcome outcome;
  RunReport& report = outcome.report =
      report_of(case_, summary_, device_ != nullptr ? given.device_name() : context.device_name());
  outcome.status = ExitStatus::converged;

  const bool dense_alone = stays_dense() && parameter_points(model_).size() == 1;
  set_blas_threads(dense_alone ? context.n_threads() : 1);
  if (!is_trial_)
    for (const std::string& text : gwrm::describe(model_, starts_.all)) logger().info("{}", text);
  if (!is_trial_)
    for (const std::string& text : gwrm::describe(model_, flows_)) logger().info("{}", text);
  if (!is_trial_)
    for (const std::string& text : gwrm::describe(model_, corners_)) logger().info("{}", text);
  march_windows(context, control, outcome);
  repeat_until_accurate(context, control, outcome);
  close_places(report);
  if (may_solve_otherwise(control, outcome) && solve_otherwise(given, control, outcome)) return outcome;
  if (control.solution) report.linear_solver = gwrm::describe(*control.solution);
  if (outcome.complete) {
    if (case_.resolution.automatic()) data_checks = check_data_of_answer(model_, outcome.solution, undecided);
    UnresolvedData unresolved = unresolved_data(case_, model_, outcome.solution);
    data_checks.insert(data_checks.end(), unresolved.checks.begin(), unresolved.checks.end());
    hints = std::move(unresolved.hints);
    check_data_files(case_, case_.verification.tolerance, data_checks, undecided);
    report.warnings.insert(report.warnings.end(), undecided.begin(), undecided.end());
    std::vector<Check>& checks = report.verification.checks;
    checks.insert(checks.end(), data_checks.begin(), data_checks.end());
    if (!report.verification.passed()) report.warnings.insert(report.warnings.end(), hints.begin(), hints.end());
  }
  if (outcome.status == ExitStatus::converged && smallest_condition_ < kSuspiciousCondition)
    report.warnings.push_back(
        fmt::format("the Jacobian is nearly singular (1/cond = {:.1e}): look for a condition said twice or a "
                    "constant that nothing fixes; round-off may have chosen it",
                    smallest_condition_));
  // Without the trials of what is proposed.
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const std::string unsolved =
      control.solution ? unsolved_reason(*control.solution, report.verification.checks) : std::string();
  const bool is_interrupted = outcome.status == ExitStatus::interrupted;  // perhaps in a repetition
  if (outcome.complete && !is_interrupted && unsolved.empty())
    report.verification.estimate.advice = advise(given, control, outcome);
  if (outcome.complete && !is_interrupted && !report.verification.passed()) {
    outcome.status = ExitStatus::unresolved;
    report.status = "verification failed";
    report.reason =
        unsolved.empty() ? describe_verification(case_, report.verification, model_.axes, repeated_) : unsolved;
  }
  end_without_estimate(outcome);
  return outcome;
}

MarchSettings TimeSpectral::settings_for(const MarchPass& pass) const {
  MarchSettings settings{
      newton_options(case_), case_.solver.predictor, case_.resolution, device_, device_required_, 0.0, false};
  settings.began = began_;
  settings.is_trial = is_trial_;
  settings.newton.smallest_damping = smallest_damping_;
  settings.resolution.tolerance *= repeats_.tightening;
  if (case_.resolution.automatic()) settings.newton.tolerance *= repeats_.tightening;
  if (double& limit = settings.resolution.max_seconds;
      repetition_limit_ > 0.0 && (limit == 0.0 || repetition_limit_ < limit)) {
    limit = repetition_limit_;
    settings.forecasts_from = forecasts_from_;
  }
  settings.corners = corners_;
  if (model_.time_axis() < 0) return settings;
  // At the first point of the parameters, which moves with their degrees.
  const std::vector<double>& point = pass.points.front();
  const std::vector<IncompatibleData> conflicts =
      felt(point == parameter_points(model_).front() ? conflicts_ : first_incompatible(case_, pass.model, point),
           tolerance_of_answer(case_));
  settings.starts = starts_.all;
  settings.flows = flows_;
  settings.carried = starts_.carried;
  settings.is_hopeless = starts_.is_hopeless;
  if (sudden_start_at(starts_.all, first_start(model_)) != nullptr) return settings;
  settings.clash = incompatibility_of(conflicts, first_end(model_) - first_start(model_));
  settings.incompatible_values = std::any_of(conflicts.begin(), conflicts.end(),
                                             [](const IncompatibleData& conflict) { return conflict.order == 0; });
  return settings;
}

// Marches through time; an automatic run repeats it with more points in the parameters until their tails are small.
void TimeSpectral::march_windows(const Context& context, const RunControl& control, RunOutcome& outcome) {
  RunReport& report = outcome.report;
  std::vector<AxisDescription> subdomains = model_.subdomains;
  bool restart = control.restart;
  for (bool again = true; again; restart = false) {
    again = false;
    remove_journal(outcome.journal);  // of the pass before
    RunJournal journal(control, case_, model_, repeats_);
    std::unique_ptr<MarchPass> pass;
    std::optional<MarchSettings> settings;
    std::optional<ErrorFollower> error;
    std::optional<MarchInput> whole_input;
    const auto begin = [&](const std::vector<AxisDescription>& first) {
      repeats_ = journal.repeats();
      pass = std::make_unique<MarchPass>(case_, model_, first, journal, places_.get());
      settings = settings_for(*pass);
      whole_input.emplace(MarchInput{
          context, case_, pass->model, plans_.on(context.backend()), *settings, pass->points, choice_,
          [&](MarchWindow&& window) {
            if (control.progress) control.progress(fraction_done(window.end), note_on(window));
            // To the disk first: the estimate may take longer than the window did.
            pass->take(std::move(window));
            if (error) error->update(pass->store.last());
          },
          [&] { return settings->out_of_time() || (control.interrupted && control.interrupted()); }, places_.get()});
      if (case_.verification.estimate != EstimateChoice::off) error.emplace(*whole_input);
    };
    if (restart)
      journal.restore([&](MarchWindow&& window) {
        // How far an automatic run had come with the degrees is in its windows.
        if (pass == nullptr) begin(window.subdomains);
        pass->take_restored(std::move(window));
        if (error) error->update(pass->store.last());
      });
    if (pass == nullptr) begin(subdomains);
    if (control.solution) settings->solution = &control.solution->x;
    const MarchInput& input = *whole_input;
    const MarchEnd end = pass->is_finished() ? MarchEnd() : march(input, pass->before);
    WindowStore& store = pass->store;
    if (!end.linear_solver.empty()) report.linear_solver = end.linear_solver;
    for (const std::string& warning : end.warnings)  // each pass may have the same to say
      if (std::find(report.warnings.begin(), report.warnings.end(), warning) == report.warnings.end())
        report.warnings.push_back(warning);
    store.count(report);
    smallest_condition_ = std::min(smallest_condition_, store.smallest_condition());
    if (end.status != MarchStatus::finished) {
      report_failure(end, pass->points[end.parameter_point], outcome);
      missing_.text = end.detail;
      out_of_time_ = end.out_of_time;
    }
    const bool is_stopped = end.newton == NewtonStatus::interrupted ||
                            (end.status == MarchStatus::finished && stopped_before_verdict(control, outcome));
    if (is_stopped) store.keep_journal();
    store.close();
    if (end.status == MarchStatus::finished && !is_stopped && case_.resolution.automatic()) {
      subdomains = pass->model.subdomains;
      again = raise_parameter_degrees(case_, model_, store.parameter_tails(), subdomains, outcome);
    }
    outcome.journal = journal.hand_over();
    if (again) continue;
    store.deliver(outcome.status == ExitStatus::converged, outcome);
    outcome.complete = outcome.status == ExitStatus::converged;
    if (!outcome.complete) continue;
    if (error) {
      judge_by(case_, error->result(), report.verification);
      if (stopped_before_verdict(control, outcome)) continue;
      error->sample(outcome);
      finer_losses_ = error->losses();
      is_sensitive_ = error->is_sensitive();
      grown_rounding_ = error->grown_rounding();
    }
    const std::optional<Solution> finer = error ? error->solution() : std::nullopt;
    add_goals(case_, evaluate_goals(case_, model_, outcome.solution, finer), report.verification);
  }
}

void TimeSpectral::repeat_until_accurate(const Context& context, const RunControl& control, RunOutcome& outcome) {
  if (!case_.resolution.automatic()) return;
  const RunReport before = report_of(case_, summary_, outcome.report.device);
  RunControl anew = control;
  anew.restart = false;
  double error_before = HUGE_VAL;
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); };
  const double first_pass = seconds();
  for (double error = 0.0; outcome.complete; error_before = error) {
    error = 0.0;
    for (const Check& check : outcome.report.verification.checks)
      if ((check.kind == "estimate" || check.kind == "goal") && !check.passed())
        error = std::max(error, check.margin * check.value);
    repeated_ = error > kGain * error_before
                    ? fmt::format(
                          "a repetition with smaller tails did not reduce the error (before it {:.1e} with the "
                          "margin, now {:.1e}): no resolution is proposed",
                          error_before, error)
                    : std::string();
    if (repeats_.n == kMaxRepeats) return;
    if (error == 0.0 || !(error < kHopelessError || is_sensitive_)) return;
    ++repeats_.n;
    repeats_.tightening *=
        std::clamp(kAimedAt * case_.verification.tolerance / error, kMostTightening, kLeastTightening);
    if (!is_trial_) logger().info("the estimated error is {:.1e}: the run is repeated with smaller tails", error);
    remove_journal(outcome.journal);
    RunOutcome finer;
    finer.report = before;
    finer.status = ExitStatus::converged;
    const double longest = std::max(kShortestRepetition, kLongestRepetition * first_pass);
    repetition_limit_ = seconds() + longest;
    forecasts_from_ = seconds() + kUntilForecast * longest;
    march_windows(context, anew, finer);
    if (!finer.complete && finer.status != ExitStatus::interrupted) {
      remove_journal(finer.journal);
      const double user_limit = case_.resolution.max_seconds;
      if (out_of_time_ && (user_limit == 0.0 || repetition_limit_ < user_limit)) {
        repeated_ = fmt::format(
            "this answer meets a tolerance of {:.1e} (verification.tolerance); a repetition with smaller tails would "
            "take more than {:g} times as long and was given up",
            error, kLongestRepetition);
        return;
      }
      outcome.report.warnings.push_back("a repetition with smaller tails did not succeed: " + finer.report.reason);
      return;
    }
    if (const ErrorEstimate& estimate = finer.report.verification.estimate;
        finer.complete && estimate.status == ErrorEstimate::Status::missing) {
      remove_journal(finer.journal);
      outcome.report.warnings.push_back("the error of a repetition with smaller tails was not estimated: " +
                                        estimate.reason);
      return;
    }
    if (!finer.complete) {  // interrupted: the answer before it is complete, and the journal is that of the repetition
      outcome.journal = std::move(finer.journal);
      outcome.status = ExitStatus::interrupted;
      outcome.report.status = "interrupted";
      outcome.report.reason = fmt::format(
          "a repetition with smaller tails has not ended; the answer before it is complete, 1.5 times its estimated "
          "error is {:.1e}",
          error);
      return;
    }
    outcome = std::move(finer);
  }
}

void TimeSpectral::report_failure(const MarchEnd& end, const std::vector<double>& point, RunOutcome& outcome) const {
  RunReport& report = outcome.report;
  report.newton.insert(report.newton.end(), end.failed.begin(), end.failed.end());
  report.n_newton_iterations += static_cast<int>(end.failed.size());
  for (const NewtonRecord& record : end.failed) report.n_linear_iterations += record.linear_iterations;
  const Failure failure = describe_failure(model_, end, point, report.n_windows);
  outcome.status = failure.exit;
  report.status = failure.status;
  report.reason = failure.reason;
}

std::string TimeSpectral::advise(const Context& given, const RunControl& control, const RunOutcome& outcome) {
  const Verification& verification = outcome.report.verification;
  if (!verification.passed()) {
    if (case_.resolution.automatic()) return beyond_limits(case_.resolution, model_, case_.verification.tolerance);
    missing_ = missing_resolution(case_, model_, outcome.solution, verification, finer_losses_,
                                  !felt(conflicts_, tolerance_of_answer(case_)).empty(), grown_rounding_);
    return missing_.proposal && control.tries_proposals ? tried(given, control) : missing_.text;
  }
  const double spare = spare_accuracy(case_, verification);
  if (spare == 0.0) return {};
  if (!case_.resolution.automatic()) return enough_degrees(case_, model_, outcome.solution, spare);
  return repeats_.n == 0 ? enough_tolerance(case_, spare) : std::string();
}

std::string TimeSpectral::tried(const Context& given, const RunControl& control) const {
  const TrialRun run = [&](const Case& the_case, const std::function<bool()>& interrupted) {
    TimeSpectral problem(the_case);
    problem.is_trial_ = true;
    RunControl quiet;
    quiet.interrupted = interrupted;
    const RunOutcome outcome = problem.run(given, quiet);
    Trial trial = trial_of(outcome, std::move(problem.missing_));
    const std::vector<std::string>& warnings = outcome.report.warnings;
    if (!trial.judged && warnings.size() > problem.summary_.warnings.size()) trial.reason += "; " + warnings.back();
    return trial;
  };
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
  return try_proposals(case_, *missing_.proposal, run, spent.count(), control.interrupted);
}

double TimeSpectral::fraction_done(double t) const {
  if (model_.window_edges.empty()) return 1.0;
  return (t - model_.window_edges.front()) / (model_.window_edges.back() - model_.window_edges.front());
}

std::string TimeSpectral::note_on(const MarchWindow& window) const {
  int linear = 0;
  for (const NewtonRecord& record : window.newton) linear += record.linear_iterations;
  std::string note = model_.window_edges.empty() ? "" : fmt::format("t = {:.6g}, ", window.end);
  note += fmt::format("{} Newton iteration{}", window.newton.size(), window.newton.size() == 1 ? "" : "s");
  if (linear > 0) note += fmt::format(", {} of GMRES", linear);
  return note;
}

}  // namespace gwrm
