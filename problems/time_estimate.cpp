#include "problems/time_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/counted.hpp"

namespace gwrm {
namespace {

constexpr int kMin = 16;               // divisor of the resolution
constexpr double kHighestPower = 9.0;  // dense LU of three dimensions
constexpr double kLongEnough = 0.5;    // seconds: such a run is not repeated
constexpr double kSoonDone = 2.0;      // seconds: what should take less is run as it is,
constexpr std::size_t kWindows = 5;    // so many windows of it
constexpr double kMaxRepeats = 5;      // of a shorter one, as long as they take less than that together
constexpr double kShortest = 2e-3;     // seconds: below it a run shows its overhead, not its work
constexpr double kUsualPower = 3.0;    // where the growth is lost in noise

// A case and its module.
struct Subject {
  const ProblemModule& module;
  const Case& the_case;
};

double seconds_of(const Subject& subject, int divisor, std::size_t n_windows, const Context& context) {
  const auto problem = subject.module.make(subject.module.coarser(subject.the_case, divisor, n_windows));
  const auto began = std::chrono::steady_clock::now();
  const RunOutcome outcome = problem->run(context, {});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (!outcome.complete) throw Error(outcome.status, outcome.report.status);
  return seconds;
}

// The first run of a program also pays for tables and threads, and any run may be disturbed: short ones are repeated
// and the shortest counts. `first`, where given, is how long the first one took.
double settled_seconds_of(const Subject& subject, int divisor, std::size_t n_windows, const Context& context,
                          double* first = nullptr) {
  double least = seconds_of(subject, divisor, n_windows, context), all = least;
  if (first != nullptr) *first = least;
  for (int i = 1; i < kMaxRepeats && all < kLongEnough; ++i) {
    const double seconds = seconds_of(subject, divisor, n_windows, context);
    least = std::min(least, seconds);
    all += seconds;
  }
  return least;
}

// What does not grow (setting up, sampling, verification) is told apart from the work by the smallest run. Later
// windows are cheaper than the first: Newton starts better there, and factors are used again.
struct Measured {
  double cold = 0.0;                 // more at the first run of all
  double still = 0.0;                // does not grow
  double quarter = 0.0, half = 0.0;  // a run of the first window with so much of the resolution
  double later = 0.0;                // of another window with half of it
};

Measured measure(const Subject& subject, std::size_t n_windows, const Context& context) {
  Measured found;
  double first = 0.0;
  const double smallest = settled_seconds_of(subject, kMin, 1, context, &first);
  found.cold = first - smallest;
  const double quarter = settled_seconds_of(subject, 4, 1, context);
  const double half = settled_seconds_of(subject, 2, 1, context);
  if (n_windows > 1) found.later = std::max(0.0, settled_seconds_of(subject, 2, 2, context) - half);
  found.still = std::min({smallest, quarter, half});
  found.quarter = quarter;
  found.half = half;
  return found;
}

// Of the whole times: what remains of a short run without its fixed part is noise, and its power would be, too.
double growth_power(const Measured& found) {
  if (found.quarter < kShortest) return kUsualPower;
  return std::clamp(std::log2(found.half / found.quarter), 1.0, kHighestPower);
}

// What is soon done is no extrapolation: the first windows as they are, in most cases all.
TimeEstimate from_first_windows(const Subject& subject, std::size_t n_windows, const Measured& found,
                                const Context& context) {
  const std::size_t n_run = std::min(n_windows, kWindows);
  const double all = settled_seconds_of(subject, 1, n_run, context);
  double seconds = found.cold + all;
  if (n_windows > n_run) {
    const double one = settled_seconds_of(subject, 1, 1, context);
    seconds += std::max(0.0, all - one) * static_cast<double>(n_windows - n_run) / static_cast<double>(n_run - 1);
  }
  return {seconds, n_windows > n_run
                       ? fmt::format("the first {} windows of {} took {:.2g} s", n_run, n_windows, all)
                       : fmt::format("a run took {:.2g} s, the first one {:.2g} s more", all, found.cold)};
}

}  // namespace

TimeEstimate estimate_time(const ProblemModules& modules, const Case& the_case, const Context& context) {
  const Subject subject{modules.of(the_case), the_case};
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto unknown = [&](const std::string& why) { return TimeEstimate{none, why}; };
  if (const std::string why = subject.module.no_time_estimate(the_case); !why.empty()) return unknown(why);
  std::size_t n_windows = 1;
  for (const AxisCase& axis : the_case.domain)
    if (axis.axis.kind == AxisKind::time) n_windows = axis.edges.size() - 1;
  try {
    const Measured found = measure(subject, n_windows, context);
    const double power = growth_power(found);
    const double few = found.half + found.later * static_cast<double>(std::min(n_windows, kWindows) - 1);
    if (few * std::exp2(power) < kSoonDone) return from_first_windows(subject, n_windows, found, context);
    const double work = found.half - found.still + found.later * static_cast<double>(n_windows - 1);
    const double seconds = found.cold + found.still + work * std::exp2(power);
    return {seconds,
            fmt::format("half of the resolution took {:.2g} s{}, and {:.2g} s whatever the resolution; growth by its "
                        "power {:.1f}",
                        work, n_windows > 1 ? " over " + counted(n_windows, "window") : "", found.cold + found.still,
                        power)};
  } catch (const Error& error) {
    return unknown(std::string("a coarser run says nothing: ") + error.what());
  }
}

}  // namespace gwrm
