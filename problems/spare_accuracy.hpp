// Answers far better than asked for: what would suffice is said then, in one line of the report. Only where the
// tolerance is the user's own, and the run has passed by its estimate.
#pragma once

#include <string>

#include "case/case.hpp"
#include "output/report.hpp"

namespace gwrm {

inline constexpr double kTooAccurate = 30.0;

// How many times as large the estimated errors, with their margin, and what else is held against the tolerance may
// become; 0: not kTooAccurate times, or nobody asked.
double spare_accuracy(const Case& the_case, const Verification& verification);

// Intervals with which the error of a scheme of this order, h^p, is no more than half of what may be; an even number
// for an even one, and no less than an eighth of them or `least`: from there on h^p is a guess.
Index enough_intervals(Index intervals, double spare, int order, Index least);

}  // namespace gwrm
