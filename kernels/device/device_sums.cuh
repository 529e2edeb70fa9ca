// Sums over all threads of a grid in a fixed order: every block leaves its sums, a kernel of one block adds them up.
// (A last block that adds them up in the same launch was measured to take longer: every block then waits for its fence
// and for its turn at the counter.)
//
// Device only: the CPU adds up blocks of a vector in order (kernels/linear_algebra/long_vector.hpp).
#pragma once

#include "core/device_handles.cuh"

namespace gwrm::cuda {

constexpr int kWarp = 32;
constexpr int kMaxSums = 2;

// The sums over the block, in thread 0; blockDim.x is a multiple of 32, at most 1024. Between two calls the block must
// meet at a barrier.
template <int n_sums>
__device__ void block_sums(double (&values)[n_sums]) {
  __shared__ double parts[n_sums][kWarp];
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, n_warps = blockDim.x / kWarp;
#pragma unroll
  for (int k = 0; k < n_sums; ++k) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) values[k] += __shfl_down_sync(0xffffffffu, values[k], offset);
    if (lane == 0) parts[k][warp] = values[k];
  }
  __syncthreads();
  if (warp != 0) return;
#pragma unroll
  for (int k = 0; k < n_sums; ++k) {
    values[k] = lane < n_warps ? parts[k][lane] : 0.0;
    for (int offset = kWarp / 2; offset > 0; offset /= 2) values[k] += __shfl_down_sync(0xffffffffu, values[k], offset);
  }
}

// Leaves the block's sums: sum k of block b at partial[k * number of blocks + b]. All threads of the block call it.
template <int n_sums>
__device__ void leave_sums(double (&sums)[n_sums], double* partial) {
  block_sums(sums);
  if (threadIdx.x != 0) return;
  const unsigned n_blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int k = 0; k < n_sums; ++k) partial[k * n_blocks + block] = sums[k];
}

// The totals of what n_blocks blocks have left, in thread 0 of a single block.
template <int n_sums>
__device__ void collect_sums(const double* partial, unsigned n_blocks, double (&totals)[n_sums]) {
  for (int k = 0; k < n_sums; ++k) {
    totals[k] = 0.0;
    for (unsigned b = threadIdx.x; b < n_blocks; b += blockDim.x) totals[k] += partial[k * n_blocks + b];
  }
  block_sums(totals);
}

}  // namespace gwrm::cuda
