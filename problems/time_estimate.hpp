// How long a run will take, from runs with a fraction of its resolution.
#pragma once

#include <string>

#include "case/case.hpp"
#include "core/context.hpp"

namespace gwrm {

struct TimeEstimate {
  double seconds = 0.0;             // NaN: not known
  double lower = 0.0, upper = 0.0;  // between which it should be
  std::string basis;                // how it was found, or why not
};

// Runs the case (of time_spectral its first window, and its first two) with a sixteenth, a quarter and half of the
// degrees or intervals; what takes more time from one to the next grows on with a power of the resolution. Good to a
// factor of three, and not to less than some hundredths of a second; nonlinear problems may need more Newton iterations
// where they are not resolved.
TimeEstimate estimate_time(const Case& problem, const Context& context);

}  // namespace gwrm
