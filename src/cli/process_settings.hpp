// What the program `gwrm` changes in its own process so that threads do not wait for one another and linear algebra
// runs at the processor's speed. The library (docs/library.md) changes none of it: a process belongs to its program.
//
//   environment    GOMP_SPINCOUNT=5000, before the OpenMP library reads it; not where it or OMP_WAIT_POLICY is set
//   BLAS kernels   OpenBLAS takes those of the processor's instruction set where it does not know the processor; not
//                  where OPENBLAS_CORETYPE is set
//   BLAS threads   OpenBLAS's threads end where one is enough, instead of asking for work in a loop
//   memory         freed arrays stay with the process for the next ones; large ones lie in huge pages where the system
//                  has them (large_allocations.hpp)
//   devices        a run that uses one GPU is shown that one (visible_devices.hpp)
//
// GWRM_PROCESS_SETTINGS=off in the environment leaves all of them out. Results are the same with and without, but for
// the rounding of other BLAS kernels.
#pragma once

namespace gwrm {

bool process_settings_are_off();

// The three in the middle but for huge pages, which are the program's own, at the start of main, while there is one thread. The
// first happens before main in every program that is linked with this file (CMake: gwrm_process_settings).
void apply_process_settings();

}  // namespace gwrm
