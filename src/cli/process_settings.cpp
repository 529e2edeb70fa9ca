#include "cli/process_settings.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/best_blas_kernels.hpp"
#include "core/blas.hpp"

// Of OpenBLAS, which has no other way to end its threads. It calls it itself before every fork. Absent in another BLAS.
extern "C" {
int blas_thread_shutdown_() __attribute__((weak));
}

namespace gwrm {
namespace {

// A thread of a team waits for the others in a loop before it sleeps. libgomp's 300 000 rounds, some milliseconds, are
// for machines that run nothing else: on shared cores a thread that waits so keeps away the very one it waits for, and
// two threads took five times as long as one. 5000 rounds bridge the short serial stretches between our loops. libgomp
// reads the variable when it is set up: a shared one before any constructor of the program, so that our programs link
// its archive (cmake/dependencies.cmake), which is set up after this one. What the user has set stays.
[[gnu::constructor(101)]] void limit_waiting() {
  if (!process_settings_are_off() && std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "5000", 0);
}

void end_blas_threads() {
  blas_thread_shutdown_();
}

// A solver takes and frees the same sizes again and again, and fresh pages from the system cost more than the
// arithmetic on them: up to half a gigabyte stays.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kKept = 1 << 29;
  mallopt(M_MMAP_THRESHOLD, kKept);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace

bool process_settings_are_off() {
  const char* value = std::getenv("GWRM_PROCESS_SETTINGS");
  return value != nullptr && std::strcmp(value, "off") == 0;
}

void apply_process_settings() {
  if (process_settings_are_off()) return;
  take_best_blas_kernels();
  if (blas_thread_shutdown_) end_blas_threads_by(end_blas_threads);
  keep_freed_memory();
}

}  // namespace gwrm
