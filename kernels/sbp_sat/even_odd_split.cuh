// Values on a grid in device memory in even and odd parts.
//
// Contract: kernels/sbp_sat/even_odd_split.hpp
#pragma once

#include "core/device_handles.cuh"
#include "kernels/sbp_sat/even_odd_split.hpp"

namespace gwrm::cuda {

void fold_on_device(DeviceHandles& handles, const EvenOddSplit& slow, const EvenOddSplit& fast, const double* x,
                    double* folded);

// x += what unfolds.
void add_unfolded_on_device(DeviceHandles& handles, const EvenOddSplit& slow, const EvenOddSplit& fast, const double* folded,
                            double* x);

}  // namespace gwrm::cuda
