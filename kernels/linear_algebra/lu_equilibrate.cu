#include "core/device_handles.cuh"

#include "kernels/linear_algebra/lu_equilibrate.cuh"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/linear_algebra/lu_scaling.hpp"

namespace gwrm::cuda {
namespace {

using Bits = unsigned long long;

struct ScaleLaunch {
  static constexpr int threads = 256;
  // Slices of columns per block row: n / 256 * 64 blocks fill the device from n = 600 on, and no row gets more than 64
  // atomic updates.
  static constexpr int slices = 64;
};

__device__ Bits bits_of(double value) {
  return static_cast<Bits>(__double_as_longlong(value));
}

// Largest |entry| of every row as bits: those of non-negative doubles are ordered like the numbers, with Inf and NaN on
// top, and their maximum does not depend on the order of the updates.
__global__ void row_largest_kernel(const double* matrix, long long n, Bits* largest) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Bits value = 0;
  for (long long j = blockIdx.y; j < n; j += gridDim.y) value = max(value, bits_of(fabs(matrix[i + j * n])));
  atomicMax(&largest[i], value);
}

// matrix <- R matrix, and the largest |entry| of every column; one block per column.
__global__ void scale_rows_kernel(double* matrix, long long n, const double* row_scale, double* column_largest) {
  __shared__ double partial[ScaleLaunch::threads];
  double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  double value = 0.0;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) {
    column[i] *= row_scale[i];
    value = fmax(value, fabs(column[i]));
  }
  partial[threadIdx.x] = value;
  for (int half = ScaleLaunch::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] = fmax(partial[threadIdx.x], partial[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) column_largest[blockIdx.x] = partial[0];
}

__global__ void scale_columns_kernel(double* matrix, long long n, const double* column_scale) {
  double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) column[i] *= column_scale[blockIdx.x];
}

// Sum of |entries| of every column, in the same order on every run.
__global__ void column_sum_kernel(const double* matrix, long long n, double* sums) {
  __shared__ double partial[ScaleLaunch::threads];
  const double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  double sum = 0.0;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += fabs(column[i]);
  partial[threadIdx.x] = sum;
  for (int half = ScaleLaunch::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

dim3 row_blocks(Index n) {
  const Index blocks = (n + ScaleLaunch::threads - 1) / ScaleLaunch::threads;
  return {static_cast<unsigned>(blocks), static_cast<unsigned>(std::min<Index>(ScaleLaunch::slices, n)), 1};
}

}  // namespace

bool equilibrate_on_device(DeviceHandles& handles, double* matrix, Index n, std::vector<double>& row_scale,
                           std::vector<double>& column_scale) {
  const std::size_t size = static_cast<std::size_t>(n);
  constexpr int threads = ScaleLaunch::threads;
  const unsigned columns = static_cast<unsigned>(n);

  Bits* device_largest = handles.scratch[1].reserve<Bits>(size);
  GWRM_DEVICE(cudaMemsetAsync(device_largest, 0, size * sizeof(Bits), handles.stream));
  row_largest_kernel<<<row_blocks(n), threads, 0, handles.stream>>>(matrix, n, device_largest);
  GWRM_LAUNCHED(row_largest_kernel);
  std::vector<Bits> largest(size);
  handles.download(largest.data(), device_largest, size);
  row_scale.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double value = std::bit_cast<double>(largest[i]);
    if (!std::isfinite(value)) return false;
    row_scale[i] = power_of_two_scale(value);
  }

  double* scale = handles.scratch[1].reserve<double>(2 * size);
  double* device_column_largest = scale + size;
  handles.upload(scale, row_scale.data(), size);
  scale_rows_kernel<<<columns, threads, 0, handles.stream>>>(matrix, n, scale, device_column_largest);
  GWRM_LAUNCHED(scale_rows_kernel);
  column_scale.resize(size);
  handles.download(column_scale.data(), device_column_largest, size);
  std::transform(column_scale.begin(), column_scale.end(), column_scale.begin(), power_of_two_scale);
  handles.upload(scale, column_scale.data(), size);
  scale_columns_kernel<<<columns, threads, 0, handles.stream>>>(matrix, n, scale);
  GWRM_LAUNCHED(scale_columns_kernel);
  return true;
}

double one_norm_on_device(DeviceHandles& handles, const double* matrix, Index n) {
  const std::size_t size = static_cast<std::size_t>(n);
  double* sums = handles.scratch[1].reserve<double>(size);
  column_sum_kernel<<<static_cast<unsigned>(n), ScaleLaunch::threads, 0, handles.stream>>>(matrix, n, sums);
  GWRM_LAUNCHED(column_sum_kernel);
  std::vector<double> column_sums(size);
  handles.download(column_sums.data(), sums, size);
  return *std::max_element(column_sums.begin(), column_sums.end());
}

}  // namespace gwrm::cuda
