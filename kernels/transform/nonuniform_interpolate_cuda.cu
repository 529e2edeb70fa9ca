#include "core/device_handles.cuh"
//
#include "kernels/transform/nonuniform_device.cuh"
#include "kernels/transform/nonuniform_interpolate.cuh"

namespace gwrm::nonuniform {
namespace {

constexpr int kThreads = 128;

template <int kDimensions, int kWidth>
__global__ void __launch_bounds__(kThreads)
    interpolate_kernel(FineGrid grid, SortedPoints points, const double* __restrict__ table,
                       const double2* __restrict__ values, double2* c) {
  __shared__ double columns[kDimensions > 1 ? (kDimensions - 1) * kWidth * kThreads : 1];
  const long long p = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (p < points.n_points)
    interpolate_point<kDimensions, kWidth>(grid, points, table, values, static_cast<int>(p), columns + threadIdx.x,
                                           kThreads, c);
}

template <int kDimensions>
void interpolate_dimensions(cudaStream_t stream, const DevicePoints& points, const double2* grid, double2* c) {
  const auto n = static_cast<unsigned>((points.sorted().n_points + kThreads - 1) / kThreads);
  if (points.grid().axes[2].width <= 8)
    interpolate_kernel<kDimensions, 8>
        <<<n, kThreads, 0, stream>>>(points.grid(), points.sorted(), points.table(), grid, c);
  else
    interpolate_kernel<kDimensions, kMaxWidth>
        <<<n, kThreads, 0, stream>>>(points.grid(), points.sorted(), points.table(), grid, c);
  GWRM_LAUNCHED(interpolate_kernel);
}

}  // namespace

void interpolate(cudaStream_t stream, const DevicePoints& points, const double2* grid, double2* c) {
  if (points.sorted().n_points == 0) return;
  if (points.n_dimensions() == 1) return interpolate_dimensions<1>(stream, points, grid, c);
  if (points.n_dimensions() == 2) return interpolate_dimensions<2>(stream, points, grid, c);
  interpolate_dimensions<3>(stream, points, grid, c);
}

}  // namespace gwrm::nonuniform
