#include "problems/time_spectral/proposal_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

#include "basis/axis_basis.hpp"
#include "core/duration_text.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"

namespace gwrm {
namespace {

constexpr int kMost = 6;
constexpr double kLeastSeconds = 2.0, kMostSeconds = 20.0, kFarOver = 1.5;
constexpr double kShareForLooser = 0.25;  // of the budget at the least, where it is spent
constexpr double kLoosest = 0.01;         // tolerance that is tried where the one asked for takes too long
constexpr double kHopelessTime = 4.0;     // times the budget, by what the failed run took: not begun
constexpr double kCostGrowth = 1.5;       // power of the unknowns
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Unknowns of all windows.
double size_of(const Case& the_case, const std::vector<AxisDescription>& subdomains,
               const std::vector<double>& windows) {
  double size = std::max(1.0, static_cast<double>(windows.size()) - 1.0);
  for (std::size_t axis = 0; axis < subdomains.size(); ++axis) {
    const bool in_time = the_case.domain[axis].axis.kind == AxisKind::time;
    size *= subdomains[axis].degree + 1.0;
    if (!in_time) size *= static_cast<double>(subdomains[axis].edges.size()) - 1.0;
  }
  return size;
}

// The same of the failed run; 0 where degrees or edges are not given.
double size_of(const Case& the_case) {
  double size = 1.0;
  for (const AxisCase& axis : the_case.domain)
    size *= (axis.degree + 1.0) * std::max(0.0, static_cast<double>(axis.edges.size()) - 1.0);
  return size;
}

// A proposal that was not met, or was not tried to its end.
struct Tried {
  ProposedResolution what;
  Trial how;
};

// Where degrees and windows as proposed are not solved: shorter windows and further subdomains may be.
ProposedResolution by_tolerance_alone(const Case& the_case, ProposedResolution proposal) {
  proposal.tolerance = the_case.verification.tolerance;
  proposal.line = fmt::format("resolution: {{tolerance: {:g}}}", proposal.tolerance);
  proposal.why = "chooses degrees and divisions";
  return proposal;
}

// "; 0.001 is met in 2 s (..)": the smallest tolerance of 0.01, 0.001, .. that is met in the time left, where the one
// that is asked for is not; empty where none is.
std::string looser_tolerance(const Case& the_case, ProposedResolution proposal, const TrialRun& run, double seconds,
                             const std::function<bool()>& interrupted) {
  const Clock::time_point began = Clock::now();
  std::string met;
  for (double tolerance = kLoosest; tolerance > 1.5 * proposal.tolerance; tolerance /= 10.0) {
    const double left = seconds - seconds_since(began);
    if (!(left > 0.0) || (interrupted && interrupted())) break;
    ProposedResolution looser = proposal;
    looser.tolerance = tolerance;
    Case next = with_resolution(the_case, looser);
    next.verification.tolerance = tolerance;
    next.resolution.max_seconds = left;
    logger().debug("a tolerance of {:g} is tried", tolerance);
    const Clock::time_point begin = Clock::now();
    const auto is_over = [&] { return seconds_since(began) > kFarOver * seconds || (interrupted && interrupted()); };
    if (!run(next, is_over).passed) break;
    met = fmt::format("; {0:g} is met in {1} (resolution: {{tolerance: {0:g}}}, verification: {{tolerance: {0:g}}})",
                      tolerance, duration_text(std::max(1.0, seconds_since(begin))));
  }
  return met;
}

std::string told(const ProposedResolution& proposal, const std::optional<Tried>& before) {
  if (!before) return proposal.text();
  return fmt::format("{}; {} was tried, the error is {:.1e} then", proposal.text(), before->what.line,
                     before->how.error);
}

}  // namespace

Trial trial_of(const RunOutcome& outcome, MissingResolution next) {
  const ErrorEstimate& estimate = outcome.report.verification.estimate;
  const bool is_missing = estimate.status == ErrorEstimate::Status::missing;
  Trial trial;
  trial.passed = outcome.status == ExitStatus::converged && outcome.report.verification.passed() && !is_missing;
  trial.judged = outcome.complete && !is_missing;
  trial.stopped = outcome.status == ExitStatus::interrupted;
  trial.reason = outcome.complete && is_missing          ? estimate.reason
                 : outcome.complete || next.text.empty() ? outcome.report.reason
                                                         : next.text;
  for (const Check& check : outcome.report.verification.checks)
    if (!check.passed() && check.tolerance > 0.0 && check.kind == "estimate")
      trial.error = std::max(trial.error, check.value);
  trial.next = std::move(next);
  return trial;
}

Case with_resolution(const Case& the_case, const ProposedResolution& proposal) {
  Case next = the_case;
  next.output.fields.clear();
  next.output.error = ErrorFieldsChoice::off;
  for (std::size_t i = 0; i < next.domain.size(); ++i) {
    AxisCase& axis = next.domain[i];
    if (proposal.tolerance > 0.0) {
      axis.degree = -1;
      axis.edges = {axis.axis.lower, axis.axis.upper};
    } else {
      axis.degree = proposal.subdomains[i].degree;
      axis.edges = axis.axis.kind == AxisKind::time ? proposal.windows : proposal.subdomains[i].edges;
    }
  }
  next.resolution.tolerance = proposal.tolerance;
  return next;
}

std::string try_proposals(const Case& the_case, const ProposedResolution& first, const TrialRun& run, double seconds,
                          const std::function<bool()>& interrupted) {
  const Clock::time_point began = Clock::now();
  const double budget = std::clamp(seconds, kLeastSeconds, kMostSeconds), failed_size = size_of(the_case);
  const auto is_over = [&] { return seconds_since(began) > budget || (interrupted && interrupted()); };
  // An automatic run is to end by its own limit of time, with its estimate.
  const auto is_far_over = [&] { return seconds_since(began) > kFarOver * budget || (interrupted && interrupted()); };
  ProposedResolution proposal = first;
  std::optional<Tried> before;
  double last_size = 0.0, last_seconds = 0.0;
  for (int n = 0; n < kMost; ++n) {
    const bool by_tolerance = proposal.tolerance > 0.0;
    const double size = size_of(the_case, proposal.subdomains, proposal.windows);
    const double left = budget - seconds_since(began);
    if (n == 0 && !by_tolerance && failed_size > 0.0 &&
        seconds * std::pow(size / failed_size, kCostGrowth) > kHopelessTime * budget)
      return proposal.text();
    if (is_over() || (!by_tolerance && last_seconds * std::pow(size / last_size, kCostGrowth) > left))
      return told(proposal, before);
    logger().debug("{} is tried", proposal.line);
    Case next = with_resolution(the_case, proposal);
    if (by_tolerance) next.resolution.max_seconds = left;
    const Clock::time_point begin = Clock::now();
    Trial trial;
    try {
      trial = run(next, by_tolerance ? std::function<bool()>(is_far_over) : is_over);
    } catch (const Error& error) {
      logger().debug("not tried: {}", error.what());
      return told(proposal, before);
    } catch (const std::bad_alloc&) {
      return told(proposal, before);
    }
    last_seconds = seconds_since(begin);
    last_size = size;
    if (trial.passed) return proposal.line + " suffices";
    if (trial.stopped) return told(proposal, before);
    if (by_tolerance &&
        (!trial.judged ||
         !std::isfinite(trial.error))) {  // how long it will take, what holds it, and what is met instead
      const std::string text = fmt::format("{}; tried for {}: {}", told(proposal, before),
                                           duration_text(std::max(1.0, last_seconds)), trial.reason);
      try {
        return text + looser_tolerance(the_case, proposal, run,
                                       std::max(budget - seconds_since(began), kShareForLooser * budget), interrupted);
      } catch (const Error& error) {
        logger().debug("no looser tolerance was tried: {}", error.what());
      } catch (const std::bad_alloc&) {
      }
      return text;
    }
    if (!trial.judged && the_case.continuation.active()) return told(proposal, before);
    if (!trial.judged) {
      proposal = by_tolerance_alone(the_case, proposal);
      continue;
    }
    if (!trial.next.proposal) {
      const std::string why = trial.next.text.empty() ? "it proposes nothing further" : trial.next.text;
      return fmt::format("{} was tried, the error is {:.1e} then; {}", proposal.line, trial.error, why);
    }
    before = Tried{proposal, trial};
    proposal = *trial.next.proposal;
  }
  return told(proposal, before);
}

}  // namespace gwrm
