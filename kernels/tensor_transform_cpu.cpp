#include <cblas.h>

#include <algorithm>

#include "kernels/complex_transform.hpp"
#include "kernels/tensor_transform.hpp"

namespace gwrm::cpu {
namespace {

// Pieces of work for the threads: rows of the tensor where the treated dimension is the last one, else columns behind
// it. Small enough that the temporary halves stay in the second-level cache.
constexpr Index kRowsOfPiece = 256;
constexpr Index kColumnsOfPiece = 1024;
constexpr double kWorthThreads = 1e8;  // multiply-adds, some milliseconds: below, waking threads may cost more

// A piece of the product along one dimension: x and y are its first entries, n and m the extents of the tensors along
// the dimension, and so the distances of rows where the dimension is the last one. Otherwise rows lie `inner` apart.
struct Piece {
  const double* x;
  double* y;
  Index outer, n, m, inner, width;
};

void gemm(bool transpose_b, Index m, Index n, Index k, double factor, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), factor, a, static_cast<int>(lda), b, static_cast<int>(ldb),
              beta, c, static_cast<int>(ldc));
}

// y += factor A x
void add_dense(const Matrix& a, double factor, const Piece& p) {
  if (p.inner == 1)  // y = x A^T in one product
    gemm(true, p.outer, a.rows(), a.cols(), factor, p.x, p.n, a.data(), a.cols(), 1.0, p.y, p.m);
  else
    gemm(false, a.rows(), p.width, a.cols(), factor, a.data(), a.cols(), p.x, p.inner, 1.0, p.y, p.inner);
}

// Every other entry of each row, from `first` on: n_rows x count.
void pack(const double* x, Index distance, Index n_rows, Index first, Index count, double* packed) {
  for (Index r = 0; r < n_rows; ++r)
    for (Index k = 0; k < count; ++k) *packed++ = x[r * distance + first + 2 * k];
}

void add_synthesis(const ParitySplit& split, double factor, const Piece& p, Index m) {
  const Index half = split.even.rows(), n_even = split.even.cols(), n_odd = split.odd.cols();
  const bool last = p.inner == 1;
  const Index width = last ? half : p.width, rows = last ? p.outer : half;
  std::vector<double> e(static_cast<std::size_t>(rows * width)), o(e.size());
  if (last) {
    std::vector<double> packed(static_cast<std::size_t>(p.outer * n_even));
    pack(p.x, p.n, p.outer, 0, n_even, packed.data());
    gemm(true, p.outer, half, n_even, factor, packed.data(), n_even, split.even.data(), n_even, 0.0, e.data(), half);
    pack(p.x, p.n, p.outer, 1, n_odd, packed.data());
    gemm(true, p.outer, half, n_odd, factor, packed.data(), n_odd, split.odd.data(), n_odd, 0.0, o.data(), half);
    for (Index r = 0; r < p.outer; ++r) {
      double* y = p.y + r * p.m;
      const double *re = e.data() + r * half, *ro = o.data() + r * half;
      for (Index j = 0; j < half; ++j) y[j] += re[j] + ro[j];
      for (Index j = 0; j < m - half; ++j) y[m - 1 - j] += split.sign * (re[j] - ro[j]);
    }
    return;
  }
  gemm(false, half, width, n_even, factor, split.even.data(), n_even, p.x, 2 * p.inner, 0.0, e.data(), width);
  gemm(false, half, width, n_odd, factor, split.odd.data(), n_odd, p.x + p.inner, 2 * p.inner, 0.0, o.data(), width);
  for (Index j = 0; j < half; ++j) {
    double *y = p.y + j * p.inner, *mirrored = p.y + (m - 1 - j) * p.inner;
    const double *re = e.data() + j * width, *ro = o.data() + j * width;
    for (Index i = 0; i < width; ++i) y[i] += re[i] + ro[i];
    if (mirrored == y) continue;
    for (Index i = 0; i < width; ++i) mirrored[i] += split.sign * (re[i] - ro[i]);
  }
}

void add_analysis(const ParitySplit& split, double factor, const Piece& p, Index n) {
  const Index half = split.even.cols(), n_even = split.even.rows(), n_odd = split.odd.rows();
  const bool last = p.inner == 1;
  const Index rows = last ? p.outer : half, width = last ? half : p.width;
  std::vector<double> plus(static_cast<std::size_t>(rows * width)), minus(plus.size());
  if (last) {
    for (Index r = 0; r < p.outer; ++r) {
      const double* x = p.x + r * p.n;
      double *u = plus.data() + r * half, *v = minus.data() + r * half;
      for (Index j = 0; j < n - half; ++j) {
        u[j] = x[j] + split.sign * x[n - 1 - j];
        v[j] = x[j] - split.sign * x[n - 1 - j];
      }
      if (n - half < half) u[half - 1] = v[half - 1] = x[half - 1];
    }
    std::vector<double> result(static_cast<std::size_t>(p.outer * n_even));
    gemm(true, p.outer, n_even, half, factor, plus.data(), half, split.even.data(), half, 0.0, result.data(), n_even);
    for (Index r = 0; r < p.outer; ++r)
      for (Index k = 0; k < n_even; ++k) p.y[r * p.m + 2 * k] += result[static_cast<std::size_t>(r * n_even + k)];
    gemm(true, p.outer, n_odd, half, factor, minus.data(), half, split.odd.data(), half, 0.0, result.data(), n_odd);
    for (Index r = 0; r < p.outer; ++r)
      for (Index k = 0; k < n_odd; ++k) p.y[r * p.m + 2 * k + 1] += result[static_cast<std::size_t>(r * n_odd + k)];
    return;
  }
  for (Index j = 0; j < half; ++j) {
    const double *x = p.x + j * p.inner, *mirrored = p.x + (n - 1 - j) * p.inner;
    const double s = mirrored == x ? 0.0 : split.sign;
    double *u = plus.data() + j * width, *v = minus.data() + j * width;
    for (Index i = 0; i < width; ++i) {
      u[i] = x[i] + s * mirrored[i];
      v[i] = x[i] - s * mirrored[i];
    }
  }
  gemm(false, n_even, width, half, factor, split.even.data(), half, plus.data(), width, 1.0, p.y, 2 * p.inner);
  gemm(false, n_odd, width, half, factor, split.odd.data(), half, minus.data(), width, 1.0, p.y + p.inner, 2 * p.inner);
}

// y[o, row + j, i] += factor sum_k A[j,k] x[o, column + k, i] with o over the dimensions before the one treated and i
// over those behind it; n and m are the extents of x and y along it.
void add_block(const Matrix& a, const ParitySplit* split, double factor, Index row, Index column, const double* x,
               double* y, const AroundDimension& around, Index n, Index m) {
  const Index inner = around.inner, piece = inner == 1 ? kRowsOfPiece : kColumnsOfPiece;
  const Index per_outer = inner == 1 ? 1 : (inner + piece - 1) / piece;
  const Index n_pieces = inner == 1 ? (around.outer + piece - 1) / piece : around.outer * per_outer;
  const double work = static_cast<double>(a.size()) * static_cast<double>(around.outer * inner);
#pragma omp parallel for schedule(static) if (work > kWorthThreads && n_pieces > 1)
  for (Index t = 0; t < n_pieces; ++t) {
    Piece p{x + column * inner, y + row * inner, 1, n, m, inner, 1};
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
    if (split == nullptr)
      add_dense(a, factor, p);
    else if (split->kind == ParitySplit::Kind::synthesis)
      add_synthesis(*split, factor, p, a.rows());
    else
      add_analysis(*split, factor, p, a.cols());
  }
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
    add_block(a, nullptr, 1.0, 0, 0, last->data.data(), next.data.data(), AroundDimension(last->shape, dimension),
              a.cols(), a.rows());
    y = std::move(next);
    last = &y;
  }
  return last == &x ? x : y;
}

Array block_transform(const Array& x, std::size_t dimension, const BlockMatrix& matrix) {
  Array y = with_extent(x, dimension, matrix.rows);
  const AroundDimension around(x.shape, dimension);
  for (const MatrixBlock& block : matrix.blocks)
    add_block(*block.matrix, block.split.get(), block.factor, block.row, block.column, x.data.data(), y.data.data(),
              around, matrix.cols, matrix.rows);
  return y;
}

}  // namespace gwrm::cpu
