#include "kernels/linear_algebra/device_kronecker_sum.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

__device__ double2 times(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ void add_product(double2& sum, double2 a, double2 b) {
  sum.x = fma(a.x, b.x, fma(-a.y, b.y, sum.x));
  sum.y = fma(a.x, b.y, fma(a.y, b.x, sum.y));
}
__device__ double2 minus(double2 a, double2 b) {
  return {a.x - b.x, a.y - b.y};
}
__device__ double2 plus(double2 a, double2 b) {
  return {a.x + b.x, a.y + b.y};
}
// Scaled by the larger part, so that the square of the divisor neither overflows nor vanishes.
__device__ double2 quotient(double2 a, double2 b) {
  if (fabs(b.x) >= fabs(b.y)) {
    const double ratio = b.y / b.x, size = b.x + b.y * ratio;
    return {(a.x + a.y * ratio) / size, (a.y - a.x * ratio) / size};
  }
  const double ratio = b.x / b.y, size = b.x * ratio + b.y;
  return {(a.x * ratio + a.y) / size, (a.y * ratio - a.x) / size};
}

constexpr int kMaxThreads = 512;

// By value to a kernel, whose arguments are to stay below 4 KB.
constexpr std::size_t kMaxSystems = 32;
struct Systems {
  TriangularSystem list[kMaxSystems];
};

// B1, B2, B3: the block. Thread t of it: entry (t / (B2 B3), t / B3 mod B2, t mod B3).
template <int B1, int B2, int B3>
__global__ void __launch_bounds__(B1* B2* B3)
    triangular_kernel(const Systems systems, int n1, int n2, int n3, int level) {
  constexpr int kThreads = B1 * B2 * B3;
  static_assert(kThreads <= kMaxThreads);
  constexpr int kMax = B1 > B2 ? (B1 > B3 ? B1 : B3) : (B2 > B3 ? B2 : B3);
  __shared__ double2 values[kThreads];                    // a solved block, then the own one
  __shared__ double2 tile[3][kMax * (kMax + 1)];  // of the triangles
  // The blocks of this level, counted from the last corner: blockIdx.x runs over the first two distances.
  const int blocks1 = (n1 + B1 - 1) / B1, blocks2 = (n2 + B2 - 1) / B2, blocks3 = (n3 + B3 - 1) / B3;
  const int d1 = static_cast<int>(blockIdx.x) / blocks2, d2 = static_cast<int>(blockIdx.x) % blocks2,
            d3 = level - d1 - d2;
  if (d3 < 0 || d3 >= blocks3) return;
  const TriangularSystem system = systems.list[blockIdx.y];
  const int t = static_cast<int>(threadIdx.x);
  const int i = t / (B2 * B3), j = t / B3 % B2, k = t % B3;
  const int a = blocks1 - 1 - d1, b = blocks2 - 1 - d2, c = blocks3 - 1 - d3;
  const int gi = a * B1 + i, gj = b * B2 + j, gk = c * B3 + k;
  const bool inside = gi < n1 && gj < n2 && gk < n3;
  const std::size_t place = (static_cast<std::size_t>(gi) * n2 + gj) * n3 + gk;
  const double2 zero{0.0, 0.0};

  // What the blocks behind this one along each axis contribute.
  double2 total = zero;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const int extent = axis == 0 ? n1 : axis == 1 ? n2 : n3, width = axis == 0 ? B1 : axis == 1 ? B2 : B3;
    const int own_block = axis == 0   ? a
                          : axis == 1 ? b
                                      : c,
              n_blocks = axis == 0   ? blocks1
                         : axis == 1 ? blocks2
                                     : blocks3;
    const int own = axis == 0 ? i : axis == 1 ? j : k;
    const std::size_t stride = axis == 0 ? static_cast<std::size_t>(n2) * n3 : axis == 1 ? n3 : 1;
    const double2* triangle = system.triangles[axis];
    if (triangle == nullptr) continue;
    double2 sum = zero;
    for (int block = own_block + 1; block < n_blocks; ++block) {
      const int offset = (block - own_block) * width;
      const int along = (axis == 0 ? gi : axis == 1 ? gj : gk) + offset;
      const bool there = along < extent && (axis == 0 || gi < n1) && (axis == 1 || gj < n2) && (axis == 2 || gk < n3);
      __syncthreads();
      values[t] = there ? system.r[place + stride * offset] : zero;
      for (int entry = t; entry < width * width; entry += kThreads) {
        const int row = own_block * width + entry / width, column = block * width + entry % width;
        tile[axis][entry / width * (width + 1) + entry % width] =
            row < extent && column < extent ? triangle[static_cast<std::size_t>(row) * extent + column] : zero;
      }
      __syncthreads();
      const int step = axis == 0 ? B2 * B3 : axis == 1 ? B3 : 1;
      const int start = t - own * step;
#pragma unroll
      for (int m = 0; m < width; ++m) add_product(sum, tile[axis][own * (width + 1) + m], values[start + m * step]);
    }
    add_product(total, system.scales[axis], sum);
  }
  double2 r = inside ? minus(system.r[place], total) : zero;

  // The block itself.
  __syncthreads();
  double2 pivot = system.shift;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const int extent = axis == 0 ? n1 : axis == 1 ? n2 : n3, width = axis == 0 ? B1 : axis == 1 ? B2 : B3;
    const int own_block = axis == 0 ? a : axis == 1 ? b : c, own = axis == 0 ? i : axis == 1 ? j : k;
    const double2* triangle = system.triangles[axis];
    if (triangle == nullptr) continue;
    for (int entry = t; entry < width * width; entry += kThreads) {
      const int row = own_block * width + entry / width, column = own_block * width + entry % width;
      tile[axis][entry / width * (width + 1) + entry % width] =
          row < extent && column < extent
              ? times(system.scales[axis], triangle[static_cast<std::size_t>(row) * extent + column])
              : zero;
    }
    __syncthreads();
    pivot = plus(pivot, tile[axis][own * (width + 1) + own]);
  }
  const int distance = (B1 - 1 - i) + (B2 - 1 - j) + (B3 - 1 - k);
  for (int front = 0; front <= B1 + B2 + B3 - 3; ++front) {
    if (distance == front) values[t] = inside ? r = quotient(r, pivot) : zero;
    __syncthreads();
    if (distance > front) {
      // The entry of this front on the same line along each axis, if there is one.
      const int back = distance - front;
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        const int width = axis == 0 ? B1 : axis == 1 ? B2 : B3, own = axis == 0 ? i : axis == 1 ? j : k;
        const int step = axis == 0 ? B2 * B3 : axis == 1 ? B3 : 1;
        if (system.triangles[axis] == nullptr || own + back >= width) continue;
        const double2 solved = values[t + back * step], entry = tile[axis][own * (width + 1) + own + back];
        r = minus(r, times(entry, solved));
      }
    }
  }
  if (inside) system.r[place] = r;
}

template <int B1, int B2, int B3>
void solve(const DeviceHandles& handles, const Systems& systems, std::size_t n_systems, int n1, int n2, int n3) {
  const int blocks1 = (n1 + B1 - 1) / B1, blocks2 = (n2 + B2 - 1) / B2, blocks3 = (n3 + B3 - 1) / B3;
  const dim3 grid(static_cast<unsigned>(blocks1 * blocks2), static_cast<unsigned>(n_systems));
  for (int level = 0; level <= blocks1 + blocks2 + blocks3 - 3; ++level) {
    triangular_kernel<B1, B2, B3><<<grid, B1 * B2 * B3, 0, handles.stream>>>(systems, n1, n2, n3, level);
    GWRM_LAUNCHED(triangular_kernel);
  }
}

}  // namespace

void solve_kronecker_sums(const DeviceHandles& handles, const std::vector<TriangularSystem>& systems, int n1, int n2,
                           int n3) {
  for (std::size_t first = 0; first < systems.size(); first += kMaxSystems) {
    const std::size_t n = std::min(kMaxSystems, systems.size() - first);
    Systems some;
    std::copy_n(systems.begin() + static_cast<std::ptrdiff_t>(first), n, some.list);
    if (n1 == 1)
      solve<1, 16, 16>(handles, some, n, n1, n2, n3);
    else
      solve<8, 8, 8>(handles, some, n, n1, n2, n3);
  }
}

}  // namespace gwrm::cuda
