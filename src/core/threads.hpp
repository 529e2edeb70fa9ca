// The threads of our own parallel loops (OpenMP).
#pragma once

namespace gwrm {

// The cores this process may run on; a batch system gives it fewer than the machine has.
int available_cores();

// How many threads the parallel loops take that do not say it themselves.
void set_loop_threads(int n_threads);

}  // namespace gwrm
