#include "kernels/linear_algebra/device_vectors.cuh"

#include "core/errors.hpp"
#include "kernels/device/device_sums.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 528;  // four on each multiprocessor of an H200; a number of its own, so that sums do not depend
                              // on the device
constexpr int kTogether = 8;  // sums that one thread keeps at a time

unsigned blocks_for(std::size_t n) {
  const std::size_t wanted = (n + kThreads - 1) / kThreads;
  return static_cast<unsigned>(wanted < 1 ? 1 : wanted > 8 * kBlocks ? 8 * kBlocks : wanted);
}

// Group y of kTogether vectors; partial[i * kBlocks + block].
__global__ void __launch_bounds__(kThreads)
    dots_kernel(const VectorList v, const double* __restrict__ w, std::size_t n, double* partial) {
  const int first = static_cast<int>(blockIdx.y) * kTogether;
  const int count = min(kTogether, v.count - first);
  double sums[kTogether] = {};
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) {
    const double value = w[i];
#pragma unroll
    for (int k = 0; k < kTogether; ++k)
      if (k < count) sums[k] += v.vectors[first + k][i] * value;
  }
  block_sums(sums);
  if (threadIdx.x == 0)
    for (int k = 0; k < count; ++k) partial[static_cast<std::size_t>(first + k) * kBlocks + blockIdx.x] = sums[k];
}

__global__ void __launch_bounds__(kThreads) collect_kernel(const double* partial, double* sums) {
  double total[1];
  collect_sums(partial + static_cast<std::size_t>(blockIdx.x) * kBlocks, kBlocks, total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total[0];
}

__global__ void __launch_bounds__(kThreads) subtract_kernel(const VectorList v, const double* __restrict__ factors,
                                                            double* __restrict__ w, std::size_t n, double* partial) {
  __shared__ double f[kMaxVectors];
  for (int k = static_cast<int>(threadIdx.x); k < v.count; k += kThreads) f[k] = factors[k];
  __syncthreads();
  double square[1] = {0.0};
  for (std::size_t i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) {
    double value = w[i];
    for (int k = 0; k < v.count; ++k) value -= f[k] * v.vectors[k][i];
    w[i] = value;
    square[0] += value * value;
  }
  block_sums(square);
  if (threadIdx.x == 0) partial[blockIdx.x] = square[0];
}

struct Factors {
  double values[kMaxVectors];
};

__global__ void __launch_bounds__(kThreads)
    combine_kernel(const VectorList v, const Factors factors, std::size_t n, double* __restrict__ y) {
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < n;
       i += gridDim.x * std::size_t{kThreads}) {
    double value = 0.0;
    for (int k = 0; k < v.count; ++k) value += factors.values[k] * v.vectors[k][i];
    y[i] = value;
  }
}

__global__ void __launch_bounds__(kThreads)
    normalise_kernel(const double* __restrict__ x, const double* square, std::size_t n, double* __restrict__ y) {
  const double factor = 1.0 / sqrt(*square);
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < n; i += gridDim.x * std::size_t{kThreads})
    y[i] = factor * x[i];
}

__global__ void __launch_bounds__(kThreads)
    scale_and_add_kernel(double a, const double* x, double b, double* y, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < n; i += gridDim.x * std::size_t{kThreads})
    y[i] = b == 0.0 ? a * x[i] : a * x[i] + b * y[i];
}

__global__ void __launch_bounds__(kThreads)
    moved_kernel(const double* __restrict__ x, double a, const double* __restrict__ y, double* __restrict__ z,
                 std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < n; i += gridDim.x * std::size_t{kThreads})
    z[i] = x[i] + a * y[i];
}

__global__ void __launch_bounds__(kThreads)
    add_outer_kernel(const double* __restrict__ column, std::size_t m, const double* __restrict__ x, std::size_t n,
                     double* __restrict__ y) {
  for (std::size_t k = blockIdx.x * std::size_t{kThreads} + threadIdx.x; k < n;
       k += gridDim.x * std::size_t{kThreads}) {
    const double value = x[k];
    for (std::size_t i = 0; i < m; ++i) y[i * n + k] += column[i] * value;
  }
}

__global__ void __launch_bounds__(kThreads)
    put_at_places_kernel(const double* __restrict__ x, std::size_t m, const int* __restrict__ places, std::size_t n,
                         std::size_t stride, double* __restrict__ y) {
  for (std::size_t p = blockIdx.x * std::size_t{kThreads} + threadIdx.x; p < m * n;
       p += gridDim.x * std::size_t{kThreads})
    y[p / n * stride + static_cast<std::size_t>(places[p % n])] = x[p];
}

// NaN is larger than anything.
__device__ double larger(double a, double b) {
  return a > b || isnan(a) ? a : b;
}

// The largest over the block, in thread 0.
__device__ double block_largest(double value) {
  __shared__ double parts[kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value = larger(value, __shfl_down_sync(0xffffffffu, value, offset));
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < kThreads / kWarp; ++k) value = larger(value, parts[k]);
  return value;
}

// One value a block.
__global__ void __launch_bounds__(kThreads)
    largest_kernel(const double* __restrict__ x, std::size_t n, double* result) {
  double value = 0.0;
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < n; i += gridDim.x * std::size_t{kThreads})
    value = larger(value, fabs(x[i]));
  value = block_largest(value);
  if (threadIdx.x == 0) result[blockIdx.x] = value;
}

void check_count(const VectorList& v) {
  if (v.count < 1 || v.count > kMaxVectors) throw ShapeError("device vectors: too many at once");
}

}  // namespace

std::size_t sums_workspace() {
  return static_cast<std::size_t>(kMaxVectors) * kBlocks;
}

void dots(const DeviceHandles& handles, const VectorList& v, const double* w, std::size_t n, double* workspace,
          double* sums) {
  check_count(v);
  const auto count = static_cast<unsigned>(v.count);
  dots_kernel<<<dim3(kBlocks, (count + kTogether - 1) / kTogether), kThreads, 0, handles.stream>>>(v, w, n, workspace);
  GWRM_LAUNCHED(dots_kernel);
  collect_kernel<<<count, kThreads, 0, handles.stream>>>(workspace, sums);
  GWRM_LAUNCHED(collect_kernel);
}

void subtract(const DeviceHandles& handles, const VectorList& v, const double* factors, double* w, std::size_t n,
              double* workspace, double* square) {
  check_count(v);
  subtract_kernel<<<kBlocks, kThreads, 0, handles.stream>>>(v, factors, w, n, workspace);
  GWRM_LAUNCHED(subtract_kernel);
  collect_kernel<<<1, kThreads, 0, handles.stream>>>(workspace, square);
  GWRM_LAUNCHED(collect_kernel);
}

void normalise(const DeviceHandles& handles, const double* x, const double* square, std::size_t n, double* y) {
  normalise_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(x, square, n, y);
  GWRM_LAUNCHED(normalise_kernel);
}

void combine(const DeviceHandles& handles, const VectorList& v, std::span<const double> factors, std::size_t n,
             double* y) {
  check_count(v);
  Factors f{};
  for (std::size_t k = 0; k < factors.size(); ++k) f.values[k] = factors[k];
  combine_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(v, f, n, y);
  GWRM_LAUNCHED(combine_kernel);
}

void scale_and_add(const DeviceHandles& handles, double a, const double* x, double b, double* y, std::size_t n) {
  scale_and_add_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(a, x, b, y, n);
  GWRM_LAUNCHED(scale_and_add_kernel);
}

void moved(const DeviceHandles& handles, const double* x, double a, const double* y, double* z, std::size_t n) {
  moved_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(x, a, y, z, n);
  GWRM_LAUNCHED(moved_kernel);
}

void add_outer(const DeviceHandles& handles, const double* column, std::size_t m, const double* x, std::size_t n,
               double* y) {
  add_outer_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(column, m, x, n, y);
  GWRM_LAUNCHED(add_outer_kernel);
}

void put_at_places(const DeviceHandles& handles, const double* x, std::size_t m, const int* places, std::size_t n,
                   std::size_t stride, double* y) {
  if (m * n == 0) return;
  put_at_places_kernel<<<blocks_for(m * n), kThreads, 0, handles.stream>>>(x, m, places, n, stride, y);
  GWRM_LAUNCHED(put_at_places_kernel);
}

void largest_magnitude(const DeviceHandles& handles, const double* x, std::size_t n, double* workspace,
                       double* result) {
  largest_kernel<<<kBlocks, kThreads, 0, handles.stream>>>(x, n, workspace);
  GWRM_LAUNCHED(largest_kernel);
  largest_kernel<<<1, kThreads, 0, handles.stream>>>(workspace, kBlocks, result);
  GWRM_LAUNCHED(largest_kernel);
}

}  // namespace gwrm::cuda
