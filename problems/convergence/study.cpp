#include "problems/convergence/study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/convergence/law.hpp"
#include "problems/convergence/self_difference.hpp"
#include "problems/convergence/study_runs.hpp"
#include "problems/task_farm/rank_farm.hpp"

namespace gwrm {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

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
    for (StudyLevel& other : study.levels) other.checks.push_back(kNoNumber);
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
  double error = kNoNumber;
  for (std::size_t c = 0; c < study.checks.size(); ++c) {
    if (study.checks[c].kind != study.measure) continue;
    const double value = level.checks[c];
    if (!std::isfinite(value)) return kNoNumber;
    error = std::isnan(error) ? value : std::max(error, value);
  }
  return error;
}

}  // namespace

ConvergenceStudy run_study(Team& team, const ProblemModules& modules, const Case& base, const StudyPlan& plan,
                           const FarmWishes& wishes, const RunControl& control) {
  OtherRanks others(team);
  const std::string measure = measure_of(modules, base);
  const bool to_finest = measure == "self";
  StudyWork work{{}, wishes, to_finest};
  std::vector<PreparedRun> runs;
  for (const StudyRun& run : plan.runs) {
    runs.push_back(prepare_run(modules, run.the_case));
    work.cases.push_back(run.the_case.resolved_text);
  }
  const bool pays =
      std::any_of(runs.begin(), runs.end(), [](const PreparedRun& run) { return run.summary.device_pays; });
  work.wishes.backend = worthwhile(wishes.backend, pays);
  others.begin();
  tell_study(team, work);
  const FarmPlaces places = places_of(team, work.wishes);
  const std::vector<RunOutcome> outcomes = run_levels(team, runs, work.wishes.ranks_per_run, places, control);

  ConvergenceStudy study;
  study.title = base.title;
  study.case_text = base.resolved_text;
  study.device = places.device_name;
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
    level.order = level.rate = kNoNumber;
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
