#include "problems/time_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "problems/problem.hpp"

namespace gwrm {
namespace {

constexpr double kHighestPower = 9.0;  // dense LU of three dimensions
constexpr double kLongEnough = 0.5;    // seconds
constexpr double kShortest = 2e-3;     // seconds: below it a run shows its overhead, not its work

// The case with its resolution divided, of the first window alone.
Case coarser(Case problem, int divisor) {
  if (problem.problem == "recurrence_bvp") {
    problem.recurrence.intervals = std::max<std::ptrdiff_t>(8, problem.recurrence.intervals / divisor);
    return problem;
  }
  if (problem.problem == "sbp_sat_poisson") {
    for (std::vector<int>& counts : problem.sbp_sat.intervals)
      for (int& count : counts) count = std::max(20, count / divisor);
    return problem;
  }
  for (AxisCase& axis : problem.domain) {
    axis.degree = std::max(std::min(axis.degree, 4), axis.degree / divisor);
    if (axis.axis.kind != AxisKind::time) continue;
    axis.edges.resize(2);
    axis.axis.upper = axis.edges.back();
  }
  problem.verification.values.clear();
  return problem;
}

double seconds_of(const Case& problem, const Context& context) {
  const auto problem_to_run = make_problem(problem);
  const auto began = std::chrono::steady_clock::now();
  const RunOutcome outcome = problem_to_run->run(context, {});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!outcome.complete) throw Error(outcome.status, outcome.report.status);
  return seconds;
}

// The first run of a program also pays for tables and threads: short ones are repeated.
double settled_seconds_of(const Case& problem, const Context& context) {
  const double first = seconds_of(problem, context);
  return first > kLongEnough ? first : std::min(first, seconds_of(problem, context));
}

}  // namespace

TimeEstimate estimate_time(const Case& problem, const Context& context) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (problem.resolution.automatic()) return {none, "the program chooses windows and degrees as it goes"};
  if (problem.continuation.active()) return {none, "the branch decides how many points it takes"};
  double n_windows = 1.0;
  for (const AxisCase& axis : problem.domain)
    if (axis.axis.kind == AxisKind::time) n_windows = static_cast<double>(axis.edges.size()) - 1.0;
  try {
    const double quarter = settled_seconds_of(coarser(problem, 4), context),
                 half = settled_seconds_of(coarser(problem, 2), context);
    const double power = quarter < kShortest ? 3.0 : std::clamp(std::log2(half / quarter), 1.0, kHighestPower);
    const std::string windows = n_windows > 1 ? fmt::format(" a window, {:.0f} windows", n_windows) : "";
    return {half * std::exp2(power) * n_windows,
            fmt::format("half of the resolution took {:.2g} s{}; growth by its power {:.1f}", half, windows, power)};
  } catch (const Error& error) {
    return {none, std::string("a coarser run says nothing: ") + error.what()};
  }
}

}  // namespace gwrm
