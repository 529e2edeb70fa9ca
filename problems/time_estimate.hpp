// How long a run will take, from runs with a quarter and a half of its resolution.
#pragma once

#include <string>

#include "case/case.hpp"
#include "core/context.hpp"

namespace gwrm {

struct TimeEstimate {
  double seconds = 0.0;  // NaN: not known
  std::string basis;     // how it was found, or why not
};

// Runs the case (of time_spectral its first window) with a quarter and with half of the degrees or intervals; the time
// grows with a power of the resolution that these two give. Good to a factor of two or three; nonlinear problems may
// need more Newton iterations where they are not resolved.
TimeEstimate estimate_time(const Case& problem, const Context& context);

}  // namespace gwrm
