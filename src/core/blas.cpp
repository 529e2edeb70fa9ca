#include "core/blas.hpp"

#include <cstdlib>
#include <mutex>

// This layer links no BLAS; where the program has OpenBLAS, these are its.
extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_num_threads() __attribute__((weak));
char* openblas_get_corename() __attribute__((weak));
void gotoblas_dynamic_init() __attribute__((weak));
void gotoblas_dynamic_quit() __attribute__((weak));
int blas_thread_shutdown_() __attribute__((weak));
}

namespace gwrm {
namespace {

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

void replace_fallback_kernels() {
  constexpr const char* kFallback = "Prescott";  // of a processor the library does not know
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

}  // namespace

void set_blas_threads(int n_threads) {
  if (!openblas_set_num_threads) return;
  openblas_set_num_threads(n_threads);  // starts them where there are none
  if (n_threads == 1 && blas_thread_shutdown_) blas_thread_shutdown_();
}

SingleThreadedBlas::SingleThreadedBlas() : before_(openblas_get_num_threads ? openblas_get_num_threads() : 1) {
  if (before_ > 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (before_ > 1) openblas_set_num_threads(before_);
}

void use_blas_kernels_of_this_processor() {
  static std::once_flag once;
  std::call_once(once, replace_fallback_kernels);
}

std::string blas_kernels() {
  return openblas_get_corename ? openblas_get_corename() : "";
}

}  // namespace gwrm
