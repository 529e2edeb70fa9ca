#include "problems/convergence/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

#include "core/memory.hpp"
#include "core/thread_errors.hpp"
#include "problems/convergence/law.hpp"
#include "problems/convergence/self_difference.hpp"

namespace gwrm {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMemoryShare = 0.8;  // of what is free, for the runs that are under way at one time

struct Prepared {
  std::unique_ptr<Problem> problem;
  Summary summary;
};

// How many runs at once: no more than threads, and together within the memory.
int worker_count(const std::vector<Prepared>& runs, const Context& context) {
  if (context.backend() == Backend::cuda) return 1;
  std::vector<double> bytes;
  for (const Prepared& run : runs) bytes.push_back(static_cast<double>(run.summary.memory_bytes));
  std::sort(bytes.rbegin(), bytes.rend());
  int workers = std::min(context.n_threads(), static_cast<int>(runs.size()));
  const double free = kMemoryShare * static_cast<double>(available_memory());
  while (workers > 1 && std::accumulate(bytes.begin(), bytes.begin() + workers, 0.0) > free) --workers;
  return workers;
}

RunOutcome failed(ExitStatus status, const std::string& reason) {
  RunOutcome outcome;
  outcome.status = status;
  outcome.report.status = "failed";
  outcome.report.reason = reason;
  return outcome;
}

RunOutcome run_one(Problem& problem, const Context& context, const RunControl& control) {
  try {
    return problem.run(context, control);
  } catch (const Error& error) {
    return failed(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ExitStatus::resources, "out of memory");
  }
}

// The largest run first: the others fill the time it takes.
std::vector<RunOutcome> run_all(const std::vector<Prepared>& runs, const Context& context, const RunControl& control) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return runs[a].summary.n_unknowns > runs[b].summary.n_unknowns;
  });
  std::vector<RunOutcome> outcomes(runs.size());
  std::vector<std::exception_ptr> errors(runs.size());
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex reporting;
  const int workers = worker_count(runs, context);
  const auto work = [&](const Context& own) {
    for (std::size_t k; (k = next++) < order.size();) {
      const std::size_t i = order[k];
      RunControl quiet;
      quiet.interrupted = control.interrupted;
      try {
        const bool on_device = own.device_required() || runs[i].summary.device_pays;
        outcomes[i] = control.interrupted && control.interrupted()
                          ? failed(ExitStatus::interrupted, "interrupted")
                          : run_one(*runs[i].problem, on_device ? own : own.without_device(), quiet);
      } catch (...) {
        errors[i] = std::current_exception();
      }
      const std::scoped_lock lock(reporting);
      ++done;
      if (control.progress)
        control.progress(static_cast<double>(done) / static_cast<double>(runs.size()),
                         fmt::format("{} of {} runs", done.load(), runs.size()));
    }
  };
  if (workers == 1) {
    work(context);
  } else {
    // A context of its own: OpenMP keeps the number of threads per thread.
    ThreadErrors failures;
    {
      std::vector<std::jthread> threads;  // are waited for, also where the next one cannot be started
      for (int w = 0; w < workers; ++w)
        threads.emplace_back([&] { failures.run([&] { work(Context::create(BackendChoice::cpu, 1)); }); });
    }
    failures.rethrow();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
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
