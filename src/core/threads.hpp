// The threads of our own parallel loops (OpenMP), and those beside them.
#pragma once

namespace gwrm {

// The cores this process may run on; a batch system gives it fewer than the machine has.
int available_cores();

// How many threads the parallel loops take that do not say it themselves, in the calling thread and those of its loops.
void set_loop_threads(int n_threads);
int loop_threads();

// How many threads a run may start beside those of its loops: cores that were given to it and that they leave idle. 0
// until somebody says so.
void set_spare_threads(int n_threads);
int spare_threads();

}  // namespace gwrm
