// The direct sums in two to four dimensions, folded and on the tensor cores.
//
// Folding: with b' = b, its entries of index 0 doubled in the outer dimensions, and a' = a, doubled along the last one,
//   c_{K,l} = 2^-d w_{K,l} sum_{I, m} B_I[K, m] A_I[m, l],   w = 1/2 for every index of K, l that is 0, else 1,
//   B_I[K, m] = sum over the signs of b'_{|K +- I|, m},   A_I[m, l] = a'_{I,|l-m|} + a'_{I,l+m},
// I and K over the outer indices (all but the last), terms beyond the degrees being 0. That is one matrix product with
// n^2 multiply-adds per dimension where eq. (9) of the paper has n (3 n - 1) / 2, and its operands come from shared
// memory by one addition per sign.
//
// A block makes 16 MT rows K by 8 NT columns l, or shares them with the other blocks of a cluster: these take the outer
// indices I in turn, and so do the warps of each; all add up at the end, in their order. The sum over m goes in chunks
// for which all rows of b fit into shared memory, that over I in chunks of rows of a.
#include "kernels/product/product_cuda.cuh"

#include <algorithm>
#include <cmath>

#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/device/double_mma.cuh"
#include "kernels/product/direct_line.cuh"
#include "kernels/product/direct_plane.cuh"

namespace gwrm::cuda {
namespace {

struct DirectLaunch {
  static constexpr int warps = 16, threads = 32 * warps;
  static constexpr int max_chunk = 128;        // of the sum over m, a multiple of 8
  static constexpr int blocks_for_large = 16;  // of 32 x 32; below, smaller ones in larger number
  static constexpr int max_cluster = 8;
};

// What a block may have, and the share of it for the rows of b.
std::size_t shared_memory() {
  return static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}
std::size_t memory_for_b() {
  return shared_memory() * 2 / 3;
}

// Rows 64 bytes apart modulo 128: the quarter warps of 16-byte reads miss each other's banks.
__host__ __device__ constexpr int b_row_length(int chunk) {
  return chunk % 16 == 8 ? chunk : chunk + 8;
}

// l + m + 1 stays below: columns and terms come in multiples of 8 NT <= 32 and of 8.
__host__ __device__ constexpr int a_row_length(int n) {
  return 2 * n + 40;
}

struct DirectShape {
  Extents outer;  // extents of all dimensions but the last
  int n_rows;     // their product
  int n;          // the last
  int chunk;      // indices m at a time, a multiple of 8
  int a_rows;     // rows of a at a time
  double scale;   // 2^-d
};

// The row |K +- I| for each choice of signs, n_rows (a row of zeros) where it leaves the series.
template <int n_outer>
__device__ void rows_of_signs(const Extents& outer, int n_rows, int K, int I, int (&rows)[1 << n_outer]) {
#pragma unroll
  for (int s = 0; s < 1 << n_outer; ++s) rows[s] = K < n_rows ? 0 : n_rows;
  int stride = 1;
#pragma unroll
  for (int d = n_outer - 1; d >= 0; --d) {
    const int n = outer.n[d], k = K % n, i = I % n;
    K /= n;
    I /= n;
#pragma unroll
    for (int s = 0; s < 1 << n_outer; ++s) {
      const int index = (s >> d) & 1 ? k + i : abs(k - i);
      rows[s] = index < n && rows[s] < n_rows ? rows[s] + index * stride : n_rows;
    }
    stride *= n;
  }
}

// 2^(number of zero indices): the first coefficients of a primed series, doubled.
template <int n_outer>
__device__ double doubled_first(const Extents& outer, int row) {
  double weight = 1.0;
#pragma unroll
  for (int d = n_outer - 1; d >= 0; --d) {
    weight *= row % outer.n[d] == 0 ? 2.0 : 1.0;
    row /= outer.n[d];
  }
  return weight;
}

// Rows of b, from index first_m on, their weights included; one row of zeros behind the last.
template <int n_outer, typename Real>
__device__ void stage_b(const Real* b, double* b_rows, const DirectShape& s, int first_m, int n_m) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 4
  for (int row = warp; row <= s.n_rows; row += DirectLaunch::warps) {
    const double weight = row < s.n_rows ? doubled_first<n_outer>(s.outer, row) : 0.0;
    const Real* source = b + static_cast<long long>(min(row, s.n_rows - 1)) * s.n + first_m;
    for (int m = lane; m < n_m; m += 32)
      b_rows[row * b_row_length(s.chunk) + m] = first_m + m < s.n ? weight * static_cast<double>(source[m]) : 0.0;
  }
}

// Rows first, first + step, ... of a, the first coefficient doubled, zeros beyond the last.
template <typename Real>
__device__ void stage_a(const Real* a, double* a_rows, const DirectShape& s, int first, int step, int n_staged) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 2
  for (int row = warp; row < n_staged; row += DirectLaunch::warps) {
    const Real* source = a + static_cast<long long>(first + row * step) * s.n;
    for (int j = lane; j < a_row_length(s.n); j += 32) {
      const double value = j < s.n ? static_cast<double>(source[j]) : 0.0;
      a_rows[row * a_row_length(s.n) + j] = j == 0 ? 2.0 * value : value;
    }
  }
}

template <int n_outer, int MT, int NT, typename Real>
__global__ void __launch_bounds__(DirectLaunch::threads, 1)
    direct_kernel(const Real* a, const Real* b, Real* c, DirectShape s) {
  constexpr int n_signs = 1 << n_outer, n_sums = 16 * MT * 8 * NT;
  extern __shared__ __align__(16) double memory[];
  const Cluster cluster;
  const int n_blocks = cluster.size, block = cluster.rank;
  const int ld = b_row_length(s.chunk), a_ld = a_row_length(s.n);
  double* b_rows = memory;                                              // [n_rows + 1][ld]
  double* a_rows = b_rows + static_cast<long long>(s.n_rows + 1) * ld;  // [a_rows][a_ld]
  const auto [g, t] = lane_coordinates();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int first_row = static_cast<int>(blockIdx.x) * 16 * MT, first_column = static_cast<int>(blockIdx.y) * 8 * NT;
  const long long start = static_cast<long long>(blockIdx.z) / n_blocks * s.n_rows * s.n;
  const int n_own = (s.n_rows - block + n_blocks - 1) / n_blocks;  // outer indices I = block, block + n_blocks, ...
  admit_successor();
  await_predecessor();

  double sum[MT][NT][4] = {};
  for (int first_m = 0; first_m < s.n; first_m += s.chunk) {
    const int n_m = min(s.chunk, (s.n - first_m + 7) / 8 * 8);
    for (int first_own = 0; first_own < n_own; first_own += s.a_rows) {
      const int n_staged = min(s.a_rows, n_own - first_own);
      __syncthreads();
      if (first_own == 0) stage_b<n_outer>(b + start, b_rows, s, first_m, n_m);
      stage_a(a + start, a_rows, s, block + first_own * n_blocks, n_blocks, n_staged);
      __syncthreads();
      for (int row = warp; row < n_staged; row += DirectLaunch::warps) {
        const int I = block + (first_own + row) * n_blocks;
        int rows[MT][2][n_signs];
#pragma unroll
        for (int tile = 0; tile < MT; ++tile)
#pragma unroll
          for (int below = 0; below < 2; ++below)
            rows_of_signs<n_outer>(s.outer, s.n_rows, first_row + 16 * tile + g + 8 * below, I, rows[tile][below]);
        const double* a_row = a_rows + row * a_ld;
#pragma unroll 2
        for (int m = 2 * t; m < n_m; m += 8) {  // this lane has m and m + 1, one in each of the two steps of four
          double left[MT][4] = {};
#pragma unroll
          for (int tile = 0; tile < MT; ++tile)
#pragma unroll
            for (int below = 0; below < 2; ++below)
#pragma unroll
              for (int sign = 0; sign < n_signs; ++sign) {
                const double2 p = *reinterpret_cast<const double2*>(b_rows + rows[tile][below][sign] * ld + m);
                left[tile][below] += p.x;
                left[tile][below + 2] += p.y;
              }
#pragma unroll
          for (int n = 0; n < NT; ++n) {
            const int l = first_column + 8 * n + g, M = first_m + m;
            const double right[2] = {a_row[abs(l - M)] + a_row[l + M], a_row[abs(l - M - 1)] + a_row[l + M + 1]};
#pragma unroll
            for (int tile = 0; tile < MT; ++tile) multiply_add(sum[tile][n], left[tile], right);
          }
        }
      }
    }
  }

  // The warps' shares in their order, then the blocks'.
  __syncthreads();
  double *shares = memory, *totals = memory + DirectLaunch::warps * n_sums;  // [warp][row][column], [row][column]
#pragma unroll
  for (int tile = 0; tile < MT; ++tile)
#pragma unroll
    for (int n = 0; n < NT; ++n)
#pragma unroll
      for (int entry = 0; entry < 4; ++entry)
        shares[warp * n_sums + (16 * tile + g + 8 * (entry / 2)) * (8 * NT) + 8 * n + 2 * t + entry % 2] =
            sum[tile][n][entry];
  __syncthreads();
  for (int entry = static_cast<int>(threadIdx.x); entry < n_sums; entry += DirectLaunch::threads) {
    double total = 0.0;
    for (int w = 0; w < DirectLaunch::warps; ++w) total += shares[w * n_sums + entry];
    totals[entry] = total;
  }
  cluster.sync();
  for (int entry = static_cast<int>(threadIdx.x); block == 0 && entry < n_sums; entry += DirectLaunch::threads) {
    const int K = first_row + entry / (8 * NT), l = first_column + entry % (8 * NT);
    if (K >= s.n_rows || l >= s.n) continue;
    double total = 0.0;
    for (int other = 0; other < n_blocks; ++other) total += cluster.of(totals, other)[entry];
    const double weight = s.scale / doubled_first<n_outer>(s.outer, K) * (l == 0 ? 0.5 : 1.0);
    c[start + static_cast<long long>(K) * s.n + l] = static_cast<Real>(weight * total);
  }
  cluster.sync();  // the others' memory lives until it is read
}

template <int n_outer, typename Real>
class DirectProduct final : public ProductPlan<Real> {
 public:
  DirectProduct(const Context& context, const DirectShape& shape, Index batch)
      : handles_(*context.device()), shape_(shape), batch_(batch) {
    const std::size_t b_bytes = static_cast<std::size_t>(shape.n_rows + 1) *
                                static_cast<std::size_t>(b_row_length(shape.chunk)) * sizeof(double);
    const std::size_t a_row_bytes = static_cast<std::size_t>(a_row_length(shape.n)) * sizeof(double);
    shape_.a_rows = static_cast<int>(
        std::min<std::size_t>((shared_memory() - b_bytes) / a_row_bytes, static_cast<std::size_t>(shape.n_rows)));
    // Large tiles read less, small ones fill the device with a single product; clusters of them fill what is left of
    // it.
    const auto n_blocks = [&](Index rows, Index columns) {
      return static_cast<Index>(blocks_for(shape.n_rows, rows)) * blocks_for(shape.n, columns) * batch;
    };
    large_ = n_blocks(16 * kLargeRows, 8 * kColumns) >= DirectLaunch::blocks_for_large;
    const Index n = large_ ? n_blocks(16 * kLargeRows, 8 * kColumns) : n_blocks(16, 8);
    const std::size_t n_sums = large_ ? 16 * kLargeRows * 8 * kColumns : 16 * 8;
    memory_ = std::max(b_bytes + static_cast<std::size_t>(shape_.a_rows) * a_row_bytes,
                       (DirectLaunch::warps + 1) * n_sums * sizeof(double));
    GWRM_DEVICE(
        cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_memory())));
    const auto fit = [&](int n_blocks_of_cluster) {
      return n_resident_clusters(kernel(), n_blocks_of_cluster, DirectLaunch::threads, memory_) >= n;
    };
    while (cluster_ < DirectLaunch::max_cluster && 2 * cluster_ <= shape.n_rows && fit(2 * cluster_)) cluster_ *= 2;
  }

  std::size_t workspace_bytes() const override { return 0; }

  void multiply(const Real* a, const Real* b, Real* c, void*) const override {
    const Index kMaxItems = 65535 / cluster_;  // of a grid's third extent
    const Index size = static_cast<Index>(shape_.n_rows) * shape_.n;
    for (Index item = 0; item < batch_; item += kMaxItems) {
      const int n_items = static_cast<int>(std::min(kMaxItems, batch_ - item));
      const dim3 grid(blocks_for(shape_.n_rows, large_ ? 16 * kLargeRows : 16),
                      blocks_for(shape_.n, large_ ? 8 * kColumns : 8), static_cast<unsigned>(cluster_ * n_items));
      launch_early(handles_.stream, kernel(), grid, DirectLaunch::threads, memory_, cluster_, a + item * size,
                   b + item * size, c + item * size, shape_);
    }
  }

 private:
  static constexpr int kLargeRows = n_outer < 3 ? 2 : 1, kColumns = 4;

  auto kernel() const {
    return large_ ? direct_kernel<n_outer, kLargeRows, kColumns, Real> : direct_kernel<n_outer, 1, 1, Real>;
  }

  DeviceHandles& handles_;
  DirectShape shape_;
  Index batch_;
  bool large_ = false;
  int cluster_ = 1;
  std::size_t memory_ = 0;
};

}  // namespace

template <typename Real>
ProductPlanPointer<Real> direct_product(const Context& context, const Shape& shape, Index batch) {
  const Extents all = extents_of(shape);
  if (all.count == 1) return direct_line_product<Real>(context, shape, batch);
  if (direct_plane_serves(shape, batch)) return direct_plane_product<Real>(context, shape, batch);
  DirectShape s{all,
                static_cast<int>(element_count(shape) / shape.back()),
                all.n[all.count - 1],
                0,
                0,
                std::ldexp(1.0, -all.count)};
  s.outer.count = all.count - 1;
  s.chunk = std::min((s.n + 7) / 8 * 8, DirectLaunch::max_chunk);
  const auto b_bytes = [&] {
    return sizeof(double) * static_cast<std::size_t>(s.n_rows + 1) * at(b_row_length(s.chunk));
  };
  while (s.chunk > 0 && b_bytes() > memory_for_b()) s.chunk -= 8;
  const bool a_row_fits =
      static_cast<std::size_t>(a_row_length(s.n)) * sizeof(double) <= shared_memory() - memory_for_b();
  // Too many rows, too long rows or too many signs for shared memory and registers: sizes at which the sums are no
  // choice anyway.
  if (s.chunk < 8 || !a_row_fits || all.count > 4) return stride_product<Real>(context, shape, batch);
  if (all.count == 2) return std::make_unique<DirectProduct<1, Real>>(context, s, batch);
  if (all.count == 3) return std::make_unique<DirectProduct<2, Real>>(context, s, batch);
  return std::make_unique<DirectProduct<3, Real>>(context, s, batch);
}
template ProductPlanPointer<double> direct_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> direct_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
