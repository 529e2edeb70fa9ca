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

// The rows of b that belong to each row I of a, found by the warp for 32 pairs of I and signs at once, one by each
// lane.
struct RowsOfWarp {
  const Extents& shape;
  int n_rows, K;

  template <class Add, class Multiply>
  __device__ void for_each(Add add, Multiply multiply) const {
    const int n_outer = shape.count - 1, last_signs = (1 << n_outer) - 1;
    const long long n_pairs = static_cast<long long>(n_rows) << n_outer;
    for (long long first = 0; first < n_pairs; first += 32) {
      const long long own = first + static_cast<int>(threadIdx.x) % 32;
      const SignedRow found =
          own < n_pairs ? signed_row(shape, K, static_cast<int>(own >> n_outer), static_cast<int>(own) & last_signs)
                        : SignedRow{};
      const int n_found = static_cast<int>(min(n_pairs - first, 32LL));
      for (int p = 0; p < n_found; ++p) {
        const int row = __shfl_sync(0xffffffffU, found.row, p);
        const double weight = __hiloint2double(__shfl_sync(0xffffffffU, found.weight_bits, p), 0);
        if (row >= 0) add(row, weight);
        if ((static_cast<int>(first + p) & last_signs) == last_signs)
          multiply(static_cast<int>((first + p) >> n_outer));
      }
    }
  }
};

// The same in two dimensions, where K is one index and that of a whole block: |K - I| and K + I.
struct RowsOfBlock {
  int n_rows, K;

  template <class Add, class Multiply>
  __device__ void for_each(Add add, Multiply multiply) const {
    for (int I = 0; I < n_rows; ++I) {
      add(abs(K - I), K == I ? 2.0 : 1.0);
      if (K + I < n_rows) add(K + I, K + I == 0 ? 2.0 : 1.0);
      multiply(I);
    }
  }
};

// This lane's part of the sum for m = first_m + 32 term + lane, the last of them perhaps beyond n.
template <int n_terms, class Rows, typename Real>
__device__ double stride_terms(const Real* a, const Real* b, int n, int l, int first_m, const Rows& rows) {
  const int m = first_m + static_cast<int>(threadIdx.x) % 32;
  const int last_m = m + 32 * (n_terms - 1) < n ? m + 32 * (n_terms - 1) : 0;
  int of_a[n_terms];
  double factor[n_terms];  // of a_|l-m|: 2 where that is a_0, 3 where a_{l+m} is too, 0 beyond n
#pragma unroll
  for (int term = 0; term < n_terms; ++term) {
    const int own = m + 32 * term;
    of_a[term] = own < n ? abs(l - own) : 0;
    factor[term] = own >= n ? 0.0 : own != l ? 1.0 : l > 0 ? 2.0 : 3.0;
  }
  double sum = 0.0, left[n_terms] = {};
  rows.for_each(
      [&](int row, double weight) {
        const Real* source = b + static_cast<long long>(row) * n;
#pragma unroll
        for (int term = 0; term < n_terms; ++term)
          left[term] += weight * static_cast<double>(source[term + 1 < n_terms ? m + 32 * term : last_m]);
      },
      [&](int I) {
        const Real* source = a + static_cast<long long>(I) * n;
        double right[n_terms];
#pragma unroll
        for (int term = 0; term < n_terms; ++term) right[term] = factor[term] * static_cast<double>(source[of_a[term]]);
#pragma unroll
        for (int term = 0; term < n_terms; ++term)
          if (l + m + 32 * term < n) right[term] += static_cast<double>(source[l + m + 32 * term]);
#pragma unroll
        for (int term = 0; term < n_terms; ++term) {
          sum += left[term] * right[term];
          left[term] = 0.0;
        }
      });
  return sum;
}

// The coefficient l of row K, by one warp.
template <class Rows, typename Real>
__device__ void stride_coefficient(const Real* a, const Real* b, Real* c, const Extents& shape, int n, int l,
                                   const Rows& rows) {
  double sum = 0.0;
  int first_m = 0;
  for (; first_m + 128 <= n; first_m += 128) sum += stride_terms<4>(a, b, n, l, first_m, rows);
  const int left = n - first_m;
  if (left > 96)
    sum += stride_terms<4>(a, b, n, l, first_m, rows);
  else if (left > 64)
    sum += stride_terms<3>(a, b, n, l, first_m, rows);
  else if (left > 32)
    sum += stride_terms<2>(a, b, n, l, first_m, rows);
  else if (left > 0)
    sum += stride_terms<1>(a, b, n, l, first_m, rows);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffU, sum, offset);
  if (threadIdx.x % 32 > 0) return;
  double weight = l == 0 ? 0.25 : 0.5;  // 2^-d, and half of that for every index that is zero
  for (int d = shape.count - 2, rest = rows.K; d >= 0; rest /= shape.n[d--])
    weight *= rest % shape.n[d] == 0 ? 0.25 : 0.5;
  c[static_cast<long long>(rows.K) * n + l] = static_cast<Real>(weight * sum);
}

template <typename Real>
__global__ void __launch_bounds__(PaperLaunch::stride_threads)
    stride_kernel(const Real* a, const Real* b, Real* c, const __grid_constant__ Extents shape, long long size,
                  long long total) {
  const long long flat = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (flat >= total) return;
  const int n = shape.n[shape.count - 1], of_item = static_cast<int>(flat % size);
  const long long item = flat - of_item;
  const RowsOfWarp rows{shape, static_cast<int>(size / n), of_item / n};
  stride_coefficient(a + item, b + item, c + item, shape, n, of_item % n, rows);
}

// Two dimensions: a block's warps have neighbouring coefficients of the row blockIdx.y, of the item blockIdx.z.
template <typename Real>
__global__ void __launch_bounds__(PaperLaunch::stride_threads)
    stride_plane_kernel(const Real* a, const Real* b, Real* c, const __grid_constant__ Extents shape) {
  const int l = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int n_rows = shape.n[0], n = shape.n[1];
  if (l >= n) return;
  const long long item = static_cast<long long>(blockIdx.z) * n_rows * n;
  const RowsOfBlock rows{n_rows, static_cast<int>(blockIdx.y)};
  stride_coefficient(a + item, b + item, c + item, shape, n, l, rows);
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
    constexpr int threads = PaperLaunch::stride_threads, kMaxBlocks = 65535;  // along y and z
    const long long batch = total_ / size_;
    if (stride_ && extents_.count == 2 && extents_.n[0] <= kMaxBlocks && batch <= kMaxBlocks) {
      const dim3 grid(blocks_for(extents_.n[1], threads / 32), static_cast<unsigned>(extents_.n[0]),
                      static_cast<unsigned>(batch));
      stride_plane_kernel<<<grid, threads, 0, handles_.stream>>>(a, b, c, extents_);
    } else if (stride_) {
      stride_kernel<<<blocks_for(total_, threads / 32), threads, 0, handles_.stream>>>(a, b, c, extents_, size_,
                                                                                       total_);
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
