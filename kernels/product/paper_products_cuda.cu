// The two kernels of Lindvall, "GPU accelerated product of Chebyshev series" (2019), in correct form and in any number
// of dimensions: `monolithic`, its Listing 1, one thread per coefficient, and `stride`, its Listing 2, one warp per
// coefficient whose lanes take the innermost index in turn and add up by shuffles. They are here to be compared with.
//
// `stride` has the sums folded as in direct_product_cuda.cu. With those of eq. (9) and (10) its lanes load two numbers
// for every product of theirs, where all lanes of a monolithic warp share one of the two; at large sizes, where the
// loads bound both, the warp per coefficient was slower for it.
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

// Eq. (9) for one pair of rows, primed: sum_{j=0..l} p_j r_{l-j} + sum_{j=1..L-l} (p_j r_{j+l} + p_{j+l} r_j).
template <typename Real>
__device__ double row_product(const Real* p, const Real* r, int l, int L) {
  double sum = 0.0;
  for (int j = 0; j <= l; ++j) sum += primed(p, j) * primed(r, l - j);
  for (int j = 1; j <= L - l; ++j) sum += static_cast<double>(p[j]) * r[j + l] + static_cast<double>(p[j + l]) * r[j];
  return sum;
}

// c[flat] for the coefficient `flat` of all batches: the pairs of the outer dimensions are counted by one number.
template <typename Real>
__device__ double coefficient(const Real* a, const Real* b, const Extents& shape, long long flat, long long size) {
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
    sum += weight * row_product(a + at_a, b + at_b, k[inner], shape.n[inner] - 1);
  }
  for (int d = 0; d <= inner; ++d) sum *= k[d] == 0 ? 0.25 : 0.5;  // primed to plain, and 2^-d
  return sum;
}

template <typename Real>
__global__ void __launch_bounds__(PaperLaunch::monolithic_threads)
    monolithic_kernel(const Real* a, const Real* b, Real* c, const __grid_constant__ Extents shape, long long size,
                      long long total) {
  const long long flat = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (flat < total) c[flat] = static_cast<Real>(coefficient(a, b, shape, flat, size));
}

// The row |K +- I| of b for one choice of signs, -1 outside, and 2^(number of its zero indices) as the upper half of
// the bits of a double.
struct SignedRow {
  int row = -1;
  int weight_bits = 0x3ff00000;
};

__device__ SignedRow signed_row(const Extents& shape, int K, int I, int signs) {
  SignedRow found{0, 0x3ff00000};
  for (int d = shape.count - 2, stride = 1; d >= 0; --d) {
    const int n = shape.n[d], k = K % n, i = I % n;
    const int index = signs & 1 ? k + i : abs(k - i);
    if (index >= n) return {};
    if (index == 0) found.weight_bits += 1 << 20;
    found.row += index * stride;
    stride *= n;
    K /= n;
    I /= n;
    signs >>= 1;
  }
  return found;
}

// The lanes' terms of one row: m = first_m + 32 term + lane. Everything here is the same for all rows.
template <int n_terms>
struct StrideTerms {
  int of_b[n_terms], of_a[n_terms], mirrored[n_terms];  // places in a row; m, |l - m|, l + m or -1
  double factor[n_terms];                               // of a_|l-m|: 2 where that is a_0, 3 where a_{l+m} is too

  __device__ StrideTerms(int first_m, int l, int n) {
#pragma unroll
    for (int term = 0; term < n_terms; ++term) {
      const int m = first_m + 32 * term + static_cast<int>(threadIdx.x) % 32;
      of_b[term] = min(m, n - 1);
      of_a[term] = min(abs(l - m), n - 1);
      mirrored[term] = l + m < n ? l + m : -1;
      factor[term] = m >= n ? 0.0 : m > 0 && m == l ? 2.0 : m == l ? 3.0 : 1.0;
    }
  }
};

// The rows of b for 32 pairs of I and signs are found at once, one by each lane.
template <int n_terms, typename Real>
__global__ void __launch_bounds__(PaperLaunch::stride_threads)
    stride_kernel(const Real* a, const Real* b, Real* c, const __grid_constant__ Extents shape, long long size,
                  long long total) {
  const long long flat = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (flat >= total) return;
  const int n_outer = shape.count - 1, n = shape.n[n_outer], n_rows = static_cast<int>(size / n);
  const int of_item = static_cast<int>(flat % size), K = of_item / n, l = of_item % n;
  const long long n_pairs = static_cast<long long>(n_rows) << n_outer;
  const int last_signs = (1 << n_outer) - 1;
  a += flat - of_item;
  b += flat - of_item;

  double sum = 0.0;
  for (int first_m = 0; first_m < n; first_m += 32 * n_terms) {
    const StrideTerms<n_terms> terms(first_m, l, n);
    double left[n_terms] = {};
    for (long long first = 0; first < n_pairs; first += 32) {
      const long long own = first + lane;
      const SignedRow found =
          own < n_pairs ? signed_row(shape, K, static_cast<int>(own >> n_outer), static_cast<int>(own) & last_signs)
                        : SignedRow{};
      const int n_found = static_cast<int>(min(n_pairs - first, 32LL));
      for (int p = 0; p < n_found; ++p) {
        const int row = __shfl_sync(0xffffffffU, found.row, p);
        const double weight = __hiloint2double(__shfl_sync(0xffffffffU, found.weight_bits, p), 0);
        if (row >= 0) {
          const Real* source = b + static_cast<long long>(row) * n;
#pragma unroll
          for (int term = 0; term < n_terms; ++term)
            left[term] += weight * static_cast<double>(source[terms.of_b[term]]);
        }
        if ((static_cast<int>(first + p) & last_signs) != last_signs) continue;
        const Real* source = a + ((first + p) >> n_outer) * n;
        double right[n_terms];
#pragma unroll
        for (int term = 0; term < n_terms; ++term)
          right[term] = terms.factor[term] * static_cast<double>(source[terms.of_a[term]]);
#pragma unroll
        for (int term = 0; term < n_terms; ++term)
          if (terms.mirrored[term] >= 0) right[term] += static_cast<double>(source[terms.mirrored[term]]);
#pragma unroll
        for (int term = 0; term < n_terms; ++term) {
          sum += left[term] * right[term];
          left[term] = 0.0;
        }
      }
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (lane > 0) return;
  double weight = l == 0 ? 0.25 : 0.5;  // 2^-d, and half of that for every index that is zero
  for (int d = n_outer - 1, rest = K; d >= 0; rest /= shape.n[d--]) weight *= rest % shape.n[d] == 0 ? 0.25 : 0.5;
  c[flat] = static_cast<Real>(weight * sum);
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
    constexpr int narrow = PaperLaunch::monolithic_threads;
    if (stride_) {
      constexpr int threads = PaperLaunch::stride_threads;
      const int n = extents_.n[extents_.count - 1];
      const auto stride = n <= 32    ? stride_kernel<1, Real>
                          : n <= 64  ? stride_kernel<2, Real>
                          : n <= 128 ? stride_kernel<4, Real>
                                     : stride_kernel<8, Real>;
      stride<<<blocks_for(total_, threads / 32), threads, 0, handles_.stream>>>(a, b, c, extents_, size_, total_);
    } else {
      monolithic_kernel<<<blocks_for(total_, narrow), narrow, 0, handles_.stream>>>(a, b, c, extents_, size_, total_);
    }
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
