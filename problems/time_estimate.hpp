// How long a run will take, from runs with a fraction of its resolution.
#pragma once

#include <string>

#include "core/context.hpp"
#include "problems/module.hpp"

namespace gwrm {

struct TimeEstimate {
  double seconds = 0.0;  // NaN: not known
  std::string basis;     // how it was found, or why not
};

// Runs the case (where it has windows in time the first, and the first two) with a sixteenth, a quarter and half of the
// degrees or intervals; what takes more time grows on with the power of the resolution that a quarter and half give.
// Where by that the first five windows take less than two seconds they are run as they are. What it is good for:
// docs/check.md.
TimeEstimate estimate_time(const ProblemModules& modules, const Case& the_case, const Context& context);

}  // namespace gwrm
