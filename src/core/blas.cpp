#include "core/blas.hpp"

#include <atomic>

// This layer links no BLAS; where the program has OpenBLAS, these are its.
extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_num_threads() __attribute__((weak));
char* openblas_get_corename() __attribute__((weak));
}

namespace gwrm {
namespace {

std::atomic<void (*)()> end_idle_threads = nullptr;

}  // namespace

void set_blas_threads(int n_threads) {
  if (!openblas_set_num_threads) return;
  openblas_set_num_threads(n_threads);  // starts them where there are none
  if (n_threads == 1 && end_idle_threads != nullptr) end_idle_threads.load()();
}

int blas_threads() {
  return openblas_get_num_threads ? openblas_get_num_threads() : 1;
}

void end_blas_threads_by(void (*end_threads)()) {
  end_idle_threads = end_threads;
}

SingleThreadedBlas::SingleThreadedBlas() : before_(blas_threads()) {
  if (before_ > 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (before_ > 1) openblas_set_num_threads(before_);
}

std::size_t blas_buffer_bytes() {
  return openblas_get_num_threads ? std::size_t{128} << 20 : 0;  // BUFFER_SIZE on x86-64, the largest there is
}

std::string blas_kernels() {
  return openblas_get_corename ? openblas_get_corename() : "";
}

}  // namespace gwrm
