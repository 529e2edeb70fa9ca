// Products of small matrices of doubles on the tensor cores, one warp each.
//
// Formula   C += A B with A: 16 x 4 S, B: 4 S x 8, C: 16 x 8, for S = 1, 2.
// Layout    lane = 4 g + t holds, for each of the S steps, A[g, t], A[g + 8, t] and B[t, g] (columns of A and rows of B
//           counted within the step), and C[g, 2t], C[g, 2t + 1], C[g + 8, 2t], C[g + 8, 2t + 1].
//           The order of the 4 S terms of the sum may be permuted, alike in A and B.
// Hardware  mma.sync with doubles: 16 x 8 shapes from compute capability 9.0 on, 8 x 8 x 4 from 8.0.
//
// Device only: instructions of the hardware.
#pragma once

#include <cuda_runtime.h>

namespace gwrm::cuda {

struct LaneCoordinates {
  int g, t;
};

__device__ inline LaneCoordinates lane_coordinates() {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return {lane / 4, lane % 4};
}

__device__ inline void multiply_add(double (&c)[4], const double (&a)[2], double b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b));
#else
  for (int half = 0; half < 2; ++half)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
        : "d"(a[half]), "d"(b));
#endif
}

// Two steps at once: a = {A[g, t], A[g + 8, t]} of the first step, then of the second.
__device__ inline void multiply_add(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  multiply_add(c, {a[0], a[1]}, b[0]);
  multiply_add(c, {a[2], a[3]}, b[1]);
#endif
}

}  // namespace gwrm::cuda
