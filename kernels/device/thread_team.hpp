// Threads for device code, whose files are compiled without OpenMP.
#pragma once

#include <functional>

namespace gwrm {

// One of the threads that work side by side.
struct TeamMember {
  int thread = 0, n_threads = 1;
};

// work() in up to n threads of OpenMP; thread 0 is the caller's. It must not throw.
void in_team(int n, const std::function<void(const TeamMember&)>& work);

}  // namespace gwrm
