// What a FAIL proposes is tried before it is told, so that it holds when it is taken.
//
// The decay of a coarse run's series says what would suffice, or only what would tell more: the levels behind its last
// ones are seen by a finer run alone. So the proposal is run, its own proposal if that fails, and so on: up to kMost of
// them, for as long as the failed run took (a user has waited that long for a FAIL), two seconds at the least and
// twenty at the most. What passes is told as what suffices; where time is over before, the last proposal is told with
// what was tried before. Cost: no more than the run's own again; the next trial is not begun where it would not end in
// time, its cost being taken to grow like the power 3/2 of its unknowns; the first not where it would take several
// times as long, by what the failed run took.
//
// A tolerance that is not met in this time (a moving kink, a corner: windows and subdomains multiply with every digit)
// is told with the least that the run would take by its own estimate, and with the smallest of 0.01, 0.001, .. that is
// met in what is left of the time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "problems/problem.hpp"
#include "problems/time_spectral/missing_resolution.hpp"

namespace gwrm {

// How a run with a proposed resolution ended.
struct Trial {
  bool passed = false;
  bool judged = false;  // it has a verdict
  bool stopped = false;
  std::string reason;      // of a run that has none
  double error = 0.0;      // the largest estimated, relative
  MissingResolution next;  // of a FAIL
};

// Runs this case without a word, and asks often whether to stop.
using TrialRun = std::function<Trial(const Case& the_case, const std::function<bool()>& interrupted)>;

Trial trial_of(const RunOutcome& outcome, MissingResolution next);

// The case with this resolution in place of its own; nothing is sampled.
Case with_resolution(const Case& the_case, const ProposedResolution& proposal);

// What is to be told in place of first.text(). seconds: that the run took.
std::string try_proposals(const Case& the_case, const ProposedResolution& first, const TrialRun& run, double seconds,
                          const std::function<bool()>& interrupted);

}  // namespace gwrm
