#include "kernels/lu_scan.cuh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/lu_scaling.hpp"

namespace gwrm::cuda {
namespace {

using Bits = unsigned long long;

struct ScanLaunch {
  static constexpr int threads = 256;
  // Slices of columns per block row: n / 256 * 64 blocks fill the device from n = 600 on, and no row gets more than 64
  // atomic updates.
  static constexpr int slices = 64;
};

__device__ Bits bits_of(double value) { return static_cast<Bits>(__double_as_longlong(value)); }

// The finaliser of splitmix64: every bit of the entry and of its place moves every bit of the fingerprint.
__device__ Bits mixed(Bits value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

__device__ Bits entry_print(double value, long long place) {
  const Bits bits = value == 0.0 ? 0 : bits_of(value);  // -0 is 0
  return mixed(bits + 0x9e3779b97f4a7c15ULL * static_cast<Bits>(place + 1));
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
  __shared__ double partial[ScanLaunch::threads];
  double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  double value = 0.0;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) {
    column[i] *= row_scale[i];
    value = fmax(value, fabs(column[i]));
  }
  partial[threadIdx.x] = value;
  for (int half = ScanLaunch::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] = fmax(partial[threadIdx.x], partial[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) column_largest[blockIdx.x] = partial[0];
}

__global__ void scale_columns_kernel(double* matrix, long long n, const double* column_scale) {
  double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) column[i] *= column_scale[blockIdx.x];
}

// Sum of |entries| and the fingerprints of every column and of its negative.
__global__ void column_scan_kernel(const double* matrix, long long n, double* sums, Bits* prints, Bits* negative_prints) {
  __shared__ double partial[ScanLaunch::threads];
  __shared__ Bits print[ScanLaunch::threads], negative_print[ScanLaunch::threads];
  const double* column = matrix + static_cast<long long>(blockIdx.x) * n;
  const int t = threadIdx.x;
  partial[t] = 0.0;
  print[t] = negative_print[t] = 0;
  for (long long i = t; i < n; i += blockDim.x) {
    partial[t] += fabs(column[i]);
    print[t] += entry_print(column[i], i);
    negative_print[t] += entry_print(-column[i], i);
  }
  for (int half = ScanLaunch::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      partial[t] += partial[t + half];
      print[t] += print[t + half];
      negative_print[t] += negative_print[t + half];
    }
  }
  if (t == 0) {
    sums[blockIdx.x] = partial[0];
    prints[blockIdx.x] = print[0];
    negative_prints[blockIdx.x] = negative_print[0];
  }
}

// The same fingerprints of the rows; whole-number sums do not depend on the order of the updates.
__global__ void row_scan_kernel(const double* matrix, long long n, Bits* prints, Bits* negative_prints) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Bits print = 0, negative_print = 0;
  for (long long j = blockIdx.y; j < n; j += gridDim.y) {
    const double value = matrix[i + j * n];
    print += entry_print(value, j);
    negative_print += entry_print(-value, j);
  }
  atomicAdd(&prints[i], print);
  atomicAdd(&negative_prints[i], negative_print);
}

dim3 row_blocks(Index n) {
  const Index blocks = (n + ScanLaunch::threads - 1) / ScanLaunch::threads;
  return {static_cast<unsigned>(blocks), static_cast<unsigned>(std::min<Index>(ScanLaunch::slices, n)), 1};
}

// A line is empty if it equals its negative; two lines are equal up to the sign if their pairs of fingerprints are.
bool any_dependent(const std::vector<Bits>& prints, const std::vector<Bits>& negative_prints) {
  std::vector<std::pair<Bits, Bits>> lines(prints.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (prints[i] == negative_prints[i]) return true;
    lines[i] = std::minmax(prints[i], negative_prints[i]);
  }
  std::sort(lines.begin(), lines.end());
  return std::adjacent_find(lines.begin(), lines.end()) != lines.end();
}

}  // namespace

bool equilibrate_on_device(DeviceHandles& handles, double* matrix, Index n, std::vector<double>& row_scale,
                           std::vector<double>& column_scale) {
  const std::size_t size = static_cast<std::size_t>(n);
  constexpr int threads = ScanLaunch::threads;
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

LuScan scan_lines(DeviceHandles& handles, const double* matrix, Index n) {
  const std::size_t size = static_cast<std::size_t>(n);
  constexpr int threads = ScanLaunch::threads;
  double* sums = handles.scratch[1].reserve<double>(size);
  Bits* prints = handles.scratch[2].reserve<Bits>(4 * size);
  GWRM_DEVICE(cudaMemsetAsync(prints, 0, 4 * size * sizeof(Bits), handles.stream));
  column_scan_kernel<<<static_cast<unsigned>(n), threads, 0, handles.stream>>>(matrix, n, sums, prints, prints + size);
  GWRM_LAUNCHED(column_scan_kernel);
  row_scan_kernel<<<row_blocks(n), threads, 0, handles.stream>>>(matrix, n, prints + 2 * size, prints + 3 * size);
  GWRM_LAUNCHED(row_scan_kernel);

  std::vector<double> column_sums(size);
  std::vector<Bits> column(size), negative_column(size), row(size), negative_row(size);
  handles.download(column_sums.data(), sums, size);
  handles.download(column.data(), prints, size);
  handles.download(negative_column.data(), prints + size, size);
  handles.download(row.data(), prints + 2 * size, size);
  handles.download(negative_row.data(), prints + 3 * size, size);
  return {*std::max_element(column_sums.begin(), column_sums.end()),
          any_dependent(column, negative_column) || any_dependent(row, negative_row)};
}

}  // namespace gwrm::cuda
