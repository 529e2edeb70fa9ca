#include "problems/needed_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gwrm {
namespace {

constexpr double kShare = 0.5;         // of what may be
constexpr double kNothingRight = 0.3;  // an error of which nothing follows
constexpr double kStillFalls = 0.5;    // of an error from one trial to the next: beyond, it is rounding
constexpr double kFewPoints = 3e5;
constexpr int kMostTrials = 3;
constexpr double kLeastSeconds = 2.0, kMostSeconds = 20.0;

bool is_lost_in_rounding(const Case& the_case, const Verification& failed, double finer) {
  return std::any_of(failed.estimate.fields.begin(), failed.estimate.fields.end(), [&](const FieldError& field) {
    return field.rounding * finer * finer > the_case.verification.tolerance;
  });
}

}  // namespace

double excess_error(const Case& the_case, const Verification& verification) {
  if (verification.estimate.status != ErrorEstimate::Status::made || verification.passed()) return 0.0;
  const double tolerance = the_case.verification.tolerance;
  double worst = 0.0;
  for (const Check& check : verification.checks)
    if (check.judged && check.tolerance == tolerance && check.kind != "data" && !(check.margin * check.value <= worst))
      worst = check.margin * check.value;
  return worst > tolerance && worst <= kNothingRight ? worst / tolerance : 0.0;
}

Index finer_even(Index n, double finer) {
  const auto needed = static_cast<Index>(std::ceil(static_cast<double>(n) * finer));
  return n % 2 == 0 ? needed + needed % 2 : needed;
}

NeededIntervals needed_intervals(const Case& the_case, const Verification& failed, const IntervalTrials& trials) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const double budget = std::clamp(trials.seconds, kLeastSeconds, kMostSeconds);
  double excess = excess_error(the_case, failed), finer = 1.0;
  for (int n = 0;; ++n) {
    finer *= std::pow(excess / kShare, 1.0 / trials.order);
    if (!(finer <= trials.most_finer))
      return {false, fmt::format("as the error falls like h^{}, more than {:g} times the intervals are needed",
                                 trials.order, trials.most_finer)};
    if (is_lost_in_rounding(the_case, failed, finer))
      return {false, "with as many more as the tolerance needs, rounding exceeds it"};
    if (!trials.fits(finer)) return {false, "as many more as the tolerance needs do not fit into memory"};
    const std::string line = trials.line(finer);
    const double spent = std::chrono::duration<double>(Clock::now() - began).count();
    const bool is_short = trials.points * std::pow(finer, trials.n_dimensions) <= kFewPoints;
    const double work = is_short ? 0.0 : trials.seconds * std::pow(finer, trials.n_dimensions + 1);
    const bool stops = trials.interrupted && trials.interrupted();
    if (n == kMostTrials || !trials.run || stops || spent + work > budget)
      return {true, fmt::format("{} may suffice, as the error falls like h^{}", line, trials.order)};
    const Verification verification = trials.run(finer);
    if (verification.passed()) return {true, line + " suffices"};
    const double next = excess_error(the_case, verification);
    if (next == 0.0 || next > kStillFalls * excess)
      return {false, fmt::format("{:.3g} times as many were tried, and the error does not fall as expected", finer)};
    excess = next;
  }
}

}  // namespace gwrm
