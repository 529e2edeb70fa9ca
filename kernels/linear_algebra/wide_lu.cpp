#include "kernels/linear_algebra/wide_lu.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/errors.hpp"
#include "kernels/linear_algebra/flush_subnormals.hpp"

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace gwrm {
namespace {

constexpr double kSingleRounding = 0x1p-24;  // of single precision

// A pivot this far below the largest entry may be nothing but round-off of its precision.
template <class Real>
constexpr Real kTinyPivot = std::is_same_v<Real, float> ? Real(1e-6) : Real(1e-15);

lapack_int getrf(lapack_int m, lapack_int n, std::complex<float>* a, lapack_int* pivots) {
  return LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, m, n, a, m, pivots);
}
lapack_int getrf(lapack_int m, lapack_int n, std::complex<double>* a, lapack_int* pivots) {
  return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, m, n, a, m, pivots);
}
void transposed_solve(CBLAS_UPLO uplo, CBLAS_DIAG diagonal, int n, const std::complex<float>* a, int ld,
                      std::complex<float>* x) {
  cblas_ctrsv(CblasColMajor, uplo, CblasTrans, diagonal, n, a, ld, x, 1);
}
void transposed_solve(CBLAS_UPLO uplo, CBLAS_DIAG diagonal, int n, const std::complex<double>* a, int ld,
                      std::complex<double>* x) {
  cblas_ztrsv(CblasColMajor, uplo, CblasTrans, diagonal, n, a, ld, x, 1);
}

// LAPACK's cabs1: within a factor of sqrt(2) of the modulus, without its root.
template <class Real>
Real size_of(std::complex<Real> z) {
  return std::abs(z.real()) + std::abs(z.imag());
}

double power_of_two_near_inverse(double size) {
  int exponent = 0;
  std::frexp(size, &exponent);
  return size > 0.0 ? std::ldexp(1.0, -exponent) : 1.0;
}

}  // namespace

LuStatus WideLu::factor(const ComplexMatrix& matrix, Precision precision, Index group) {
  precision_ = precision;
  if (precision == Precision::single_complex) {
    const FlushSubnormals flush;
    const LuStatus status = factor_as(matrix, group, single_);
    if (status != LuStatus::singular) return status;
    single_ = {};  // too close to singular for single precision to say more
    precision_ = Precision::double_complex;
  }
  return factor_as(matrix, group, double_);
}

void WideLu::solve(std::span<const std::complex<double>> b, std::span<std::complex<double>> x) const {
  if (precision_ == Precision::double_complex) return solve_as(double_, b, x);
  const FlushSubnormals flush;
  solve_as(single_, b, x);
}

ComplexMatrix WideLu::null_space() const {
  if (precision_ == Precision::double_complex) return null_space_as(double_);
  const FlushSubnormals flush;
  return null_space_as(single_);
}

template <class Real>
LuStatus WideLu::factor_as(const ComplexMatrix& matrix, Index group, Factors<Real>& all) {
  std::vector<std::complex<Real>>& factors = all.matrix;
  n_rows_ = matrix.rows();
  n_columns_ = matrix.cols();
  if (n_rows_ > n_columns_) throw ShapeError("WideLu: more rows than columns");
  if (!matrix.allFinite()) return LuStatus::not_finite;
  row_scale_.resize(static_cast<std::size_t>(n_rows_));
  column_scale_.resize(static_cast<std::size_t>(n_columns_));
  Eigen::ArrayXd columns = Eigen::ArrayXd::Zero(n_columns_), sizes(n_columns_);
  for (Index i = 0; i < n_rows_; ++i) {
    for (Index j = 0; j < n_columns_; ++j) sizes(j) = size_of(matrix(i, j));
    const double scale = power_of_two_near_inverse(sizes.maxCoeff());
    row_scale_[static_cast<std::size_t>(i)] = scale;
    columns = columns.max(scale * sizes);
  }
  for (Index j = 0; j < n_columns_; ++j)
    column_scale_[static_cast<std::size_t>(j)] = power_of_two_near_inverse(
        std::max(columns(j), kSingleRounding * columns.segment(j - j % group, group).maxCoeff()));

  factors.resize(static_cast<std::size_t>(n_rows_ * n_columns_));
  for (Index i = 0; i < n_rows_; ++i)
    for (Index j = 0; j < n_columns_; ++j)
      factors[static_cast<std::size_t>(i * n_columns_ + j)] = std::complex<Real>(
          row_scale_[static_cast<std::size_t>(i)] * column_scale_[static_cast<std::size_t>(j)] * matrix(i, j));
  order_.resize(static_cast<std::size_t>(n_columns_));
  std::iota(order_.begin(), order_.end(), 0);
  if (n_rows_ == 0) return LuStatus::regular;
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n_rows_));
  const lapack_int q = static_cast<lapack_int>(n_columns_), p = static_cast<lapack_int>(n_rows_);
  if (getrf(q, p, factors.data(), pivots.data()) != 0) return LuStatus::singular;
  for (std::size_t i = 0; i < pivots.size(); ++i) std::swap(order_[i], order_[static_cast<std::size_t>(pivots[i] - 1)]);
  for (Index i = 0; i < n_rows_; ++i) {
    const std::size_t column = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
    const Real pivot = size_of(factors[static_cast<std::size_t>(i * n_columns_ + i)]);
    const Real largest = static_cast<Real>(column_scale_[column] * columns(order_[static_cast<std::size_t>(i)]));
    if (!(pivot > kTinyPivot<Real> * largest)) return std::isfinite(pivot) ? LuStatus::singular : LuStatus::not_finite;
  }
  if (n_rows_ <= BlockSubstitution<Real>::kMaxRows) all.substitution = {factors.data(), n_rows_, n_columns_};
  return LuStatus::regular;
}

// A x = b is U^T L^T w = D_r b with x = D_c (w in the order of A's columns).
template <class Real>
void WideLu::solve_as(const Factors<Real>& factors, std::span<const std::complex<double>> b,
                      std::span<std::complex<double>> x) const {
  const std::size_t p = static_cast<std::size_t>(n_rows_);
  // Scaled to size 1: small residuals must not underflow in single precision.
  double largest = 0.0;
  for (std::size_t i = 0; i < p; ++i) largest = std::max(largest, row_scale_[i] * size_of(b[i]));
  std::fill(x.begin(), x.end(), 0.0);
  if (largest == 0.0) return;
  std::vector<std::complex<Real>> y(p);
  for (std::size_t i = 0; i < p; ++i) y[i] = std::complex<Real>(row_scale_[i] / largest * b[i]);
  if (n_rows_ <= BlockSubstitution<Real>::kMaxRows) {
    factors.substitution.solve(y);
  } else {
    const int n = static_cast<int>(n_rows_), ld = static_cast<int>(n_columns_);
    transposed_solve(CblasUpper, CblasNonUnit, n, factors.matrix.data(), ld, y.data());
    transposed_solve(CblasLower, CblasUnit, n, factors.matrix.data(), ld, y.data());
  }
  for (std::size_t i = 0; i < p; ++i) {
    const std::size_t column = static_cast<std::size_t>(order_[i]);
    x[column] = largest * column_scale_[column] * std::complex<double>(y[i]);
  }
}

// w = (-L1^{-T} L2^T e, e): L^T w = 0.
template <class Real>
ComplexMatrix WideLu::null_space_as(const Factors<Real>& all) const {
  const std::vector<std::complex<Real>>& factors = all.matrix;
  const Index free = n_columns_ - n_rows_;
  ComplexMatrix basis = ComplexMatrix::Zero(n_columns_, free);
  std::vector<std::complex<Real>> w(static_cast<std::size_t>(n_rows_));
  for (Index c = 0; c < free; ++c) {
    for (Index i = 0; i < n_rows_; ++i)
      w[static_cast<std::size_t>(i)] = -factors[static_cast<std::size_t>(i * n_columns_ + n_rows_ + c)];
    transposed_solve(CblasLower, CblasUnit, static_cast<int>(n_rows_), factors.data(), static_cast<int>(n_columns_),
                     w.data());
    for (Index i = 0; i < n_columns_; ++i) {
      const Index column = order_[static_cast<std::size_t>(i)];
      const std::complex<double> value = i < n_rows_ ? std::complex<double>(w[static_cast<std::size_t>(i)])
                                                     : std::complex<double>(i == n_rows_ + c ? 1.0 : 0.0);
      basis(column, c) = column_scale_[static_cast<std::size_t>(column)] * value;
    }
  }
  return basis;
}

}  // namespace gwrm
