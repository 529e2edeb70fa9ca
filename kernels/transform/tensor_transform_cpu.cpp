#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <optional>

#include "core/blas.hpp"
#include "core/buffer.hpp"
#include "core/parallel_loop.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/complex_transform.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm::cpu {
namespace {

// Pieces of work for the threads: rows of the tensor where the treated dimension is the last one, else columns behind
// it. Small enough that the temporary halves stay in the second-level cache.
constexpr Index kRowsOfPiece = 256;
constexpr Index kColumnsOfPiece = 1024;
constexpr double kWorthThreads =
    5e6;  // multiply-adds, a fraction of a millisecond: below, waking threads may cost more

// A piece of the product along one dimension: x and y are its first entries, n and m the extents of the tensors along
// the dimension, and so the distances of rows where the dimension is the last one. Otherwise rows lie `inner` apart.
// beta: 0 overwrites y, 1 adds to it (dense blocks only).
struct ColumnPiece {
  const double* x;
  double* y;
  Index outer, n, m, inner, width;
  double beta;
};

// Room for the halves of a piece, and for a transposed matrix; every thread keeps its own.
struct Halves {
  Buffer first, second, third, transposed;
};
Halves& halves() {
  return thread_scratch<Halves>();
}

// OpenBLAS multiplies small matrices without a pass that sets the result to zero first, but none with a transposed
// right factor: 23 to 28 GF/s then, 34 to 43 with the factor turned over here (256 x 31 x 21 and alike; above the limit
// there is no difference).
constexpr double kSmallProduct = 1e6;  // multiply-adds
constexpr Index kRowsWorthTurning = 16;

void gemm(bool transpose_b, Index m, Index n, Index k, double factor, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc) {
  if (transpose_b && m >= kRowsWorthTurning &&
      static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) <= kSmallProduct) {
    double* turned = halves().transposed.reserve(n * k);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < k; ++i) turned[i * n + j] = b[j * ldb + i];
    b = turned;
    ldb = n;
    transpose_b = false;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), factor, a, static_cast<int>(lda), b, static_cast<int>(ldb),
              beta, c, static_cast<int>(ldc));
}

// y (+)= factor A x
void apply_dense(const Matrix& a, double factor, const ColumnPiece& p) {
  if (p.inner == 1)  // y = x A^T in one product
    gemm(true, p.outer, a.rows(), a.cols(), factor, p.x, p.n, a.data(), a.cols(), p.beta, p.y, p.m);
  else
    gemm(false, a.rows(), p.width, a.cols(), factor, a.data(), a.cols(), p.x, p.inner, p.beta, p.y, p.inner);
}

// Every other entry of each row, from `first` on: n_rows x count.
GWRM_VECTOR_CLONES void pack(const double* x, Index distance, Index n_rows, Index first, Index count, double* packed) {
  for (Index r = 0; r < n_rows; ++r)
    for (Index k = 0; k < count; ++k) packed[r * count + k] = x[r * distance + first + 2 * k];
}
GWRM_VECTOR_CLONES void unpack(const double* packed, Index n_rows, Index count, Index first, double* y,
                               Index distance) {
  for (Index r = 0; r < n_rows; ++r)
    for (Index k = 0; k < count; ++k) y[r * distance + first + 2 * k] = packed[r * count + k];
}

// y_j = e_j + o_j, y_{m-1-j} = s (e_j - o_j) for j < half, along rows of y ...
GWRM_VECTOR_CLONES void join_along_rows(const double* e, const double* o, double s, Index n_rows, Index half, Index m,
                                        double* y, Index distance) {
  for (Index r = 0; r < n_rows; ++r) {
    const double *re = e + r * half, *ro = o + r * half;
    double* row = y + r * distance;
    for (Index j = 0; j < half; ++j) row[j] = re[j] + ro[j];
    for (Index j = 0; j < m - half; ++j) row[m - 1 - j] = s * (re[j] - ro[j]);
  }
}
// ... and across them.
GWRM_VECTOR_CLONES void join_rows(const double* e, const double* o, double s, Index half, Index width, Index m,
                                  double* y, Index distance) {
  for (Index j = 0; j < half; ++j) {
    const double *re = e + j * width, *ro = o + j * width;
    double *row = y + j * distance, *mirrored = y + (m - 1 - j) * distance;
    if (row == mirrored) {
      for (Index i = 0; i < width; ++i) row[i] = re[i] + ro[i];
      continue;
    }
    for (Index i = 0; i < width; ++i) {
      row[i] = re[i] + ro[i];
      mirrored[i] = s * (re[i] - ro[i]);
    }
  }
}

// p_j = x_j + s x_{n-1-j}, q_j = x_j - s x_{n-1-j}, a point in the middle once in both; along rows of x ...
GWRM_VECTOR_CLONES void divide_along_rows(const double* x, Index distance, double s, Index n_rows, Index half, Index n,
                                          double* p, double* q) {
  for (Index r = 0; r < n_rows; ++r) {
    const double* row = x + r * distance;
    double *u = p + r * half, *v = q + r * half;
    for (Index j = 0; j < n - half; ++j) {
      u[j] = row[j] + s * row[n - 1 - j];
      v[j] = row[j] - s * row[n - 1 - j];
    }
    if (n - half < half) u[half - 1] = v[half - 1] = row[half - 1];
  }
}
// ... and across them.
GWRM_VECTOR_CLONES void divide_rows(const double* x, Index distance, double s, Index half, Index width, Index n,
                                    double* p, double* q) {
  for (Index j = 0; j < half; ++j) {
    const double *row = x + j * distance, *mirrored = x + (n - 1 - j) * distance;
    const double sign = row == mirrored ? 0.0 : s;
    double *u = p + j * width, *v = q + j * width;
    for (Index i = 0; i < width; ++i) {
      u[i] = row[i] + sign * mirrored[i];
      v[i] = row[i] - sign * mirrored[i];
    }
  }
}

// y = factor A x with m = A.rows()
void apply_synthesis(const ParitySplit& split, double factor, const ColumnPiece& p, Index m) {
  const Index half = split.even.rows(), n_even = split.even.cols(), n_odd = split.odd.cols();
  const bool last = p.inner == 1;
  const Index width = last ? half : p.width, rows = last ? p.outer : half;
  double *e = halves().first.reserve(rows * width), *o = halves().second.reserve(rows * width);
  if (last) {
    double* packed = halves().third.reserve(p.outer * n_even);
    pack(p.x, p.n, p.outer, 0, n_even, packed);
    gemm(false, p.outer, half, n_even, factor, packed, n_even, split.even_turned.data(), half, 0.0, e, half);
    pack(p.x, p.n, p.outer, 1, n_odd, packed);
    gemm(false, p.outer, half, n_odd, factor, packed, n_odd, split.odd_turned.data(), half, 0.0, o, half);
    join_along_rows(e, o, split.sign, p.outer, half, m, p.y, p.m);
    return;
  }
  gemm(false, half, width, n_even, factor, split.even.data(), n_even, p.x, 2 * p.inner, 0.0, e, width);
  gemm(false, half, width, n_odd, factor, split.odd.data(), n_odd, p.x + p.inner, 2 * p.inner, 0.0, o, width);
  join_rows(e, o, split.sign, half, width, m, p.y, p.inner);
}

// y = factor A x with n = A.cols()
void apply_analysis(const ParitySplit& split, double factor, const ColumnPiece& p, Index n) {
  const Index half = split.even.cols(), n_even = split.even.rows(), n_odd = split.odd.rows();
  const bool last = p.inner == 1;
  const Index rows = last ? p.outer : half, width = last ? half : p.width;
  double *plus = halves().first.reserve(rows * width), *minus = halves().second.reserve(rows * width);
  if (last) {
    divide_along_rows(p.x, p.n, split.sign, p.outer, half, n, plus, minus);
    double* packed = halves().third.reserve(p.outer * n_even);
    gemm(false, p.outer, n_even, half, factor, plus, half, split.even_turned.data(), n_even, 0.0, packed, n_even);
    unpack(packed, p.outer, n_even, 0, p.y, p.m);
    gemm(false, p.outer, n_odd, half, factor, minus, half, split.odd_turned.data(), n_odd, 0.0, packed, n_odd);
    unpack(packed, p.outer, n_odd, 1, p.y, p.m);
    return;
  }
  divide_rows(p.x, p.inner, split.sign, half, width, n, plus, minus);
  gemm(false, n_even, width, half, factor, split.even.data(), half, plus, width, 0.0, p.y, 2 * p.inner);
  gemm(false, n_odd, width, half, factor, split.odd.data(), half, minus, width, 0.0, p.y + p.inner, 2 * p.inner);
}

// y[o, row + j, i] = factor sum_k A[j,k] x[o, column + k, i] (+ what is there, with beta = 1), o over the dimensions
// before the one treated and i over those behind it; n and m are the extents of x and y along it.
void apply_block(const Matrix& a, const ParitySplit* split, double factor, Index row, Index column, const double* x,
                 double* y, const AroundDimension& around, Index n, Index m, double beta) {
  const Index inner = around.inner, piece = inner == 1 ? kRowsOfPiece : kColumnsOfPiece;
  const Index per_outer = inner == 1 ? 1 : (inner + piece - 1) / piece;
  const Index n_pieces = inner == 1 ? (around.outer + piece - 1) / piece : around.outer * per_outer;
  const double work = static_cast<double>(a.size()) * static_cast<double>(around.outer * inner);
  const bool in_threads = work > kWorthThreads && n_pieces > 1 && omp_get_max_threads() > 1 && omp_in_parallel() == 0;
  std::optional<SingleThreadedBlas> single;
  if (in_threads) single.emplace();
  for_each_index(n_pieces, in_threads, omp_get_max_threads(), [&](Index t) {
    ColumnPiece p{x + column * inner, y + row * inner, 1, n, m, inner, 1, beta};
    if (inner == 1) {
      p.outer = std::min(piece, around.outer - t * piece);
      p.x += t * piece * n;
      p.y += t * piece * m;
    } else {
      const Index o = t / per_outer, first = t % per_outer * piece;
      p.width = std::min(piece, inner - first);
      p.x += o * n * inner + first;
      p.y += o * m * inner + first;
    }
    if (split == nullptr || beta != 0.0)
      apply_dense(a, factor, p);
    else if (split->kind == ParitySplit::Kind::synthesis)
      apply_synthesis(*split, factor, p, a.rows());
    else
      apply_analysis(*split, factor, p, a.cols());
  });
}

// Whether the blocks, in their order, cover every row once: then nothing has to be added up.
bool covers_rows_once(const BlockMatrix& matrix) {
  Index next = 0;
  for (const MatrixBlock& block : matrix.blocks) {
    if (block.row != next) return false;
    next += block.matrix->rows();
  }
  return next == matrix.rows;
}

Array with_extent(const Array& x, std::size_t dimension, Index extent) {
  Shape shape = x.shape;
  shape[dimension] = extent;
  return Array(std::move(shape));
}

}  // namespace

Array tensor_transform(const Array& x, std::span<const Matrix* const> matrices) {
  Array y;
  const Array* last = &x;
  for (std::size_t dimension : tensor_transform_order(x.shape, matrices)) {
    const Matrix& a = *matrices[dimension];
    Array next = with_extent(*last, dimension, a.rows());
    apply_block(a, nullptr, 1.0, 0, 0, last->data.data(), next.data.data(), AroundDimension(last->shape, dimension),
                a.cols(), a.rows(), 0.0);
    y = std::move(next);
    last = &y;
  }
  return last == &x ? x : y;
}

Array block_transform(const Array& x, std::size_t dimension, const BlockMatrix& matrix) {
  Array y = with_extent(x, dimension, matrix.rows);
  block_transform(x.data.data(), x.shape, dimension, matrix, y.data.data());
  return y;
}

void block_transform(const double* x, const Shape& shape, std::size_t dimension, const BlockMatrix& matrix, double* y) {
  const AroundDimension around(shape, dimension);
  if (matrix.identity) {
    std::copy_n(x, element_count(shape), y);
    return;
  }
  const bool overwrite = covers_rows_once(matrix);
  if (!overwrite) std::fill_n(y, around.outer * matrix.rows * around.inner, 0.0);
  if (overwrite && matrix.blocks.size() == 1 && matrix.blocks.front().series != nullptr) {
    const MatrixBlock& only = matrix.blocks.front();
    only.series->apply(only.factor, x, around.outer, around.inner, y);
    return;
  }
  for (const MatrixBlock& block : matrix.blocks)
    apply_block(*block.matrix, block.split.get(), block.factor, block.row, block.column, x, y, around, matrix.cols,
                matrix.rows, overwrite ? 0.0 : 1.0);
}

}  // namespace gwrm::cpu
