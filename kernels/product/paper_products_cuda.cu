// The two kernels of Lindvall, "GPU accelerated product of Chebyshev series" (2019), in correct form and in any number
// of dimensions: `monolithic`, its Listing 1, one thread per coefficient, and `stride`, its Listing 2, one warp per
// coefficient whose lanes take the innermost index in turn and add up by shuffles. They are here to be compared with.
#include "kernels/product/product_cuda.cuh"

#include <cmath>

namespace gwrm::cuda {
namespace {

struct PaperLaunch {
  static constexpr int monolithic_threads = 64;  // small blocks spread few coefficients over more multiprocessors
  static constexpr int stride_threads = 128;     // four coefficients
};

// The pairs (i, j) of one dimension with |i +- j| = k, counted by q: first i + j = k, then i, i + k and i + k, i in
// turn.
__device__ int pair_count(int k, int K) {
  return k + 1 + 2 * (K - k);
}

__device__ void pair(int q, int k, int& i, int& j) {
  if (q <= k) {
    i = q;
    j = k - q;
    return;
  }
  const int r = q - k - 1, near = r / 2 + 1;
  i = r % 2 == 0 ? near : near + k;
  j = r % 2 == 0 ? near + k : near;
}

// Twice the first coefficient: a plain series as a primed one.
template <typename Real>
__device__ double primed(const Real* series, int j) {
  return j == 0 ? 2.0 * series[0] : series[j];
}

// Eq. (9) for one pair of rows, primed: sum_{j=0..l} p_j r_{l-j} + sum_{j=1..L-l} (p_j r_{j+l} + p_{j+l} r_j), of which
// this thread takes every `step`-th j from `first` on.
template <typename Real>
__device__ double row_product(const Real* p, const Real* r, int l, int L, int first, int step) {
  double sum = 0.0;
  for (int j = first; j <= l; j += step) sum += primed(p, j) * primed(r, l - j);
  for (int j = first + (first == 0 ? step : 0); j <= L - l; j += step)
    sum += static_cast<double>(p[j]) * r[j + l] + static_cast<double>(p[j + l]) * r[j];
  return sum;
}

// c[flat] for the coefficient `flat` of all batches: the pairs of the outer dimensions are counted by one number.
template <typename Real>
__device__ double coefficient(const Real* a, const Real* b, const Extents& shape, long long flat, long long size,
                              int first, int step) {
  const int inner = shape.count - 1;
  int k[kMaxProductDimensions];
  long long rest = flat % size, n_outer = 1;
  const long long item = flat - rest;
  for (int d = inner; d >= 0; --d) {
    k[d] = static_cast<int>(rest % shape.n[d]);
    rest /= shape.n[d];
    if (d < inner) n_outer *= pair_count(k[d], shape.n[d] - 1);
  }
  double sum = 0.0;
  for (long long outer = 0; outer < n_outer; ++outer) {
    long long q = outer, at_a = item, at_b = item, stride = shape.n[inner];
    double weight = 1.0;
    for (int d = inner - 1; d >= 0; --d) {
      const int pairs = pair_count(k[d], shape.n[d] - 1);
      int i, j;
      pair(static_cast<int>(q % pairs), k[d], i, j);
      q /= pairs;
      weight *= (i == 0 ? 2.0 : 1.0) * (j == 0 ? 2.0 : 1.0);
      at_a += i * stride;
      at_b += j * stride;
      stride *= shape.n[d];
    }
    sum += weight * row_product(a + at_a, b + at_b, k[inner], shape.n[inner] - 1, first, step);
  }
  for (int d = 0; d <= inner; ++d) sum *= k[d] == 0 ? 0.25 : 0.5;  // primed to plain, and 2^-d
  return sum;
}

template <typename Real>
__global__ void __launch_bounds__(PaperLaunch::monolithic_threads)
    monolithic_kernel(const Real* a, const Real* b, Real* c, Extents shape, long long size, long long total) {
  const long long flat = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (flat < total) c[flat] = static_cast<Real>(coefficient(a, b, shape, flat, size, 0, 1));
}

template <typename Real>
__global__ void __launch_bounds__(PaperLaunch::stride_threads)
    stride_kernel(const Real* a, const Real* b, Real* c, Extents shape, long long size, long long total) {
  const long long flat = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (flat >= total) return;
  double sum = coefficient(a, b, shape, flat, size, lane, 32);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (lane == 0) c[flat] = static_cast<Real>(sum);
}

template <typename Real>
class PaperProduct final : public ProductPlan<Real> {
 public:
  PaperProduct(const Context& context, const Shape& shape, Index batch, bool stride)
      : handles_(*context.device()),
        extents_(extents_of(shape)),
        size_(element_count(shape)),
        total_(size_ * batch),
        stride_(stride) {}

  std::size_t workspace_bytes() const override { return 0; }

  void multiply(const Real* a, const Real* b, Real* c, void*) const override {
    constexpr int wide = PaperLaunch::stride_threads, narrow = PaperLaunch::monolithic_threads;
    if (stride_)
      stride_kernel<<<blocks_for(total_, wide / 32), wide, 0, handles_.stream>>>(a, b, c, extents_, size_, total_);
    else
      monolithic_kernel<<<blocks_for(total_, narrow), narrow, 0, handles_.stream>>>(a, b, c, extents_, size_, total_);
    GWRM_LAUNCHED(paper_product_kernel);
  }

 private:
  DeviceHandles& handles_;
  Extents extents_;
  long long size_, total_;
  bool stride_;
};

}  // namespace

template <typename Real>
ProductPlanPointer<Real> monolithic_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<PaperProduct<Real>>(context, shape, batch, false);
}
template <typename Real>
ProductPlanPointer<Real> stride_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<PaperProduct<Real>>(context, shape, batch, true);
}
template ProductPlanPointer<double> monolithic_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> monolithic_product(const Context&, const Shape&, Index);
template ProductPlanPointer<double> stride_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> stride_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
