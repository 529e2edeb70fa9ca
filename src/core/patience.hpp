// The pauses of somebody who looks again and again for what another process will bring: for a millisecond the core is
// only offered to others, then each pause is a twentieth of what was waited already, at most a millisecond. So an
// answer is seen late by a twentieth of its time, and who waits long leaves the core to those that compute.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace gwrm {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  // How long has been waited before it.
  Clock::duration pause() const {
    const auto waited = Clock::now() - began_;
    if (waited < kEager)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min<Clock::duration>(waited / 20, kLongest));
    return waited;
  }

 private:
  static constexpr std::chrono::milliseconds kEager{1}, kLongest{1};
  Clock::time_point began_ = Clock::now();
};

}  // namespace gwrm
