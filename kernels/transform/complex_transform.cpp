#include "kernels/transform/complex_transform.hpp"

#include <cblas.h>

namespace gwrm {
namespace {

// C (m x n) = A (m x k) B (k x n, or n x k if transposed), row-major.
void gemm(bool transposed, int m, int n, int k, const std::complex<float>* a, int lda, const std::complex<float>* b,
          int ldb, std::complex<float>* c, int ldc) {
  const std::complex<float> one = 1.0f, zero = 0.0f;
  cblas_cgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, m, n, k, &one, a, lda, b, ldb, &zero,
              c, ldc);
}
void gemm(bool transposed, int m, int n, int k, const std::complex<double>* a, int lda, const std::complex<double>* b,
          int ldb, std::complex<double>* c, int ldc) {
  const std::complex<double> one = 1.0, zero = 0.0;
  cblas_zgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, m, n, k, &one, a, lda, b, ldb, &zero,
              c, ldc);
}

}  // namespace

template <class Real>
void transform_along(const ComplexRowMajor<Real>& matrix, const std::complex<Real>* x, const Shape& shape,
                     std::size_t dimension, std::complex<Real>* y) {
  const AroundDimension around(shape, dimension);
  const int m = static_cast<int>(matrix.rows()), n = static_cast<int>(matrix.cols());
  const int width = static_cast<int>(around.inner);
  if (around.outer * m * width == 0 || n == 0) return;
  if (around.inner == 1) {
    gemm(true, static_cast<int>(around.outer), m, n, x, n, matrix.data(), n, y, m);
    return;
  }
  for (Index o = 0; o < around.outer; ++o)
    gemm(false, m, width, n, matrix.data(), n, x + o * n * around.inner, width, y + o * m * around.inner, width);
}

template void transform_along(const ComplexRowMajor<float>&, const std::complex<float>*, const Shape&, std::size_t,
                              std::complex<float>*);
template void transform_along(const ComplexRowMajor<double>&, const std::complex<double>*, const Shape&, std::size_t,
                              std::complex<double>*);

}  // namespace gwrm
