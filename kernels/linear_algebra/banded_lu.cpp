#include "kernels/linear_algebra/banded_lu.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core/errors.hpp"
#include "kernels/linear_algebra/lu_scaling.hpp"

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace gwrm {
namespace {

static_assert(sizeof(lapack_int) == sizeof(int), "BandedLu keeps LAPACK's pivots as int");

template <class Number>
Index leading_dimension(const BasicBandedMatrix<Number>& a) {
  return 2 * a.lower() + a.upper() + 1;
}

using Complex = std::complex<double>;

lapack_int gbtrf(lapack_int n, lapack_int lower, lapack_int upper, double* band, lapack_int leading, int* pivots) {
  return LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, band, leading, pivots);
}
lapack_int gbtrf(lapack_int n, lapack_int lower, lapack_int upper, Complex* band, lapack_int leading, int* pivots) {
  return LAPACKE_zgbtrf_work(LAPACK_COL_MAJOR, n, n, lower, upper, band, leading, pivots);
}
void gbtrs(char transposed, lapack_int n, lapack_int lower, lapack_int upper, lapack_int count, const double* band,
           lapack_int leading, const int* pivots, double* x) {
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, transposed, n, lower, upper, count, band, leading, pivots, x, n);
}
void gbtrs(char transposed, lapack_int n, lapack_int lower, lapack_int upper, lapack_int count, const Complex* band,
           lapack_int leading, const int* pivots, Complex* x) {
  LAPACKE_zgbtrs_work(LAPACK_COL_MAJOR, transposed, n, lower, upper, count, band, leading, pivots, x, n);
}
// `signs`: room that the real one needs.
void lacn2(lapack_int n, double* v, double* x, lapack_int* signs, double* estimate, lapack_int* what,
           lapack_int* state) {
  LAPACKE_dlacn2_work(n, v, x, signs, estimate, what, state);
}
void lacn2(lapack_int n, Complex* v, Complex* x, lapack_int*, double* estimate, lapack_int* what, lapack_int* state) {
  LAPACKE_zlacn2_work(n, v, x, estimate, what, state);
}

}  // namespace

template <class Number>
BasicBandedMatrix<Number>::BasicBandedMatrix(Index n, Index lower, Index upper) : n_(n), lower_(lower), upper_(upper) {
  if (n < 0 || lower < 0 || upper < 0) throw ShapeError("BandedMatrix: a negative size or width");
  if (std::max(n, 2 * lower + upper + 1) > std::numeric_limits<lapack_int>::max())
    throw ShapeError("BandedMatrix: too large for LAPACK");
  band_.assign(banded_lu_bytes(n, lower, upper) / sizeof(double), Number(0.0));
}

std::size_t banded_lu_bytes(Index n, Index lower, Index upper) {
  return sizeof(double) * static_cast<std::size_t>(n) * static_cast<std::size_t>(2 * lower + upper + 1);
}

template <class Number>
LuStatus BasicBandedLu<Number>::factor(BasicBandedMatrix<Number> matrix) {
  matrix_ = std::move(matrix);
  const auto n = static_cast<lapack_int>(matrix_.size());
  const auto lower = static_cast<lapack_int>(matrix_.lower()), upper = static_cast<lapack_int>(matrix_.upper());
  const auto leading = static_cast<lapack_int>(leading_dimension(matrix_));
  reciprocal_condition_ = 1.0;
  if (n == 0) return status_ = LuStatus::regular;
  reciprocal_condition_ = 0.0;
  if (!equilibrate()) return status_ = LuStatus::not_finite;
  const double norm = one_norm();
  pivots_.resize(static_cast<std::size_t>(n));
  const lapack_int zero_pivot = gbtrf(n, lower, upper, matrix_.band_.data(), leading, pivots_.data());
  if (zero_pivot == 0) reciprocal_condition_ = 1.0 / (norm * inverse_one_norm());
  // Written so that a NaN counts as singular.
  return status_ = reciprocal_condition_ >= kSingularReciprocalCondition ? LuStatus::regular : LuStatus::singular;
}

template <class Number>
void BasicBandedLu<Number>::solve(std::span<Number> right_hand_sides) const {
  if (status_ != LuStatus::regular) throw ShapeError("BandedLu: solve() without regular factors");
  const auto n = static_cast<std::size_t>(matrix_.size());
  if (n == 0 ? !right_hand_sides.empty() : right_hand_sides.size() % n != 0)
    throw ShapeError("BandedLu: the right-hand sides are no multiple of n");
  if (right_hand_sides.empty()) return;
  for (std::size_t i = 0; i < right_hand_sides.size(); ++i) right_hand_sides[i] *= row_scale_[i % n];
  solve_scaled('N', static_cast<Index>(right_hand_sides.size() / n), right_hand_sides.data());
  for (std::size_t i = 0; i < right_hand_sides.size(); ++i) right_hand_sides[i] *= column_scale_[i % n];
}

// A <- R A C; false if an entry is not finite.
template <class Number>
bool BasicBandedLu<Number>::equilibrate() {
  const Index n = matrix_.size();
  row_scale_.assign(static_cast<std::size_t>(n), 0.0);
  column_scale_.assign(static_cast<std::size_t>(n), 1.0);
  const auto first_row = [&](Index j) { return std::max<Index>(0, j - matrix_.upper()); };
  const auto last_row = [&](Index j) { return std::min(n - 1, j + matrix_.lower()); };
  for (Index j = 0; j < n; ++j)
    for (Index i = first_row(j); i <= last_row(j); ++i) {
      const double size = std::abs(matrix_(i, j));
      if (!std::isfinite(size)) return false;
      double& largest = row_scale_[static_cast<std::size_t>(i)];
      largest = std::max(largest, size);
    }
  for (double& scale : row_scale_) scale = power_of_two_scale(scale);
  for (Index j = 0; j < n; ++j) {
    double largest = 0.0;
    for (Index i = first_row(j); i <= last_row(j); ++i) {
      matrix_(i, j) *= row_scale_[static_cast<std::size_t>(i)];
      largest = std::max(largest, std::abs(matrix_(i, j)));
    }
    const double scale = column_scale_[static_cast<std::size_t>(j)] = power_of_two_scale(largest);
    for (Index i = first_row(j); i <= last_row(j); ++i) matrix_(i, j) *= scale;
  }
  return true;
}

template <class Number>
void BasicBandedLu<Number>::solve_scaled(char transposed, Index count, Number* right_hand_sides) const {
  gbtrs(transposed, static_cast<lapack_int>(matrix_.size()), static_cast<lapack_int>(matrix_.lower()),
        static_cast<lapack_int>(matrix_.upper()), static_cast<lapack_int>(count), matrix_.band_.data(),
        static_cast<lapack_int>(leading_dimension(matrix_)), pivots_.data(), right_hand_sides);
}

template <class Number>
double BasicBandedLu<Number>::inverse_one_norm() const {
  const auto n = static_cast<lapack_int>(matrix_.size());
  std::vector<Number> v(static_cast<std::size_t>(n)), x(v.size());
  std::vector<lapack_int> signs(v.size());
  double estimate = 0.0;
  lapack_int what = 0, state[3] = {};
  for (;;) {  // lacn2 asks for A^{-1} x or its adjoint until it has enough
    lacn2(n, v.data(), x.data(), signs.data(), &estimate, &what, state);
    if (what == 0) return estimate;
    solve_scaled(what == 1 ? 'N' : 'C', 1, x.data());
  }
}

template <class Number>
double BasicBandedLu<Number>::one_norm() const {
  const Index n = matrix_.size();
  double norm = 0.0;
  for (Index j = 0; j < n; ++j) {
    double sum = 0.0;
    for (Index i = std::max<Index>(0, j - matrix_.upper()); i <= std::min(n - 1, j + matrix_.lower()); ++i)
      sum += std::abs(matrix_(i, j));
    norm = std::max(norm, sum);
  }
  return norm;
}

template class BasicBandedMatrix<double>;
template class BasicBandedMatrix<std::complex<double>>;
template class BasicBandedLu<double>;
template class BasicBandedLu<std::complex<double>>;

}  // namespace gwrm
