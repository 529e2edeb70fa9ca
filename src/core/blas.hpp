// The BLAS below the kernels: how many threads it uses, and which of its kernels.
#pragma once

#include <string>

namespace gwrm {

// How many threads the BLAS takes for one call: 1 where several threads of ours call it side by side. Then OpenBLAS's
// own threads end: they come up with the library and ask for work in a loop for their first tenth of a second, on cores
// that others want. (OpenBLAS ends them itself before every fork.) Call it while no other thread is inside BLAS.
void set_blas_threads(int n_threads);

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

// OpenBLAS picks the kernels for the processor when it is loaded; one that is newer than the library gets those of 2004
// ("Prescott", SSE3), four times slower than what the processor can do. This puts the kernels of its instruction set in
// their place, once per process, before BLAS is used; OPENBLAS_CORETYPE in the environment is respected. Does nothing
// where BLAS is not OpenBLAS.
void use_blas_kernels_of_this_processor();

// "Haswell", "SkylakeX", ...; empty where BLAS is not OpenBLAS.
std::string blas_kernels();

}  // namespace gwrm
