#include "kernels/complex_transform.hpp"

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
ComplexTensor<Real> transform_along(const ComplexRowMajor<Real>& matrix, const ComplexTensor<Real>& x,
                                    std::size_t dimension) {
  const AroundDimension around(x.shape, dimension);
  const int m = static_cast<int>(matrix.rows()), n = static_cast<int>(matrix.cols());
  const int width = static_cast<int>(around.inner);
  Shape shape = x.shape;
  shape[dimension] = matrix.rows();
  ComplexTensor<Real> y(std::move(shape));
  if (y.data.empty() || n == 0) return y;
  if (around.inner == 1) {
    gemm(true, static_cast<int>(around.outer), m, n, x.data.data(), n, matrix.data(), n, y.data.data(), m);
    return y;
  }
  for (Index o = 0; o < around.outer; ++o)
    gemm(false, m, width, n, matrix.data(), n, x.data.data() + o * n * around.inner, width,
         y.data.data() + o * m * around.inner, width);
  return y;
}

template ComplexTensor<float> transform_along(const ComplexRowMajor<float>&, const ComplexTensor<float>&, std::size_t);
template ComplexTensor<double> transform_along(const ComplexRowMajor<double>&, const ComplexTensor<double>&,
                                               std::size_t);

}  // namespace gwrm
