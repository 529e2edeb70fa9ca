#include "kernels/triangular_sum.hpp"

#include <cblas.h>

#include <algorithm>

namespace gwrm {
namespace {

constexpr Index kBlock = 32;  // entries whose contributions are subtracted together

void axpy(Index n, std::complex<float> a, const std::complex<float>* x, std::complex<float>* y) {
  cblas_caxpy(static_cast<int>(n), &a, x, 1, y, 1);
}
void axpy(Index n, std::complex<double> a, const std::complex<double>* x, std::complex<double>* y) {
  cblas_zaxpy(static_cast<int>(n), &a, x, 1, y, 1);
}

// C (m x n) -= A (m x k, column-major) B (k x n), B and C row-major.
template <class Real>
void subtract_product(Index m, Index n, Index k, const std::complex<Real>* a, Index lda, const std::complex<Real>* b,
                      std::complex<Real>* c) {
  const std::complex<Real> minus_one = -1, one = 1;
  const auto rows = static_cast<int>(m), columns = static_cast<int>(n), depth = static_cast<int>(k);
  // A column-major is its transpose row-major.
  if constexpr (std::is_same_v<Real, float>)
    cblas_cgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, columns, depth, &minus_one, a, static_cast<int>(lda), b,
                columns, &one, c, columns);
  else
    cblas_zgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, columns, depth, &minus_one, a, static_cast<int>(lda), b,
                columns, &one, c, columns);
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
      for (Index j = end; j-- > first;) {
        solve(d + 1, shift + t(j, j), r + j * width);
        for (Index i = first; i < j; ++i) axpy(width, -t(i, j), r + j * width, r + i * width);
      }
      if (first > 0)
        subtract_product<Real>(first, width, end - first, t.col(first).data(), t.outerStride(), r + first * width, r);
      end = first;
    }
  }

 private:
  // Without the library's care for over- and underflow: the operators are scaled far from either.
  static Scalar reciprocal(Scalar a) {
    const Real size = a.real() * a.real() + a.imag() * a.imag();
    return {a.real() / size, -a.imag() / size};
  }

  const std::vector<const ComplexColumnMajor<Real>*>& triangles_;
  const Shape& extents_;
  std::vector<Index> inner_;
};

}  // namespace

template <class Real>
void solve_triangular_sum(const std::vector<const ComplexColumnMajor<Real>*>& triangles, const Shape& extents,
                          std::complex<Real> shift, std::complex<Real>* r) {
  if (extents.empty())
    *r /= shift;
  else
    Solver<Real>(triangles, extents).solve(0, shift, r);
}

template void solve_triangular_sum(const std::vector<const ComplexColumnMajor<float>*>&, const Shape&,
                                   std::complex<float>, std::complex<float>*);
template void solve_triangular_sum(const std::vector<const ComplexColumnMajor<double>*>&, const Shape&,
                                   std::complex<double>, std::complex<double>*);

}  // namespace gwrm
