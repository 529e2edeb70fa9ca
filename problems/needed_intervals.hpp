// The intervals that a run of finite differences which is not good enough would need.
//
// Law       a scheme of order p errs like h^p: an error e times too large wants (e/s)^(1/p) times as many intervals, s
// = 1/2
//           to be safe. Rounding grows like h^-2 in equations of second order.
// Trials    Coarse grids do not show the law yet, so the finer run is made before it is told (as proposal_trials.hpp):
//           up to three of them, for as long as the failed run took, two seconds at the least; what that will be
//           follows from the failed run, but grids that take a fraction of a second are always tried.
#pragma once

#include <functional>
#include <string>

#include "case/case.hpp"
#include "output/report.hpp"

namespace gwrm {

// How many times too large the worst of what the tolerance holds is, with its margin, of a run that has failed by its
// estimate; 0: for something else, or by an error as large as the answer, of which nothing follows.
double excess_error(const Case& the_case, const Verification& verification);

// `finer`: times as many intervals as the failed run.
struct IntervalTrials {
  int order = 2;
  int n_dimensions = 1;
  double points = 0.0;  // of the failed run
  double most_finer = 100.0;
  double seconds = 0.0;                     // that the failed run took
  std::function<std::string(double)> line;  // "sbp_sat.intervals: {x: 96}", for the case file
  std::function<bool(double)> fits;         // into memory
  std::function<Verification(double)> run;  // without a word; empty: nothing is tried
  std::function<bool()> interrupted;        // may be empty
};

struct NeededIntervals {
  bool is_proposed = false;
  std::string text;  // ".. suffices" after a trial, ".. may suffice, as the error falls like h^2" without; or why none
};
NeededIntervals needed_intervals(const Case& the_case, const Verification& failed, const IntervalTrials& trials);

// n times `finer`, rounded up; even for an even n.
Index finer_even(Index n, double finer);

}  // namespace gwrm
