#include "core/device_libraries.cuh"

#include "bench/measure/ceilings.hpp"
#include "bench/measure/timing.hpp"

namespace gwrm::cuda {
namespace {

// Numbers between -1 and 1 without a pattern; matrix products of zeros run faster than others.
__global__ void fill_kernel(double* values, long long size) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const unsigned long long mixed = (static_cast<unsigned long long>(i) + 1) * 0x9e3779b97f4a7c15ULL;
  values[i] = static_cast<double>(mixed >> 11) * 0x1p-52 - 1.0;
}

// 16 bytes a thread and turn, four turns under way: what a plain kernel reads and writes at best.
__global__ void copy_kernel(const double2* from, double2* to, long long size) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += step)
    to[i] = from[i];
}

}  // namespace

Ceilings measure_ceilings(const Context& context) {
  constexpr std::size_t n_copied = std::size_t{1} << 27;  // 1 GiB, many times the cache
  constexpr int n = 4096;
  const DeviceHandles& handles = *context.device();
  DeviceBuffer memory;
  double* values = memory.reserve<double>(2 * n_copied);
  const auto n_values = static_cast<long long>(2 * n_copied);
  fill_kernel<<<static_cast<unsigned>(n_values / 256), 256, 0, handles.stream>>>(values, n_values);
  GWRM_LAUNCHED(fill_kernel);

  const Timing copy = gwrm::time_calls(context, [&] {
    copy_kernel<<<1 << 14, 256, 0, handles.stream>>>(reinterpret_cast<const double2*>(values),
                                                     reinterpret_cast<double2*>(values + n_copied), n_copied / 2);
    GWRM_LAUNCHED(copy_kernel);
  });
  const double one = 1.0, zero = 0.0;
  const Timing matrix = gwrm::time_calls(context, [&] {
    GWRM_DEVICE(cublasDgemm(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, values, n, values + n * n, n, &zero,
                            values + 2 * n * n, n));
  });
  return {2.0 * sizeof(double) * static_cast<double>(n_copied) / copy.minimum,
          2.0 * static_cast<double>(n) * n * n / matrix.minimum};
}

}  // namespace gwrm::cuda
