// The BLAS below the kernels: how many threads it uses, and which of its kernels.
#pragma once

#include <cstddef>
#include <string>

namespace gwrm {

// How many threads the BLAS takes for one call, in the whole process: 1 where several threads of ours call it side by
// side. Call it while no other thread is inside BLAS.
void set_blas_threads(int n_threads);
int blas_threads();

// OpenBLAS's threads come up with the library and ask for work in a loop for their first tenth of a second, on cores
// that others want; idle ones sleep later on. A program that owns its process may have them ended: set_blas_threads(1)
// then calls this function (cli/process_settings.hpp).
void end_blas_threads_by(void (*end_threads)());

// One thread in BLAS for as long as it lives: for code that uses threads itself. (Threads of both, which wait for work
// in loops, take the cores from one another: two-dimensional runs took four times as long.)
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int before_;
};

// What BLAS takes of the address space for every thread that calls it; 0 where it is not OpenBLAS. OpenBLAS asks for it
// again and again, for ever, where it cannot be had (blas_memory_alloc), its own threads when the library is loaded.
std::size_t blas_buffer_bytes();

// "Haswell", "SkylakeX", ...; empty where BLAS is not OpenBLAS.
std::string blas_kernels();

}  // namespace gwrm
