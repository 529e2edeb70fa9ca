// How long an operation takes: what `gwrm-bench` reports.
//
// Convention  warmed up; the median and the minimum of repeated, synchronised runs. On a device, work shorter than a
//             millisecond is timed as the replay of a graph of 20 repeats, so that the host's launches stay out of it.
#pragma once

#include <functional>
#include <vector>

#include "core/context.hpp"

namespace gwrm {

struct Timing {
  double median = 0.0, minimum = 0.0;  // seconds of one call
  int n_runs = 0;
};

// `call` launches on the context's stream and neither allocates nor waits (device), or does the work (CPU).
Timing time_calls(const Context& context, const std::function<void()>& call);

Timing summarised(std::vector<double> seconds);  // of one call each; sorted inside

namespace cpu {
Timing time_calls(const std::function<void()>& call);
}
namespace cuda {
Timing time_calls(const Context& context, const std::function<void()>& call);
// Of a library that works on the default stream and may allocate and wait: 20 calls between two events if they are
// short, one else.
Timing time_peer_calls(const std::function<void()>& call);
}  // namespace cuda

}  // namespace gwrm
