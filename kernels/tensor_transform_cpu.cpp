#include <cblas.h>

#include <algorithm>

#include "core/buffer.hpp"
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
// beta: 0 overwrites y, 1 adds to it.
struct Piece {
  const double* x;
  double* y;
  Index outer, n, m, inner, width;
  double beta;
};

void gemm(bool transpose_b, Index m, Index n, Index k, double factor, const double* a, Index lda, const double* b,
          Index ldb, double beta, double* c, Index ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), factor, a, static_cast<int>(lda), b, static_cast<int>(ldb),
              beta, c, static_cast<int>(ldc));
}

// y (+)= factor A x
void apply_dense(const Matrix& a, double factor, const Piece& p) {
  if (p.inner == 1)  // y = x A^T in one product
    gemm(true, p.outer, a.rows(), a.cols(), factor, p.x, p.n, a.data(), a.cols(), p.beta, p.y, p.m);
  else
    gemm(false, a.rows(), p.width, a.cols(), factor, a.data(), a.cols(), p.x, p.inner, p.beta, p.y, p.inner);
}

// Room for the halves of a piece; every thread keeps its own.
struct Halves {
  Buffer first, second, third;
};
Halves& halves() {
  thread_local Halves own;
  return own;
}

// Runs `body` with what puts a value into y.
template <class Body>
void with_put(double beta, const Body& body) {
  if (beta == 0.0)
    body([](double& y, double value) { y = value; });
  else
    body([](double& y, double value) { y += value; });
}

// Every other entry of each row, from `first` on: n_rows x count.
void pack(const double* x, Index distance, Index n_rows, Index first, Index count, double* packed) {
  for (Index r = 0; r < n_rows; ++r)
    for (Index k = 0; k < count; ++k) *packed++ = x[r * distance + first + 2 * k];
}

void apply_synthesis(const ParitySplit& split, double factor, const Piece& p, Index m) {
  const Index half = split.even.rows(), n_even = split.even.cols(), n_odd = split.odd.cols();
  const bool last = p.inner == 1;
  const Index width = last ? half : p.width, rows = last ? p.outer : half;
  double *e = halves().first.reserve(rows * width), *o = halves().second.reserve(rows * width);
  if (last) {
    double* packed = halves().third.reserve(p.outer * n_even);
    pack(p.x, p.n, p.outer, 0, n_even, packed);
    gemm(true, p.outer, half, n_even, factor, packed, n_even, split.even.data(), n_even, 0.0, e, half);
    pack(p.x, p.n, p.outer, 1, n_odd, packed);
    gemm(true, p.outer, half, n_odd, factor, packed, n_odd, split.odd.data(), n_odd, 0.0, o, half);
    with_put(p.beta, [&](auto put) {
      for (Index r = 0; r < p.outer; ++r) {
        double* y = p.y + r * p.m;
        const double *re = e + r * half, *ro = o + r * half;
        for (Index j = 0; j < half; ++j) put(y[j], re[j] + ro[j]);
        for (Index j = 0; j < m - half; ++j) put(y[m - 1 - j], split.sign * (re[j] - ro[j]));
      }
    });
    return;
  }
  gemm(false, half, width, n_even, factor, split.even.data(), n_even, p.x, 2 * p.inner, 0.0, e, width);
  gemm(false, half, width, n_odd, factor, split.odd.data(), n_odd, p.x + p.inner, 2 * p.inner, 0.0, o, width);
  with_put(p.beta, [&](auto put) {
    for (Index j = 0; j < half; ++j) {
      double *y = p.y + j * p.inner, *mirrored = p.y + (m - 1 - j) * p.inner;
      const double *re = e + j * width, *ro = o + j * width;
      for (Index i = 0; i < width; ++i) put(y[i], re[i] + ro[i]);
      if (mirrored == y) continue;
      for (Index i = 0; i < width; ++i) put(mirrored[i], split.sign * (re[i] - ro[i]));
    }
  });
}

void apply_analysis(const ParitySplit& split, double factor, const Piece& p, Index n) {
  const Index half = split.even.cols(), n_even = split.even.rows(), n_odd = split.odd.rows();
  const bool last = p.inner == 1;
  const Index rows = last ? p.outer : half, width = last ? half : p.width;
  double *plus = halves().first.reserve(rows * width), *minus = halves().second.reserve(rows * width);
  if (last) {
    for (Index r = 0; r < p.outer; ++r) {
      const double* x = p.x + r * p.n;
      double *u = plus + r * half, *v = minus + r * half;
      for (Index j = 0; j < n - half; ++j) {
        u[j] = x[j] + split.sign * x[n - 1 - j];
        v[j] = x[j] - split.sign * x[n - 1 - j];
      }
      if (n - half < half) u[half - 1] = v[half - 1] = x[half - 1];
    }
    double* result = halves().third.reserve(p.outer * n_even);
    const auto place = [&](Index first, Index count) {
      with_put(p.beta, [&](auto put) {
        for (Index r = 0; r < p.outer; ++r)
          for (Index k = 0; k < count; ++k) put(p.y[r * p.m + first + 2 * k], result[r * count + k]);
      });
    };
    gemm(true, p.outer, n_even, half, factor, plus, half, split.even.data(), half, 0.0, result, n_even);
    place(0, n_even);
    gemm(true, p.outer, n_odd, half, factor, minus, half, split.odd.data(), half, 0.0, result, n_odd);
    place(1, n_odd);
    return;
  }
  for (Index j = 0; j < half; ++j) {
    const double *x = p.x + j * p.inner, *mirrored = p.x + (n - 1 - j) * p.inner;
    const double s = mirrored == x ? 0.0 : split.sign;
    double *u = plus + j * width, *v = minus + j * width;
    for (Index i = 0; i < width; ++i) {
      u[i] = x[i] + s * mirrored[i];
      v[i] = x[i] - s * mirrored[i];
    }
  }
  gemm(false, n_even, width, half, factor, split.even.data(), half, plus, width, p.beta, p.y, 2 * p.inner);
  gemm(false, n_odd, width, half, factor, split.odd.data(), half, minus, width, p.beta, p.y + p.inner, 2 * p.inner);
}

// y[o, row + j, i] = factor sum_k A[j,k] x[o, column + k, i] (+ what is there, with beta = 1), o over the dimensions
// before the one treated and i over those behind it; n and m are the extents of x and y along it.
void apply_block(const Matrix& a, const ParitySplit* split, double factor, Index row, Index column, const double* x,
                 double* y, const AroundDimension& around, Index n, Index m, double beta) {
  const Index inner = around.inner, piece = inner == 1 ? kRowsOfPiece : kColumnsOfPiece;
  const Index per_outer = inner == 1 ? 1 : (inner + piece - 1) / piece;
  const Index n_pieces = inner == 1 ? (around.outer + piece - 1) / piece : around.outer * per_outer;
  const double work = static_cast<double>(a.size()) * static_cast<double>(around.outer * inner);
#pragma omp parallel for schedule(static) if (work > kWorthThreads && n_pieces > 1)
  for (Index t = 0; t < n_pieces; ++t) {
    Piece p{x + column * inner, y + row * inner, 1, n, m, inner, 1, beta};
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
      apply_dense(a, factor, p);
    else if (split->kind == ParitySplit::Kind::synthesis)
      apply_synthesis(*split, factor, p, a.rows());
    else
      apply_analysis(*split, factor, p, a.cols());
  }
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
  for (const MatrixBlock& block : matrix.blocks)
    apply_block(*block.matrix, block.split.get(), block.factor, block.row, block.column, x, y, around, matrix.cols,
                matrix.rows, overwrite ? 0.0 : 1.0);
}

}  // namespace gwrm::cpu
