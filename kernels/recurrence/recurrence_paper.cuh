// The paper's divide and conquer (recurrence_paper.hpp) on the device, its kernels as the paper prints them (Figs. 5-7)
// but for their misprints, with 64-bit indices.
//
// Contract: kernels/recurrence/recurrence_paper.hpp
#pragma once

#include "core/device_handles.cuh"
//
#include "core/array.hpp"

namespace gwrm::cuda {

// u (device): s x r values, value k of column m at m + k r. `row` (host, best page-locked): r values for steps 1B and
// 2B, which run on the CPU in the precision Carry, one copy there and back each. Waits for the stream. a2d: Value =
// Carry = double; a2s: float, float; a2sd: float, double.
template <class Value, class Carry>
void divide_and_conquer(cudaStream_t stream, Index s, Index r, Value* u, Value* row);

}  // namespace gwrm::cuda
