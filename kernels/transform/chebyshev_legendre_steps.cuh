// The direct connection of Chebyshev and Legendre coefficients on the device: a product with a triangular matrix whose
// entries are made where they are used.
//
// Contract: kernels/transform/chebyshev_legendre.hpp; x and y must not overlap.
//
// Even and odd rows are products of their own. A block has kTile rows of one parity and kColumns columns of the batch;
// for kTile terms at a time it makes the entries in shared memory, one for each pair of row and term, fetches the
// numbers of the columns, and every thread adds up 4 x 4 sums in registers. The terms of a tile are added up before
// they join the others.
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

namespace gwrm::connection {

inline constexpr int kTile = 32;      // rows of a block, terms at once
inline constexpr int kColumns = 64;   // of a block
inline constexpr int kThreads = 128;  // a thread 4 rows and 4 columns
// Of shared memory: the entries [term][row], the numbers [term][column].
inline constexpr int kSharedNumbers = kTile * (kTile + kColumns);

// ChebyshevLegendrePlan in device memory; first_row null if there is none.
struct ConnectionMatrix {
  const double *toeplitz, *hankel, *after, *before, *first_row;
  int n;

  __host__ __device__ int half(int parity) const { return (n + 1 - parity) / 2; }
  // R_ij of i = 2a + parity, j = 2b + parity.
  __device__ double entry(int parity, int a, int b) const {
    if (b < a || b >= half(parity)) return 0.0;
    if (first_row != nullptr && parity == 0 && a == 0) return first_row[b];
    return after[2 * a + parity] * (toeplitz[b - a] * hankel[a + b + parity]) * before[2 * b + parity];
  }
};

// Tensors outer x n x inner.
struct ConnectedColumns {
  const double* x;
  double* y;
  long long n_columns, inner;

  __host__ __device__ long long start(long long column, int n) const {
    return column / inner * n * inner + column % inner;
  }
};

// Rows of one parity from `first_row` on, columns from first_column on; y = R x, or R^T x.
template <bool kTransposed>
__device__ void connect_tile(const ConnectionMatrix& matrix, const ConnectedColumns& columns, int parity, int first_row,
                             long long first_column, double* shared) {
  double *entries = shared, *numbers = shared + kTile * kTile;
  const int thread = static_cast<int>(threadIdx.x), n = matrix.half(parity);
  const int of_row = thread / 16 * 4, of_column = thread % 16;
  const int begin = kTransposed ? 0 : first_row, last = first_row + kTile < n ? first_row + kTile : n,
            end = kTransposed ? last : n;
  double totals[4][4] = {};
  for (int part = begin; part < end; part += kTile) {
#pragma unroll 4
    for (int i = thread; i < kTile * kTile; i += kThreads) {
      const int term = i / kTile, row = i % kTile;
      entries[i] = kTransposed ? matrix.entry(parity, part + term, first_row + row)
                               : matrix.entry(parity, first_row + row, part + term);
    }
    // Neighbouring threads read neighbours in memory.
    const auto fetch = [&](int term, int column, const double* x) {
      const bool exists = part + term < n && first_column + column < columns.n_columns;
      numbers[term * kColumns + column] = exists ? x[(2 * (part + term) + parity) * columns.inner] : 0.0;
    };
    if (columns.inner == 1) {
#pragma unroll 4
      for (int column = thread / kTile; column < kColumns; column += kThreads / kTile)
        fetch(thread % kTile, column, columns.x + (first_column + column) * matrix.n);
    } else {
      const int column = thread % kColumns;
      const double* x = columns.x + columns.start(first_column + column, matrix.n);
#pragma unroll 4
      for (int term = thread / kColumns; term < kTile; term += kThreads / kColumns) fetch(term, column, x);
    }
    __syncthreads();
    double sums[4][4] = {};
#pragma unroll 4
    for (int term = 0; term < kTile; ++term) {
      double e[4], x[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        e[k] = entries[term * kTile + of_row + k];
        x[k] = numbers[term * kColumns + of_column + 16 * k];  // neighbours in neighbouring banks
      }
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[r][c] += e[r] * x[c];
    }
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 4; ++c) totals[r][c] += sums[r][c];
    __syncthreads();
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const long long column = first_column + of_column + 16 * c;
    double* y = columns.y + columns.start(column, matrix.n) + parity * columns.inner;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int row = first_row + of_row + r;
      if (row < n && column < columns.n_columns) y[2 * row * columns.inner] = totals[r][c];
    }
  }
}

}  // namespace gwrm::connection
