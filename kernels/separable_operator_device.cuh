// The separable operator on the device, and the schedule of its kernels: a thread takes one column of the grid and
// walks along the slow dimension; what it needs of its own column stays in registers, its neighbours' values are in the
// cache.
#pragma once

#include "core/device_handles.cuh"
#include "kernels/separable_operator.hpp"

namespace gwrm::cuda {

constexpr int kMostEntries = 7;  // of an interior row: 2 half + 1 with half <= 3

struct DeviceRows {
  int n, n_closure, interior_end, closure_width;
  double interior[kMostEntries];
  double interior_weight, interior_diagonal;
  const double *first, *last;        // closures, as in StencilRows
  const double *weights, *diagonal;  // n values each

  __device__ bool is_interior(int i) const { return i >= n_closure && i < interior_end; }
  __device__ double weight(int i) const { return is_interior(i) ? interior_weight : weights[i]; }
  __device__ double diagonal_entry(int i) const { return is_interior(i) ? interior_diagonal : diagonal[i]; }
  // sum_k A[i, k] value(k) of a closure row.
  template <class Value>
  __device__ double closure_row(int i, Value value) const {
    const bool lower = i < n_closure;
    const double* row = lower ? first + i * closure_width : last + (i - interior_end) * closure_width;
    const int begin = lower ? 0 : n - closure_width;
    double sum = 0.0;
    for (int k = 0; k < closure_width; ++k) sum += row[k] * value(begin + k);
    return sum;
  }
};

struct DeviceSeparable {
  DeviceRows slow, fast;

  __host__ __device__ long long size() const { return static_cast<long long>(slow.n) * fast.n; }
  __device__ long long place(int j, int i) const { return static_cast<long long>(j) * fast.n + i; }
  __device__ double inverse_diagonal(int j, int i) const {
    return 1.0 / (slow.diagonal_entry(j) * fast.weight(i) + slow.weight(j) * fast.diagonal_entry(i));
  }
};

// The tables of an operator in device memory.
class DeviceSeparableTables {
 public:
  DeviceSeparableTables(const DeviceHandles& handles, const SeparableOperator& a);
  const DeviceSeparable& view() const { return view_; }
  int half() const { return half_; }

 private:
  DeviceBuffer memory_;
  DeviceSeparable view_;
  int half_;
};

constexpr int kColumns = 128;  // threads of a block: a row of 1 KB, read in whole lines

// Rows that a thread walks: few enough for 4 blocks on each of 132 multiprocessors at n = 1025, many enough that the
// rows read twice (2 half per walk) do not matter on large grids.
inline int rows_per_walk(long long size) {
  return size < 4000000 ? 16 : 32;
}
inline dim3 walk_grid(const DeviceSeparable& a) {
  const int rows = rows_per_walk(a.size());
  return dim3(static_cast<unsigned>((a.fast.n + kColumns - 1) / kColumns),
              static_cast<unsigned>((a.slow.n + rows - 1) / rows));
}

// Calls finish(j, i, u, (A u)(j, i)) for all points of the block's walk; read(j, i) gives u.
template <int half, class Read, class Finish>
__device__ void walk(const DeviceSeparable& a, int n_rows, Read read, Finish finish) {
  const int i = static_cast<int>(blockIdx.x * kColumns + threadIdx.x);
  if (i >= a.fast.n) return;
  const int begin = static_cast<int>(blockIdx.y) * n_rows, end = min(begin + n_rows, a.slow.n);
  const bool interior_column = a.fast.is_interior(i);
  const double weight = a.fast.weight(i);
  double window[2 * half + 1];
#pragma unroll
  for (int k = 0; k < 2 * half; ++k) {
    const int j = begin - half + k;
    window[k + 1] = j >= 0 && j < a.slow.n ? read(j, i) : 0.0;
  }
  for (int j = begin; j < end; ++j) {
#pragma unroll
    for (int k = 0; k < 2 * half; ++k) window[k] = window[k + 1];
    window[2 * half] = j + half < a.slow.n ? read(j + half, i) : 0.0;
    double along_slow = 0.0, along_fast = 0.0;
    if (a.slow.is_interior(j)) {
#pragma unroll
      for (int k = 0; k <= 2 * half; ++k) along_slow += a.slow.interior[k] * window[k];
    } else {
      along_slow = a.slow.closure_row(j, [&](int k) { return read(k, i); });
    }
    if (interior_column) {
#pragma unroll
      for (int k = 0; k <= 2 * half; ++k)
        along_fast += a.fast.interior[k] * (k == half ? window[half] : read(j, i + k - half));
    } else {
      along_fast = a.fast.closure_row(i, [&](int k) { return read(j, k); });
    }
    finish(j, i, window[half], weight * along_slow + a.slow.weight(j) * along_fast);
  }
}

// q = A u of vectors on the device.
void apply_on_device(DeviceHandles& handles, const DeviceSeparableTables& a, const double* u, double* q);

// Calls launch(std::integral_constant<int, half>).
template <class Launch>
void with_half(int half, Launch launch) {
  if (half == 1) launch(std::integral_constant<int, 1>());
  if (half == 2) launch(std::integral_constant<int, 2>());
  if (half == 3) launch(std::integral_constant<int, 3>());
}

}  // namespace gwrm::cuda
