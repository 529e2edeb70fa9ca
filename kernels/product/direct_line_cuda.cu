// The direct sums in one dimension. Folded, with a'_0 = 2 a_0 and else a' = a:
//   c_l = w_l / 2 sum_m b_m (a'_|l-m| + a'_{l+m}),   w_0 = 1/2, else 1.
//
// Short series: one warp per coefficient, all its loads on their way at once: the time is that of a launch and a read.
// Long series: the same as a convolution of the even extensions on the tensor cores. With l = 8 p + q,
//   2 c_l / w_l = sum_{u, m = 0..7} be[8 (p - u) + m] ae[8 u + q - m] = sum_u B_u[p, m] A_u[m, q]
// where ae, be continue a' and, likewise, b' evenly and by zeros; a block makes 16 rows p, its warps take the u in turn
// and add up at the end.
#include "kernels/product/direct_line.cuh"

#include <algorithm>

#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/device/double_mma.cuh"

namespace gwrm::cuda {
namespace {

struct LineLaunch {
  static constexpr int short_threads = 128;  // four coefficients
  static constexpr int short_length = 1024;  // from where on the tensor cores win
  static constexpr int long_warps = 16;
  static constexpr int steps = 128;  // u at a time
};

// n <= 32 n_terms.
template <int n_terms, typename Real>
__global__ void __launch_bounds__(LineLaunch::short_threads)
    short_line_kernel(const Real* a, const Real* b, Real* c, int n) {
  const int l = static_cast<int>(blockIdx.x * LineLaunch::short_threads + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long start = static_cast<long long>(blockIdx.y) * n;
  admit_successor();
  if (l >= n) return;
  await_predecessor();
  double factors[n_terms] = {}, mirrored[n_terms] = {}, others[n_terms] = {};
#pragma unroll
  for (int term = 0; term < n_terms; ++term) {
    const int m = 32 * term + lane;
    if (m >= n) continue;
    others[term] = static_cast<double>(b[start + m]);
    factors[term] = static_cast<double>(a[start + abs(l - m)]);
    if (l + m < n) mirrored[term] = static_cast<double>(a[start + l + m]);
  }
  double sum = 0.0;
#pragma unroll
  for (int term = 0; term < n_terms; ++term) {
    const int m = 32 * term + lane;
    const double factor = m == l ? 2.0 * factors[term] : factors[term];  // a'_0 = 2 a_0
    sum += others[term] * (factor + (l + m == 0 ? 2.0 * mirrored[term] : mirrored[term]));
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (lane == 0) c[start + l] = static_cast<Real>((l == 0 ? 0.25 : 0.5) * sum);
}

// The even extension, its first coefficient doubled, zero beyond the degree.
template <typename Real>
__device__ double extended(const Real* series, int n, long long index) {
  const long long j = index < 0 ? -index : index;
  return j >= n ? 0.0 : static_cast<double>(series[j]) * (j == 0 ? 2.0 : 1.0);
}

template <typename Real>
__global__ void __launch_bounds__(32 * LineLaunch::long_warps)
    long_line_kernel(const Real* a, const Real* b, Real* c, int n) {
  constexpr int steps = LineLaunch::steps, warps = LineLaunch::long_warps, threads = 32 * warps;
  __shared__ __align__(16) double a_line[8 * (steps + 2)];   // ae from 8 first_u - 8 on
  __shared__ __align__(16) double b_line[8 * (steps + 16)];  // be from 8 (first_p - first_u - steps + 1) on
  __shared__ double shares[warps][128];
  const auto [g, t] = lane_coordinates();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int first_p = static_cast<int>(blockIdx.x) * 16;
  a += static_cast<long long>(blockIdx.y) * n;
  b += static_cast<long long>(blockIdx.y) * n;
  c += static_cast<long long>(blockIdx.y) * n;

  admit_successor();
  await_predecessor();
  double sum[4] = {};
  const int last_u = (n + 7) / 8 + 1;  // 8 u + q - m stays within the extension
  for (int first_u = -last_u; first_u <= last_u; first_u += steps) {
    const long long a_start = 8LL * first_u - 8, b_start = 8LL * (first_p - first_u - steps + 1);
    __syncthreads();
    for (int j = static_cast<int>(threadIdx.x); j < 8 * (steps + 2); j += threads)
      a_line[j] = extended(a, n, a_start + j);
    for (int j = static_cast<int>(threadIdx.x); j < 8 * (steps + 16); j += threads)
      b_line[j] = extended(b, n, b_start + j);
    __syncthreads();
#pragma unroll 4
    for (int u = warp; u < steps; u += warps) {  // lane: m = 2t and 2t + 1, one in each step of four
      const double* left = b_line + 8 * (g + steps - 1 - u) + 2 * t;
      const double* right = a_line + 8 * u + 8 + g - 2 * t;
      const double2 p = *reinterpret_cast<const double2*>(left), q = *reinterpret_cast<const double2*>(left + 64);
      multiply_add(sum, {p.x, q.x, p.y, q.y}, {right[0], right[-1]});
    }
  }
  for (int entry = 0; entry < 4; ++entry) shares[warp][8 * (g + 8 * (entry / 2)) + 2 * t + entry % 2] = sum[entry];
  __syncthreads();
  const int l = 8 * first_p + static_cast<int>(threadIdx.x);
  if (threadIdx.x >= 128 || l >= n) return;
  double total = 0.0;
  for (int w = 0; w < warps; ++w) total += shares[w][threadIdx.x];
  c[l] = static_cast<Real>((l == 0 ? 0.25 : 0.5) * total);
}

template <typename Real>
class LineProduct final : public ProductPlan<Real> {
 public:
  LineProduct(const Context& context, int n, Index batch) : handles_(*context.device()), n_(n), batch_(batch) {}

  std::size_t workspace_bytes() const override { return 0; }

  void multiply(const Real* a, const Real* b, Real* c, void*) const override {
    constexpr Index kMaxItems = 65535;  // of a grid's second extent
    const bool is_short = n_ <= LineLaunch::short_length;
    const auto kernel = n_ <= 256   ? short_line_kernel<8, Real>
                        : n_ <= 512 ? short_line_kernel<16, Real>
                        : is_short  ? short_line_kernel<32, Real>
                                    : long_line_kernel<Real>;
    for (Index item = 0; item < batch_; item += kMaxItems) {
      const unsigned n_items = static_cast<unsigned>(std::min(kMaxItems, batch_ - item));
      const dim3 grid(is_short ? blocks_for(n_, LineLaunch::short_threads / 32) : blocks_for(n_, 128), n_items);
      const int threads = is_short ? LineLaunch::short_threads : 32 * LineLaunch::long_warps;
      launch_early(handles_.stream, kernel, grid, threads, 0, 1, a + item * n_, b + item * n_, c + item * n_, n_);
    }
  }

 private:
  DeviceHandles& handles_;
  int n_;
  Index batch_;
};

}  // namespace

template <typename Real>
ProductPlanPointer<Real> direct_line_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<LineProduct<Real>>(context, extents_of(shape).n[0], batch);
}
template ProductPlanPointer<double> direct_line_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> direct_line_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
