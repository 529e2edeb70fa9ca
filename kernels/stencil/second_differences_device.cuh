// Contract: kernels/stencil/second_differences.hpp
// On device memory and a stream. A block covers a rectangle of x and y and walks some planes along z: what e needs is
// kept in registers, so that of the three fields only g and f are read more than once, from the cache.
#pragma once

#include "core/device_handles.cuh"
#include "kernels/stencil/second_differences.hpp"

namespace gwrm::cuda {

// Threads of a block along x and y (a power of 2 and their product a multiple of 32, at most 512), and planes that it
// walks.
struct StencilShape {
  int x = 0, y = 0, planes = 0;
};
StencilShape stencil_shape(const StencilGrid& grid, int order);  // within 4 % of the best of 25 on an H200

// All pointers on the device; `shape` changes no bits. Nothing waits.
void second_differences(cudaStream_t stream, const StencilGrid& grid, int order, const StencilShape& shape,
                        const double* f, const double* g, const double* e, double* out);

}  // namespace gwrm::cuda
