// The direct sums of small series in two dimensions, folded as in direct_product_cuda.cu:
//   c_{K,l} = w_{K,l} / 4 sum_{I, m} (b'_{|K-I|,m} + b'_{K+I,m}) (a'_{I,|l-m|} + a'_{I,l+m}),
// b' = b with its row 0 doubled, a' = a with its column 0 doubled, w = 1/2 for each of K, l that is 0.
//
// One warp per coefficient; its lanes have the m of one row I, or of several short ones, and load eight such rows
// before they use the first: the time is that of a launch and of a few reads.
#include "kernels/product/direct_plane.cuh"

#include <algorithm>

#include "kernels/device/asynchronous_copy.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kPlaneThreads = 128;  // four coefficients
constexpr int kMaxPlaneBlocks = 65535;
// Warps times their steps over rows and columns, a little more than 20 x 20 has; from 24 x 24 on the tensor cores win.
constexpr double kMaxPlaneSteps = 1.0e4;

// Lanes that a row takes.
__host__ __device__ inline int lanes_of_row(int n) {
  int lanes = 32;
  while (lanes >= 2 * n) lanes /= 2;
  return lanes;
}

template <int kAtOnce, typename Real>
__global__ void __launch_bounds__(kPlaneThreads)
    short_plane_kernel(const Real* a, const Real* b, Real* c, int n_rows, int n) {
  const int l = static_cast<int>(blockIdx.x * kPlaneThreads + threadIdx.x) / 32, K = static_cast<int>(blockIdx.y);
  const int lane = static_cast<int>(threadIdx.x) % 32, n_lanes = lanes_of_row(n), rows_at_once = 32 / n_lanes;
  admit_successor();
  if (l >= n) return;
  const long long item = static_cast<long long>(blockIdx.z) * n_rows * n;
  a += item;
  b += item;
  await_predecessor();
  double sum = 0.0;
  for (int m = lane % n_lanes; m < n; m += n_lanes)
    for (int first = lane / n_lanes; first < n_rows; first += kAtOnce * rows_at_once) {
      Real near[kAtOnce] = {}, far[kAtOnce] = {}, factor[kAtOnce] = {}, mirrored[kAtOnce] = {};
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int I = first + i * rows_at_once;
        if (I >= n_rows) continue;
        near[i] = b[abs(K - I) * n + m];
        if (K + I < n_rows) far[i] = b[(K + I) * n + m];
        factor[i] = a[I * n + abs(l - m)];
        if (l + m < n) mirrored[i] = a[I * n + l + m];
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int I = first + i * rows_at_once;
        const double left = (K == I ? 2.0 : 1.0) * near[i] + (K + I == 0 ? 2.0 : 1.0) * far[i];
        const double right = (l == m ? 2.0 : 1.0) * factor[i] + (l + m == 0 ? 2.0 : 1.0) * mirrored[i];
        sum += left * right;
      }
    }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (lane == 0) c[item + K * n + l] = static_cast<Real>((K == 0 ? 0.25 : 0.5) * (l == 0 ? 0.25 : 0.5) * sum);
}

template <typename Real>
class PlaneProduct final : public ProductPlan<Real> {
 public:
  PlaneProduct(const Context& context, const Extents& extents, Index batch)
      : handles_(*context.device()), n_rows_(extents.n[0]), n_(extents.n[1]), batch_(batch) {}

  std::size_t workspace_bytes() const override { return 0; }

  void multiply(const Real* a, const Real* b, Real* c, void*) const override {
    const dim3 grid(blocks_for(n_, kPlaneThreads / 32), static_cast<unsigned>(n_rows_), static_cast<unsigned>(batch_));
    const bool few = n_rows_ <= 8 * (32 / lanes_of_row(n_));
    const auto kernel = few ? short_plane_kernel<8, Real> : short_plane_kernel<16, Real>;
    launch_early(handles_.stream, kernel, grid, dim3(kPlaneThreads), 0, 1, a, b, c, n_rows_, n_);
  }

 private:
  DeviceHandles& handles_;
  int n_rows_, n_;
  Index batch_;
};

}  // namespace

bool direct_plane_serves(const Shape& shape, Index batch) {
  if (shape.size() != 2 || shape[0] > kMaxPlaneBlocks || batch > kMaxPlaneBlocks) return false;
  const double rows = static_cast<double>(shape[0]), columns = static_cast<double>(shape[1]);
  const int n_lanes = shape[1] > 32 ? 32 : lanes_of_row(static_cast<int>(shape[1]));
  const double steps = static_cast<double>((shape[1] + n_lanes - 1) / n_lanes) * rows * n_lanes / 32.0;
  return static_cast<double>(batch) * rows * columns * steps <= kMaxPlaneSteps;
}

template <typename Real>
ProductPlanPointer<Real> direct_plane_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<PlaneProduct<Real>>(context, extents_of(shape), batch);
}
template ProductPlanPointer<double> direct_plane_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> direct_plane_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
