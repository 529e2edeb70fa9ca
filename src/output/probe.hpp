// Work that may bring the process down, tried out in a child process first.
#pragma once

#include <functional>

namespace gwrm {

// True if `work` comes to an end in a child within so much processor time (ten times as long by the clock): by
// returning or by an exception. False if a signal ends it. What the child writes to stderr is lost, and so is
// everything else it does in memory. Where no child can be made, true: nothing is known against the work. MemoryError
// where the child found too little memory (core/last_resort.hpp).
bool survives(const std::function<void()>& work, unsigned seconds);

}  // namespace gwrm
