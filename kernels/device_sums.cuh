// Sums over all threads of a grid within one launch, in an order that does not depend on which block ends last: every
// block leaves its sums, the last one to do so adds them up by block number.
#pragma once

#include "core/device_handles.cuh"

namespace gwrm::cuda {

constexpr int kWarp = 32;
constexpr int kMostSums = 2;

// The sum over the block in thread 0; blockDim.x is a multiple of 32, at most 1024. All threads of the block call it.
__device__ inline double block_sum(double value) {
  __shared__ double parts[kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, n_warps = blockDim.x / kWarp;
  if (lane == 0) parts[warp] = value;
  __syncthreads();
  value = threadIdx.x < n_warps ? parts[lane] : 0.0;
  if (warp == 0)
    for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  __syncthreads();  // `parts` may be used again
  return value;
}

// Several sums at once, in thread 0. Between two calls the block must meet at a barrier.
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

// Adds up sums[k] over the grid. True in the block that has the totals, in totals[k] of its thread 0.
// partial: kMostSums doubles per block; counter: zero before the launch, zero again behind it.
template <int n_sums>
__device__ bool grid_sums(const double (&sums)[n_sums], double* partial, unsigned* counter, double (&totals)[n_sums]) {
  __shared__ bool is_last;
  const unsigned n_blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int k = 0; k < n_sums; ++k) {
    const double sum = block_sum(sums[k]);
    if (threadIdx.x == 0) partial[k * n_blocks + block] = sum;
  }
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(counter, 1u) == n_blocks - 1;
  }
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
  for (int k = 0; k < n_sums; ++k) {
    double sum = 0.0;
    for (unsigned b = threadIdx.x; b < n_blocks; b += blockDim.x) sum += __ldcg(&partial[k * n_blocks + b]);
    totals[k] = block_sum(sum);
  }
  if (threadIdx.x == 0) *counter = 0;
  return true;
}

}  // namespace gwrm::cuda
