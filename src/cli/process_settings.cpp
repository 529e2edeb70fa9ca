#include "cli/process_settings.hpp"

#include <cstdlib>
#include <cstring>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/blas.hpp"

// Of OpenBLAS, which has no other way to choose again or to end its threads. It calls them itself: the first two when
// it is loaded and unloaded, the third before every fork. Absent in another BLAS.
extern "C" {
void gotoblas_dynamic_init() __attribute__((weak));
void gotoblas_dynamic_quit() __attribute__((weak));
int blas_thread_shutdown_() __attribute__((weak));
}

namespace gwrm {
namespace {

bool turned_off() {
  const char* value = std::getenv("GWRM_PROCESS_SETTINGS");
  return value != nullptr && std::strcmp(value, "off") == 0;
}

// A thread of a team waits for the others in a loop before it sleeps. libgomp's 300 000 rounds, some milliseconds, are
// for machines that run nothing else: on shared cores a thread that waits so keeps away the very one it waits for, and
// two threads took five times as long as one. 5000 rounds bridge the short serial stretches between our loops. libgomp
// reads the variable when it is set up: a shared one before any constructor of the program, so that our programs link
// its archive (cmake/dependencies.cmake), which is set up after this one. What the user has set stays.
[[gnu::constructor(101)]] void limit_waiting() {
  if (!turned_off() && std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "5000", 0);
}

// OpenBLAS's name for its best kernels on this processor's instruction set; null below AVX2.
const char* best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// OpenBLAS picks the kernels for the processor when it is loaded; one that is newer than the library gets those of 2004
// ("Prescott", SSE3), four times slower than what the processor can do.
void replace_fallback_kernels() {
  constexpr const char* kFallback = "Prescott";
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || blas_kernels() != kFallback || std::getenv(kVariable)) return;
  const char* best = best_kernels();
  if (!best) return;
  // OpenBLAS reads the variable when it chooses, and it chooses again where nothing is chosen.
  setenv(kVariable, best, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
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

void apply_process_settings() {
  if (turned_off()) return;
  replace_fallback_kernels();
  if (blas_thread_shutdown_) end_blas_threads_by(end_blas_threads);
  keep_freed_memory();
}

}  // namespace gwrm
