#include "cli/best_blas_kernels.hpp"

#include <cstdlib>

#include "core/blas.hpp"

// Of OpenBLAS, which has no other way to choose again. It calls them itself, when it is loaded and unloaded. Absent in
// another BLAS.
extern "C" {
void gotoblas_dynamic_init() __attribute__((weak));
void gotoblas_dynamic_quit() __attribute__((weak));
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

}  // namespace

void take_best_blas_kernels() {
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

}  // namespace gwrm
