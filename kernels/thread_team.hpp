// Threads for device code, whose files are compiled without OpenMP.
#pragma once

#include <functional>

namespace gwrm {

// work(i) for every i < n, side by side in OpenMP's threads; i = 0 in the caller's. work must not throw.
void in_threads(int n, const std::function<void(int)>& work);

// How many threads a loop gets.
int loop_threads();

}  // namespace gwrm
