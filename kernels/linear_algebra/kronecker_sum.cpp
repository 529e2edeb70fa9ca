#include "kernels/linear_algebra/kronecker_sum.hpp"

#include <cblas.h>

#include <algorithm>

#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr Index kBlock = 32;  // entries whose contributions are subtracted together

// y -= a x, n complex numbers.
template <class Real>
GWRM_INLINE void subtract_multiple(Index n, std::complex<Real> a, const std::complex<Real>* x, std::complex<Real>* y) {
  const Real re = a.real(), im = a.imag();
  const Real* from = reinterpret_cast<const Real*>(x);
  Real* to = reinterpret_cast<Real*>(y);
  for (Index i = 0; i < n; ++i) {
    const Real xr = from[2 * i], xi = from[2 * i + 1];
    to[2 * i] -= re * xr - im * xi;
    to[2 * i + 1] -= re * xi + im * xr;
  }
}

// Without the library's care for over- and underflow: the operators are scaled far from either.
template <class Real>
GWRM_INLINE std::complex<Real> reciprocal(std::complex<Real> a) {
  const Real size = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / size, -a.imag() / size};
}

// (shift + T_1 (x) I + I (x) T_2) y = r for a block of a plane: r points to its first entry, its rows lie `distance`
// apart; t1 and t2 point to the diagonal blocks.
template <class Real>
GWRM_INLINE void solve_block_by(const std::complex<Real>* t1, Index ld1, Index rows, const std::complex<Real>* t2,
                                Index ld2, Index columns, std::complex<Real> shift, std::complex<Real>* r,
                                Index distance) {
  for (Index j = rows; j-- > 0;) {
    std::complex<Real>* row = r + j * distance;
    const std::complex<Real> pivot = shift + t1[j * ld1 + j];
    for (Index i = columns; i-- > 0;) {
      const std::complex<Real> inverse = reciprocal(pivot + t2[i * ld2 + i]), value = row[i];
      row[i] = {value.real() * inverse.real() - value.imag() * inverse.imag(),
                value.real() * inverse.imag() + value.imag() * inverse.real()};
      subtract_multiple(i, row[i], t2 + i * ld2, row);
    }
    for (Index k = 0; k < j; ++k) subtract_multiple(columns, t1[j * ld1 + k], row, r + k * distance);
  }
}
GWRM_VECTOR_CLONES void solve_block(const std::complex<float>* t1, Index ld1, Index rows, const std::complex<float>* t2,
                                    Index ld2, Index columns, std::complex<float> shift, std::complex<float>* r,
                                    Index distance) {
  solve_block_by(t1, ld1, rows, t2, ld2, columns, shift, r, distance);
}
GWRM_VECTOR_CLONES void solve_block(const std::complex<double>* t1, Index ld1, Index rows,
                                    const std::complex<double>* t2, Index ld2, Index columns,
                                    std::complex<double> shift, std::complex<double>* r, Index distance) {
  solve_block_by(t1, ld1, rows, t2, ld2, columns, shift, r, distance);
}

void axpy(Index n, std::complex<float> a, const std::complex<float>* x, std::complex<float>* y) {
  cblas_caxpy(static_cast<int>(n), &a, x, 1, y, 1);
}
void axpy(Index n, std::complex<double> a, const std::complex<double>* x, std::complex<double>* y) {
  cblas_zaxpy(static_cast<int>(n), &a, x, 1, y, 1);
}

// C (m x n) -= A (m x k, row-major, or column-major if transposed) B (k x n), B and C row-major.
template <class Real>
void subtract_product(bool transposed, Index m, Index n, Index k, const std::complex<Real>* a, Index lda,
                      const std::complex<Real>* b, Index ldb, std::complex<Real>* c, Index ldc) {
  const std::complex<Real> minus_one = -1, one = 1;
  const auto rows = static_cast<int>(m), columns = static_cast<int>(n), depth = static_cast<int>(k);
  const auto la = static_cast<int>(lda), lb = static_cast<int>(ldb), lc = static_cast<int>(ldc);
  const CBLAS_TRANSPOSE form = transposed ? CblasTrans : CblasNoTrans;
  if constexpr (std::is_same_v<Real, float>)
    cblas_cgemm(CblasRowMajor, form, CblasNoTrans, rows, columns, depth, &minus_one, a, la, b, lb, &one, c, lc);
  else
    cblas_zgemm(CblasRowMajor, form, CblasNoTrans, rows, columns, depth, &minus_one, a, la, b, lb, &one, c, lc);
}

template <class Real>
class Solver {
 public:
  using Scalar = std::complex<Real>;

  Solver(const std::vector<const ComplexColumnMajor<Real>*>& triangles, const Shape& extents)
      : triangles_(triangles), extents_(extents), inner_(extents.size(), 1) {
    for (std::size_t d = extents.size(); d-- > 1;) inner_[d - 1] = inner_[d] * extents[d];
  }

  void solve(std::size_t d, Scalar shift, Scalar* r) const {
    const ComplexColumnMajor<Real>& t = *triangles_[d];
    const Index width = inner_[d];
    if (d + 1 == extents_.size()) {
      for (Index j = extents_[d]; j-- > 0;) {
        r[j] *= reciprocal(shift + t(j, j));
        axpy(j, -r[j], t.col(j).data(), r);
      }
      return;
    }
    for (Index end = extents_[d]; end > 0;) {
      const Index first = std::max<Index>(0, end - kBlock);
      if (d + 2 == extents_.size())
        solve_rows(t, first, end, shift, r);
      else
        for (Index j = end; j-- > first;) {
          solve(d + 1, shift + t(j, j), r + j * width);
          for (Index i = first; i < j; ++i) axpy(width, -t(i, j), r + j * width, r + i * width);
        }
      if (first > 0)
        subtract_product<Real>(true, first, width, end - first, t.col(first).data(), t.outerStride(), r + first * width,
                               width, r, width);
      end = first;
    }
  }

 private:
  // Some rows of a plane, in blocks of columns: what these contribute to the columns before them has no shift in it.
  void solve_rows(const ComplexColumnMajor<Real>& t1, Index first, Index end, Scalar shift, Scalar* r) const {
    const ComplexColumnMajor<Real>& t2 = *triangles_.back();
    const Index width = extents_.back(), rows = end - first;
    Scalar* own = r + first * width;
    for (Index right = width; right > 0;) {
      const Index left = std::max<Index>(0, right - kBlock), columns = right - left;
      solve_block(&t1(first, first), t1.outerStride(), rows, &t2(left, left), t2.outerStride(), columns, shift,
                  own + left, width);
      // T_2 column-major is its transpose row-major.
      if (left > 0)
        subtract_product<Real>(false, rows, left, columns, own + left, width, t2.col(left).data(), t2.outerStride(),
                               own, width);
      right = left;
    }
  }

  const std::vector<const ComplexColumnMajor<Real>*>& triangles_;
  const Shape& extents_;
  std::vector<Index> inner_;
};

}  // namespace

template <class Real>
void solve_kronecker_sum(const std::vector<const ComplexColumnMajor<Real>*>& triangles, const Shape& extents,
                         std::complex<Real> shift, std::complex<Real>* r) {
  if (extents.empty())
    *r /= shift;
  else
    Solver<Real>(triangles, extents).solve(0, shift, r);
}

template void solve_kronecker_sum(const std::vector<const ComplexColumnMajor<float>*>&, const Shape&,
                                  std::complex<float>, std::complex<float>*);
template void solve_kronecker_sum(const std::vector<const ComplexColumnMajor<double>*>&, const Shape&,
                                  std::complex<double>, std::complex<double>*);

}  // namespace gwrm
