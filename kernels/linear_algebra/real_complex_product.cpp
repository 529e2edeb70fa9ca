#include "kernels/linear_algebra/real_complex_product.hpp"

#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr Index kSums = 8;

// y_i = sum_k a_ik (re_k, im_k), or y_i += ..
GWRM_VECTOR_CLONES void multiply_rows(const double* a, Index n_rows, Index n, const double* re, const double* im,
                                      bool add, std::complex<double>* y) {
  const Index whole = n - n % kSums;
  for (Index i = 0; i < n_rows; ++i, a += n) {
    double sum_re[kSums] = {}, sum_im[kSums] = {};
    for (Index k = 0; k < whole; k += kSums)
      for (Index j = 0; j < kSums; ++j) {
        sum_re[j] += a[k + j] * re[k + j];
        sum_im[j] += a[k + j] * im[k + j];
      }
    for (Index k = whole; k < n; ++k) {
      sum_re[k - whole] += a[k] * re[k];
      sum_im[k - whole] += a[k] * im[k];
    }
    for (Index half = kSums / 2; half > 0; half /= 2)
      for (Index j = 0; j < half; ++j) {
        sum_re[j] += sum_re[j + half];
        sum_im[j] += sum_im[j + half];
      }
    const std::complex<double> sum{sum_re[0], sum_im[0]};
    y[i] = add ? y[i] + sum : sum;
  }
}

void multiply(const Matrix& a, std::span<const std::complex<double>> x, std::span<std::complex<double>> y,
              std::span<double> work, bool add) {
  double* const re = work.data();
  double* const im = re + a.cols();
  for (Index k = 0; k < a.cols(); ++k) {
    re[k] = x[static_cast<std::size_t>(k)].real();
    im[k] = x[static_cast<std::size_t>(k)].imag();
  }
  multiply_rows(a.data(), a.rows(), a.cols(), re, im, add, y.data());
}

}  // namespace

void multiply(const Matrix& a, std::span<const std::complex<double>> x, std::span<std::complex<double>> y,
              std::span<double> work) {
  multiply(a, x, y, work, false);
}

void multiply_add(const Matrix& a, std::span<const std::complex<double>> x, std::span<std::complex<double>> y,
                  std::span<double> work) {
  multiply(a, x, y, work, true);
}

}  // namespace gwrm
