// What a block of threads does to invert a complex matrix in place, together with products of matrices between
// (device_inverses.cuh).
//
// Contract: kernels/linear_algebra/wide_lu.hpp; inverses in place of factors, pivots of rows in place of columns
//
// Formula   Gauss and Jordan by panels of w columns, R the rows of the panel's pivots, moved to its place:
//             A_RR <- A_RR^{-1} = D,  A_R* <- D A_R*,  A_** <- A_** - A_*R D A_R*,  A_*R <- -A_*R D.
//           With W = (D; -A_*R D), what becomes of the panel, and Y the rows R with the unit matrix in the panel's
//           columns, this is A <- A' + W Y, where A' has zeros in the panel and in the rows R.
//           The result is X with X P = (D_r A D_c)^{-1}, so that A^{-1} = D_c X P D_r.
// Layout    n x n row-major; W: n x kPanelColumns; Y: w x n.
// Source    Higham, Accuracy and Stability of Numerical Algorithms, 14.4.
#pragma once

#include <cfloat>
#include <cmath>

namespace gwrm::cuda {

constexpr int kInverseThreads = 256;
constexpr int kPanelColumns = 16;

// What becomes of a matrix.
constexpr int kInverseRegular = 0, kInverseSingular = 1, kInverseNotFinite = 2;

// Of one block of threads, besides the panel.
struct InverseShared {
  double sizes[kInverseThreads / 32];
  int places[kInverseThreads / 32];
  int pivot;
};

// LAPACK's cabs1, as WideLu takes it; infinite where it is not a number.
__device__ inline double entry_size(const double2& z) {
  const double size = fabs(z.x) + fabs(z.y);
  return size <= DBL_MAX ? size : HUGE_VAL;
}

__device__ inline double power_of_two_near_inverse(double size) {
  if (!(size > 0.0) || !(size <= DBL_MAX)) return 1.0;
  int exponent = 0;
  frexp(size, &exponent);
  return ldexp(1.0, -exponent);
}

// a <- D_r a D_c: powers of two that bring the largest entry of every row, then of every column, near 1.
__device__ inline void scale_matrix(double2* a, int n, double* row_scale, double* column_scale, int* status) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  for (int i = thread / 32; i < n; i += kInverseThreads / 32) {
    double largest = 0.0;
    for (int j = lane; j < n; j += 32) largest = fmax(largest, entry_size(a[static_cast<long long>(i) * n + j]));
    for (int distance = 16; distance > 0; distance /= 2)
      largest = fmax(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
    if (lane == 0) {
      row_scale[i] = power_of_two_near_inverse(largest);
      if (!(largest <= DBL_MAX)) *status = kInverseNotFinite;
    }
  }
  __syncthreads();
  for (int j = thread; j < n; j += kInverseThreads) {
    double largest = 0.0;
    for (int i = 0; i < n; ++i)
      largest = fmax(largest, row_scale[i] * entry_size(a[static_cast<long long>(i) * n + j]));
    const double scale = power_of_two_near_inverse(largest);
    column_scale[j] = scale;
    for (int i = 0; i < n; ++i) {
      double2& entry = a[static_cast<long long>(i) * n + j];
      entry = double2{row_scale[i] * scale * entry.x, row_scale[i] * scale * entry.y};
    }
  }
}

// The largest of column c from row `first` on, the uppermost of several: its row, in shared.pivot.
__device__ inline void find_pivot(const double2* column, int n, int first, InverseShared& shared, int* status) {
  // What rounding leaves of a dependency among rows with entries near 1: n errors of DBL_EPSILON, of either sign.
  const double tiny_pivot = 4.0 * DBL_EPSILON * sqrt(static_cast<double>(n));
  const int thread = static_cast<int>(threadIdx.x);
  double largest = -1.0;
  int place = first;
  for (int r = first + thread; r < n; r += kInverseThreads) {
    const double size = entry_size(column[r]);
    if (size > largest) {
      largest = size;
      place = r;
    }
  }
  const auto take = [&](double size, int row) {
    if (size > largest || (size == largest && row < place)) {
      largest = size;
      place = row;
    }
  };
  for (int distance = 16; distance > 0; distance /= 2) {
    const double size = __shfl_xor_sync(0xffffffffu, largest, distance);
    const int row = __shfl_xor_sync(0xffffffffu, place, distance);
    take(size, row);
  }
  if (thread % 32 == 0) {
    shared.sizes[thread / 32] = largest;
    shared.places[thread / 32] = place;
  }
  __syncthreads();
  if (thread == 0) {
    for (int warp = 1; warp < kInverseThreads / 32; ++warp) take(shared.sizes[warp], shared.places[warp]);
    shared.pivot = place;
    if (*status == kInverseRegular && !(largest > tiny_pivot)) *status = kInverseSingular;
    if (*status == kInverseRegular && !(largest <= DBL_MAX)) *status = kInverseNotFinite;
  }
  __syncthreads();
}

// Columns first .. first + width - 1 go to `panel` (shared, column after column of n numbers), are eliminated, and go
// to w; in the matrix zeros are left.
__device__ inline void eliminate_panel(double2* a, int n, int first, int width, double2* panel, InverseShared& shared,
                                       double2* w, int* pivots, int* status) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int e = thread; e < n * width; e += kInverseThreads) {
    double2& entry = a[static_cast<long long>(e / width) * n + first + e % width];
    panel[e % width * n + e / width] = entry;
    entry = double2{0.0, 0.0};
  }
  __syncthreads();
  for (int c = 0; c < width; ++c) {
    const int d = first + c;
    double2* const column = panel + c * n;
    find_pivot(column, n, d, shared, status);
    const int pivot = shared.pivot;
    if (thread == 0) pivots[d] = pivot;
    if (thread < width && pivot != d) {
      const double2 kept = panel[thread * n + d];
      panel[thread * n + d] = panel[thread * n + pivot];
      panel[thread * n + pivot] = kept;
    }
    __syncthreads();
    // As LU does it, by factors of at most 1 and the row as it is, so that equal rows leave nothing.
    const double2 p = column[d];
    const double square = p.x * p.x + p.y * p.y, inverse_square = square > 0.0 ? 1.0 / square : 0.0;
    for (int r = thread; r < n; r += kInverseThreads) {
      if (r == d) continue;
      const double2 a_rc = column[r];
      const double2 f{(a_rc.x * p.x + a_rc.y * p.y) * inverse_square, (a_rc.y * p.x - a_rc.x * p.y) * inverse_square};
      for (int j = 0; j < width; ++j) {
        if (j == c) continue;
        const double2 y = panel[j * n + d];
        double2& entry = panel[j * n + r];
        entry = double2{entry.x - (f.x * y.x - f.y * y.y), entry.y - (f.x * y.y + f.y * y.x)};
      }
      column[r] = double2{-f.x, -f.y};
    }
    __syncthreads();
    if (thread < width) {
      const double2 inverse{p.x * inverse_square, -p.y * inverse_square};
      double2& entry = panel[thread * n + d];
      entry = thread == c
                  ? inverse
                  : double2{inverse.x * entry.x - inverse.y * entry.y, inverse.x * entry.y + inverse.y * entry.x};
    }
    __syncthreads();
  }
  for (int e = thread; e < n * width; e += kInverseThreads)
    w[e / width * kPanelColumns + e % width] = panel[e % width * n + e / width];
}

// The rows of the panel's pivots go to its place, from there to y, and leave zeros.
__device__ inline void move_pivot_rows(double2* a, int n, int first, int width, const int* pivots, double2* y) {
  for (int j = static_cast<int>(threadIdx.x); j < n; j += kInverseThreads) {
    for (int d = first; d < first + width; ++d) {
      if (pivots[d] == d) continue;
      double2 &one = a[static_cast<long long>(d) * n + j], &other = a[static_cast<long long>(pivots[d]) * n + j];
      const double2 kept = one;
      one = other;
      other = kept;
    }
    const bool in_panel = j >= first && j < first + width;
    for (int d = first; d < first + width; ++d) {
      double2& entry = a[static_cast<long long>(d) * n + j];
      y[(d - first) * n + j] = in_panel ? double2{j == d ? 1.0 : 0.0, 0.0} : entry;
      entry = double2{0.0, 0.0};
    }
  }
}

// a <- D_c a P D_r. row, order: shared, n numbers each.
__device__ inline void finish_inverse(double2* a, int n, const int* pivots, const double* row_scale,
                                      const double* column_scale, double2* row, int* order, int* status) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < n; i += kInverseThreads) order[i] = i;
  __syncthreads();
  if (thread == 0)
    for (int i = 0; i < n; ++i) {
      const int kept = order[i];
      order[i] = order[pivots[i]];
      order[pivots[i]] = kept;
    }
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    for (int j = thread; j < n; j += kInverseThreads) row[j] = a[static_cast<long long>(i) * n + j];
    __syncthreads();
    for (int j = thread; j < n; j += kInverseThreads) {
      const int place = order[j];
      const double scale = column_scale[i] * row_scale[place];
      const double2 value{scale * row[j].x, scale * row[j].y};
      if (!(entry_size(value) <= DBL_MAX) && *status == kInverseRegular) *status = kInverseSingular;
      a[static_cast<long long>(i) * n + place] = value;
    }
  }
}

}  // namespace gwrm::cuda
