#include "problems/convergence/study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "problems/convergence/law.hpp"
#include "problems/convergence/self_difference.hpp"
#include "problems/task_farm/task_farm.hpp"

namespace gwrm {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Prepared {
  std::unique_ptr<Problem> problem;
  Summary summary;
};

// The largest run first: the others fill the time it takes.
std::vector<RunOutcome> run_all(const std::vector<Prepared>& runs, const Context& context, const RunControl& control) {
  std::vector<RunOutcome> outcomes(runs.size());
  FarmTasks tasks;
  tasks.count = runs.size();
  tasks.cost = [&](std::size_t i) { return static_cast<double>(runs[i].summary.n_unknowns); };
  tasks.memory = [&](std::size_t i) { return static_cast<double>(runs[i].summary.memory_bytes); };
  tasks.run = [&](std::size_t i, const Context& own, const RunControl& quiet) {
    const bool on_device = own.device_required() || runs[i].summary.device_pays;
    return runs[i].problem->run(on_device ? own : own.without_device(), quiet);
  };
  tasks.consume = [&](std::size_t i, RunOutcome outcome) { outcomes[i] = std::move(outcome); };
  run_tasks(tasks, context, control);
  return outcomes;
}

// Everything that a study keeps of the verification: what does not depend on the resolution in its meaning.
bool is_kept(const std::vector<std::string>& measures, const std::string& kind) {
  return kind == "error_max" || kind == "error_l2" || kind == "value" || kind == "residual" || kind == "boundary" ||
         kind == "initial" || std::find(measures.begin(), measures.end(), kind) != measures.end();
}

void set_check(ConvergenceStudy& study, std::size_t level, const std::string& kind, const std::string& subject,
               double value) {
  auto known = std::find_if(study.checks.begin(), study.checks.end(),
                            [&](const StudyCheck& check) { return check.kind == kind && check.subject == subject; });
  if (known == study.checks.end()) {
    study.checks.push_back({kind, subject});
    for (StudyLevel& other : study.levels) other.checks.push_back(kNone);
    known = study.checks.end() - 1;
  }
  study.levels[level].checks[static_cast<std::size_t>(known - study.checks.begin())] = value;
}

void fill_checks(ConvergenceStudy& study, const ProblemModule& module, const StudyPlan& plan,
                 const std::vector<RunOutcome>& outcomes, bool to_finest) {
  const std::vector<std::string> measures = module.section().measures();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].complete) continue;
    for (const Check& check : outcomes[i].report.verification.checks)
      if (is_kept(measures, check.kind)) set_check(study, i, check.kind, check.subject, check.value);
  }
  if (!to_finest || !outcomes.back().complete) return;
  study.levels.back().is_reference = true;
  for (std::size_t i = 0; i + 1 < outcomes.size(); ++i) {
    if (!outcomes[i].complete) continue;
    for (const FieldDifference& difference :
         self_differences(plan.runs.back().the_case, outcomes[i], outcomes.back())) {
      set_check(study, i, "self_max", difference.field, difference.maximum);
      set_check(study, i, "self_l2", difference.field, difference.l2);
    }
  }
}

// The largest check of the kind; NaN if there is none, or one is no number.
double error_of(const ConvergenceStudy& study, const StudyLevel& level) {
  double error = kNone;
  for (std::size_t c = 0; c < study.checks.size(); ++c) {
    if (study.checks[c].kind != study.measure) continue;
    const double value = level.checks[c];
    if (!std::isfinite(value)) return kNone;
    error = std::isnan(error) ? value : std::max(error, value);
  }
  return error;
}

}  // namespace

ConvergenceStudy run_study(const ProblemModules& modules, const Case& base, const StudyPlan& plan,
                           BackendChoice backend, int n_threads, const RunControl& control) {
  const std::string measure = measure_of(modules, base);
  const bool to_finest = measure == "self";
  std::vector<Prepared> runs;
  for (const StudyRun& run : plan.runs) {
    Case one = run.the_case;  // its error is what the study measures
    one.verification.estimate = EstimateChoice::off;
    std::unique_ptr<Problem> problem = modules.make(one);
    Summary summary = problem->summary();
    runs.push_back({std::move(problem), std::move(summary)});
  }
  const bool pays = std::any_of(runs.begin(), runs.end(), [](const Prepared& run) { return run.summary.device_pays; });
  const Context context = Context::create(worthwhile(backend, pays), n_threads);
  const std::vector<RunOutcome> outcomes = run_all(runs, context, control);

  ConvergenceStudy study;
  study.title = base.title;
  study.case_text = base.resolved_text;
  study.device = context.device_name();
  study.keys = plan.keys;
  study.size_name = plan.size_name;
  study.measure = to_finest ? "self_max" : measure;
  study.least_order = base.convergence.least_order;
  study.least_rate = base.convergence.least_rate;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const RunReport& report = outcomes[i].report;
    StudyLevel level;
    level.values = plan.runs[i].values;
    level.size = plan.runs[i].size;
    level.exit_status = static_cast<int>(outcomes[i].status);
    level.status = report.status;
    level.reason = report.reason;
    level.n_unknowns = runs[i].summary.n_unknowns;
    level.n_newton_iterations = report.n_newton_iterations;
    level.wall_seconds = report.wall_seconds;
    level.order = level.rate = kNone;
    study.levels.push_back(std::move(level));
  }
  fill_checks(study, modules.of(base), plan, outcomes, to_finest);
  for (StudyLevel& level : study.levels) level.error = error_of(study, level);
  find_law(study, base, plan, runs.back().summary);
  judge(study);
  return study;
}

ExitStatus status_of(const ConvergenceStudy& study) {
  for (const StudyLevel& level : study.levels)
    if (static_cast<ExitStatus>(level.exit_status) == ExitStatus::interrupted) return ExitStatus::interrupted;
  for (const StudyLevel& level : study.levels)
    if (std::isnan(level.error) && !level.is_reference && level.exit_status != 0)
      return static_cast<ExitStatus>(level.exit_status);
  return study.passed ? ExitStatus::converged : ExitStatus::unresolved;
}

}  // namespace gwrm
