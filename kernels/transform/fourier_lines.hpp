// A Fourier plan carried out on several lines side by side: 8 that lie interleaved, or a single one.
//
// Layout    Planes of real and imaginary parts, [position][lane], each of plan.work_length() x lanes doubles. Every
//           lane goes through the same operations in the same order: its result does not depend on its neighbours.
// Result    lies in one of the two buffers, which are both overwritten: the planes that are returned.
// Inverse   sum_k X_k exp(+2 pi i j k / n): exchange the two planes of both buffers and of the result.
// Device    kernels/transform/fourier_transform.cuh has passes of its own.
#pragma once

#include "kernels/transform/fourier_plan.hpp"

namespace gwrm::cpu {

constexpr int kLanes = 8;  // one register of AVX-512, one line of the cache

struct Planes {
  double* re;
  double* im;
  Planes exchanged() const { return {im, re}; }
};

// n_lanes: 1 or kLanes.
Planes fourier_lines(const FourierPlan& plan, int n_lanes, Planes x, Planes scratch);

}  // namespace gwrm::cpu
