#include "core/device_handles.cuh"

#include <algorithm>

#include "kernels/product/series_parts.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;
constexpr long long kMaxBlocks = 65536;

__global__ void move_parts_kernel(SeriesParts parts, const double* __restrict__ x, double* __restrict__ y) {
  const long long total = static_cast<long long>(parts.n_batch) * parts.n_places;
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; k < total; k += step) {
    const long long b = k / parts.n_places, i = k - b * parts.n_places;
    const int place = parts.places[i];
    const double value = place < 0 ? 0.0 : parts.factor * x[b * parts.x_stride + place];
    double* target = y + b * parts.y_stride + i;
    *target = parts.add ? *target + value : value;
  }
}

__global__ void unit_items_kernel(long long n_batch, long long n, long long first, double* y) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; k < n_batch * n; k += step)
    y[k] = k % n == first + k / n ? 1.0 : 0.0;
}

unsigned blocks_of(long long total) {
  return static_cast<unsigned>(std::min(kMaxBlocks, (total + kThreads - 1) / kThreads));
}

}  // namespace

void move_parts(const Context& context, const SeriesParts& parts, const double* x, double* y) {
  const long long total = static_cast<long long>(parts.n_batch) * parts.n_places;
  if (total == 0) return;
  move_parts_kernel<<<blocks_of(total), kThreads, 0, context.device()->stream>>>(parts, x, y);
  GWRM_LAUNCHED(move_parts_kernel);
}

void unit_items(const Context& context, Index n_batch, Index n, Index first, double* y) {
  if (n_batch * n == 0) return;
  unit_items_kernel<<<blocks_of(n_batch * n), kThreads, 0, context.device()->stream>>>(n_batch, n, first, y);
  GWRM_LAUNCHED(unit_items_kernel);
}

}  // namespace gwrm::cuda
