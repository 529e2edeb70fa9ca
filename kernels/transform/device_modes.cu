#include "kernels/transform/device_modes.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;

unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

__global__ void __launch_bounds__(kThreads)
    to_modes_kernel(const ModeMatrices m, const double* __restrict__ x, std::size_t width, double2* __restrict__ y) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >= width) return;
  double values[kMaxNodes];
#pragma unroll
  for (int j = 0; j < kMaxNodes; ++j) values[j] = j < m.n_nodes ? x[j * width + i] : 0.0;
  for (int k = 0; k < m.n_modes; ++k) {
    double2 sum{0.0, 0.0};
#pragma unroll
    for (int j = 0; j < kMaxNodes; ++j)
      if (j < m.n_nodes) {
        sum.x += m.forward[k][j].x * values[j];
        sum.y += m.forward[k][j].y * values[j];
      }
    y[k * width + i] = sum;
  }
}

__global__ void __launch_bounds__(kThreads)
    from_modes_kernel(const ModeMatrices m, const double2* __restrict__ y, std::size_t width, double* __restrict__ x) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >= width) return;
  double2 values[kMaxNodes / 2];
#pragma unroll
  for (int k = 0; k < kMaxNodes / 2; ++k) values[k] = k < m.n_modes ? y[k * width + i] : double2{0.0, 0.0};
  for (int j = 0; j < m.n_nodes; ++j) {
    double sum = 0.0;
#pragma unroll
    for (int k = 0; k < kMaxNodes / 2; ++k)
      if (k < m.n_modes) sum += m.backward[k][j].x * values[k].x + m.backward[k][j].y * values[k].y;
    x[j * width + i] = sum;
  }
}

// Where entry i of the part lies in the whole.
__device__ std::size_t place_of(std::size_t i, const Box& part, const Places& places, const Box& whole, int& first) {
  int index[4];
  for (int d = 3; d >= 0; --d) {
    index[d] = static_cast<int>(i % part.extents[d]);
    i /= part.extents[d];
  }
  first = index[0];
  std::size_t result = 0;
  for (int d = 0; d < 4; ++d)
    result = result * whole.extents[d] + (places.lists[d] == nullptr ? index[d] : places.lists[d][index[d]]);
  return result;
}

__global__ void __launch_bounds__(kThreads)
    pick_kernel(const double2* __restrict__ whole, const Box whole_box, const Places places, double2* __restrict__ part,
                const Box part_box) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >=
      static_cast<std::size_t>(part_box.extents[0]) * part_box.extents[1] * part_box.extents[2] * part_box.extents[3])
    return;
  int first = 0;
  part[i] = whole[place_of(i, part_box, places, whole_box, first)];
}

__global__ void __launch_bounds__(kThreads)
    place_kernel(const double2* __restrict__ part, const Box part_box, const double2* factors, const Places places,
                 double2* __restrict__ whole, const Box whole_box) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >=
      static_cast<std::size_t>(part_box.extents[0]) * part_box.extents[1] * part_box.extents[2] * part_box.extents[3])
    return;
  int first = 0;
  double2* target = whole + place_of(i, part_box, places, whole_box, first);
  const double2 factor = factors == nullptr ? double2{1.0, 0.0} : factors[first], value = part[i];
  target->x += factor.x * value.x - factor.y * value.y;
  target->y += factor.x * value.y + factor.y * value.x;
}

__global__ void __launch_bounds__(kThreads)
    add_by_mode_kernel(const double2* __restrict__ factors, double sign, const double2* __restrict__ x,
                       std::size_t width, double2* __restrict__ y) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >= width) return;
  const std::size_t p = blockIdx.y * width + i;
  const double2 value = x[p];
  double2 factor = factors == nullptr ? double2{1.0, 0.0} : factors[blockIdx.y];
  factor.x *= sign;
  factor.y *= sign;
  y[p].x += factor.x * value.x - factor.y * value.y;
  y[p].y += factor.x * value.y + factor.y * value.x;
}

__global__ void __launch_bounds__(kThreads)
    to_complex_kernel(const double* __restrict__ x, std::size_t n, double2* __restrict__ y) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i < n) y[i] = {x[i], 0.0};
}

// Small, and once a preconditioner: no tiles.
__global__ void __launch_bounds__(kThreads)
    adjoint_kernel(const double2* __restrict__ x, std::size_t n, double2* __restrict__ y) {
  const std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x;
  if (i >= n * n) return;
  const double2 value = x[i % n * n + i / n];
  y[i] = {value.x, -value.y};
}

}  // namespace

void to_time_modes(const DeviceHandles& handles, const ModeMatrices& matrices, const double* x, std::size_t width,
                   double2* y) {
  if (width == 0) return;
  to_modes_kernel<<<blocks_for(width), kThreads, 0, handles.stream>>>(matrices, x, width, y);
  GWRM_LAUNCHED(to_modes_kernel);
}

void from_time_modes(const DeviceHandles& handles, const ModeMatrices& matrices, const double2* y, std::size_t width,
                     double* x) {
  if (width == 0) return;
  from_modes_kernel<<<blocks_for(width), kThreads, 0, handles.stream>>>(matrices, y, width, x);
  GWRM_LAUNCHED(from_modes_kernel);
}

void pick(const DeviceHandles& handles, const double2* whole, const Box& whole_box, const Places& places, double2* part,
          const Box& part_box) {
  if (part_box.size() == 0) return;
  pick_kernel<<<blocks_for(part_box.size()), kThreads, 0, handles.stream>>>(whole, whole_box, places, part, part_box);
  GWRM_LAUNCHED(pick_kernel);
}

void place(const DeviceHandles& handles, const double2* part, const Box& part_box, const double2* factors,
           const Places& places, double2* whole, const Box& whole_box) {
  if (part_box.size() == 0) return;
  place_kernel<<<blocks_for(part_box.size()), kThreads, 0, handles.stream>>>(part, part_box, factors, places, whole,
                                                                             whole_box);
  GWRM_LAUNCHED(place_kernel);
}

void add_by_mode(const DeviceHandles& handles, const double2* factors, bool negative, const double2* x, int n_modes,
                 std::size_t width, double2* y) {
  if (width == 0) return;
  add_by_mode_kernel<<<dim3(blocks_for(width), static_cast<unsigned>(n_modes)), kThreads, 0, handles.stream>>>(
      factors, negative ? -1.0 : 1.0, x, width, y);
  GWRM_LAUNCHED(add_by_mode_kernel);
}

void to_complex(const DeviceHandles& handles, const double* x, std::size_t n, double2* y) {
  if (n == 0) return;
  to_complex_kernel<<<blocks_for(n), kThreads, 0, handles.stream>>>(x, n, y);
  GWRM_LAUNCHED(to_complex_kernel);
}

void adjoint(const DeviceHandles& handles, const double2* x, int n, double2* y) {
  if (n == 0) return;
  const auto order = static_cast<std::size_t>(n);
  adjoint_kernel<<<blocks_for(order * order), kThreads, 0, handles.stream>>>(x, order, y);
  GWRM_LAUNCHED(adjoint_kernel);
}

}  // namespace gwrm::cuda
