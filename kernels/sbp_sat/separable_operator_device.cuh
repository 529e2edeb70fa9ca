// The separable operator on the device, and the schedule of its kernels: a thread takes one column of the grid and
// walks along the slow dimension; what it needs of its own column stays in registers, its neighbours' values are in the
// cache.
//
// Contract: kernels/sbp_sat/separable_operator.hpp
#pragma once

#include "core/device_handles.cuh"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm::cuda {

constexpr int kWarpSize = 32;
constexpr int kMaxEntries = 7;  // of an interior row: 2 half + 1 with half <= 3

struct DeviceRows {
  int n, n_closure, interior_end, closure_width;
  double interior[kMaxEntries];
  double interior_weight, interior_diagonal, interior_sum;
  const double *first, *last;               // closures, as in StencilRows
  const double *weights, *diagonal, *sums;  // n values each

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
  // The same of row i from differences, as in cpu::separable_residual(); here = value(i).
  template <int half, class Value>
  __device__ double row_of_differences(int i, double here, Value value) const {
    const auto difference = [&](int k) { return value(k) - here; };
    if (!is_interior(i)) return sums[i] * here + closure_row(i, difference);
    double sum = interior_sum * here;
#pragma unroll
    for (int k = 1; k <= half; ++k)
      sum += interior[half - k] * difference(i - k) + interior[half + k] * difference(i + k);
    return sum;
  }
};

struct DeviceSeparable {
  DeviceRows slow, fast;
  double interior_inverse_diagonal;

  __host__ __device__ long long size() const { return static_cast<long long>(slow.n) * fast.n; }
  __device__ long long place(int j, int i) const { return static_cast<long long>(j) * fast.n + i; }
  __device__ double diagonal(int j, int i) const {
    return slow.diagonal_entry(j) * fast.weight(i) + slow.weight(j) * fast.diagonal_entry(i);
  }
  __device__ double inverse_diagonal(int j, int i) const {
    if (slow.is_interior(j) && fast.is_interior(i)) return interior_inverse_diagonal;  // divisions are slow
    return 1.0 / diagonal(j, i);
  }
};

// The tables of an operator in device memory. ShapeError if its stencils are of other widths than with_schedule() has.
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

// Rows that a thread treats at once: all their values are on the way before the first is used. 4 keep the chip full on
// grids of a million points, 8 read less twice where the memory is the limit.
constexpr int kFewRows = 4, kManyRows = 8;
inline int rows_per_thread(const DeviceSeparable& a) {
  return a.size() < 4000000 ? kFewRows : kManyRows;
}
inline dim3 walk_grid(const DeviceSeparable& a) {
  const int rows = rows_per_thread(a);
  return dim3(static_cast<unsigned>((a.fast.n + kColumns - 1) / kColumns),
              static_cast<unsigned>((a.slow.n + rows - 1) / rows));
}

// Calls finish(j, i, u, (A u)(j, i), load(j, i)) for all points of the block; read(j, i) gives u. A thread takes `rows`
// points of one column; neighbours in its row come from the neighbouring threads. All threads of the block call it.
template <int half, int rows, class Read, class Load, class Finish>
__device__ void walk(const DeviceSeparable& a, Read read, Load load, Finish finish) {
  const int column = static_cast<int>(blockIdx.x * kColumns + threadIdx.x), lane = threadIdx.x % kWarpSize;
  const bool is_point = column < a.fast.n;
  const int i = is_point ? column : a.fast.n - 1;  // threads beyond the end repeat the last column
  const int begin = static_cast<int>(blockIdx.y) * rows;
  const bool interior_column = a.fast.is_interior(i);
  double u[rows + 2 * half];
#pragma unroll
  for (int k = 0; k < rows + 2 * half; ++k) {
    const int j = begin - half + k;
    u[k] = j >= 0 && j < a.slow.n ? read(j, i) : 0.0;
  }
  decltype(load(0, 0)) loaded[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) loaded[row] = load(min(begin + row, a.slow.n - 1), i);
  double along_fast[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const int j = min(begin + row, a.slow.n - 1);
    const double here = u[row + half];
    double sum = a.fast.interior[half] * here;
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      double left = __shfl_up_sync(0xffffffffu, here, k), right = __shfl_down_sync(0xffffffffu, here, k);
      if (interior_column && lane < k) left = read(j, i - k);
      if (interior_column && lane + k >= kWarpSize) right = read(j, i + k);
      sum += a.fast.interior[half - k] * left + a.fast.interior[half + k] * right;
    }
    along_fast[row] = interior_column ? sum : a.fast.closure_row(i, [&](int k) { return read(j, k); });
  }
  const double weight = a.fast.weight(i);
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const int j = begin + row;
    if (!is_point || j >= a.slow.n) continue;
    double along_slow = 0.0;
    if (a.slow.is_interior(j)) {
#pragma unroll
      for (int k = 0; k <= 2 * half; ++k) along_slow += a.slow.interior[k] * u[row + k];
    } else {
      along_slow = a.slow.closure_row(j, [&](int k) { return read(k, i); });
    }
    finish(j, i, u[row + half], weight * along_slow + a.slow.weight(j) * along_fast[row], loaded[row]);
  }
}

struct Nothing {};  // to load

// q = A u of vectors on the device.
void apply_on_device(DeviceHandles& handles, const DeviceSeparableTables& a, const double* u, double* q);

// Calls launch(half, rows) with both as std::integral_constant.
template <class Launch>
void with_schedule(const DeviceSeparable& a, int half, Launch launch) {
  const auto with_rows = [&](auto chosen_half) {
    if (rows_per_thread(a) == kFewRows)
      launch(chosen_half, std::integral_constant<int, kFewRows>());
    else
      launch(chosen_half, std::integral_constant<int, kManyRows>());
  };
  if (half == 1) with_rows(std::integral_constant<int, 1>());
  if (half == 2) with_rows(std::integral_constant<int, 2>());
  if (half == 3) with_rows(std::integral_constant<int, 3>());
}

}  // namespace gwrm::cuda
