#include "core/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

// This layer does not link OpenMP; where the program has it, it is told how many threads to use.
extern "C" void omp_set_num_threads(int) __attribute__((weak));

namespace gwrm {
namespace {

// A thread of a team waits for the others in a loop before it sleeps. libgomp's 300 000 rounds, some milliseconds, are
// for machines that run nothing else: on shared cores a thread that waits so keeps away the very one it waits for, and
// two threads took five times as long as one. 5000 rounds bridge the short serial stretches between our loops. libgomp
// reads the variable when it is set up: linked from its archive (cmake/dependencies.cmake), after this constructor.
// What the user has set stays.
[[gnu::constructor(101)]] void limit_waiting() {
  if (!std::getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "5000", 0);
}

}  // namespace

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // more cores than cpu_set_t holds
}

void set_loop_threads(int n_threads) {
  if (omp_set_num_threads) omp_set_num_threads(n_threads);
}

}  // namespace gwrm
