#include "core/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

// This layer does not link OpenMP; where the program has it, it is told how many threads to use.
extern "C" {
void omp_set_num_threads(int) __attribute__((weak));
int omp_get_max_threads() __attribute__((weak));
}

namespace gwrm {
namespace {

std::atomic<int> spare = 0;

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

int loop_threads() {
  return omp_get_max_threads ? omp_get_max_threads() : 1;
}

void set_spare_threads(int n_threads) {
  spare = n_threads;
}

int spare_threads() {
  return spare;
}

}  // namespace gwrm
