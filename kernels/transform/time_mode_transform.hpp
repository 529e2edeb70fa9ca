// Values time after time to complex time modes and back: what stands around the time-averaged preconditioner.
//
// Formula   y[k, i] = sum_j (F[2k, j] + i F[2k+1, j]) x[j, i];
//           x[j, i] = sum_k B[j, 2k] Re y[k, i] + B[j, 2k+1] Im y[k, i]   (forward and backward of
//           basis/time_modes.hpp).
// Shapes    x: n_times x width, row-major; rows of y lie `distance` apart, width of each are used.
// Cost      4 n_modes n_times width flops forward and back, in threads over parts of the width.
// Determinism  the same bits for any number of threads.
// Device    kernels/transform/device_modes.cuh.
#pragma once

#include <complex>

#include "core/matrix.hpp"

namespace gwrm {

void to_time_modes(const Matrix& forward, const double* x, Index width, std::complex<double>* y, Index distance,
                   int n_threads);
void from_time_modes(const Matrix& backward, const std::complex<double>* y, Index distance, Index width, double* x,
                     int n_threads);

}  // namespace gwrm
