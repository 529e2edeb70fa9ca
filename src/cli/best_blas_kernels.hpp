// OpenBLAS's kernels for a processor that it does not know.
#pragma once

namespace gwrm {

// OpenBLAS picks the kernels for the processor when it is loaded; one that is newer than the library gets those of 2004
// ("Prescott", SSE3), four times slower than what the processor can do. It then takes those of the processor's
// instruction set instead; not where OPENBLAS_CORETYPE is set. While nobody else is inside that BLAS.
void take_best_blas_kernels();

}  // namespace gwrm
