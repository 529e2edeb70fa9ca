#include "kernels/linear_algebra/block_substitution.hpp"

#include <algorithm>
#include <array>

#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

// Rows of complex numbers whose imaginary parts stand `apart` numbers behind the real ones.
template <class Real>
struct Rows {
  Real* at;
  Index apart;
};

// target[0, width) -= z row: width is a multiple of kBlock.
template <class Real>
GWRM_INLINE void subtract_row(Rows<Real> target, Real z_re, Real z_im, Rows<const Real> row, Index width) {
  constexpr Index kBlock = BlockSubstitution<Real>::kBlock;
  for (Index first = 0; first < width; first += kBlock)
    for (Index j = first; j < first + kBlock; ++j) {
      const Real re = row.at[j], im = row.at[j + row.apart];
      target.at[j] -= z_re * re - z_im * im;
      target.at[j + target.apart] -= z_re * im + z_im * re;
    }
}

// y_k becomes y_k inv(A_kk), then target -= y_k rows, for kBlock rows.
template <class Real>
GWRM_INLINE void eliminate_block(Rows<Real> y_k, Rows<const Real> inverse, Rows<Real> target, Rows<const Real> rows,
                                 Index row_length, Index width) {
  constexpr Index kBlock = BlockSubstitution<Real>::kBlock;
  Real z[2 * kBlock] = {};
  for (Index i = 0; i < kBlock; ++i)
    subtract_row<Real>({z, kBlock}, -y_k.at[i], -y_k.at[i + y_k.apart], {inverse.at + i * kBlock, inverse.apart},
                       kBlock);
  std::copy(z, z + kBlock, y_k.at);
  std::copy(z + kBlock, z + 2 * kBlock, y_k.at + y_k.apart);
  for (Index i = 0; i < kBlock; ++i)
    subtract_row<Real>(target, z[i], z[i + kBlock], {rows.at + i * row_length, rows.apart}, width);
}

template <class Real>
GWRM_INLINE void substitute(const Real* rows, const Real* upper, const Real* lower, Index n, Real* y) {
  constexpr Index kBlock = BlockSubstitution<Real>::kBlock;
  for (Index k = 0; k < n; k += kBlock) {
    const Index rest = k + kBlock;
    eliminate_block<Real>({y + k, n}, {upper + k * kBlock, n * kBlock}, {y + rest, n}, {rows + k * n + rest, n * n}, n,
                          n - rest);
  }
  for (Index k = n - kBlock; k >= 0; k -= kBlock)
    eliminate_block<Real>({y + k, n}, {lower + k * kBlock, n * kBlock}, {y, n}, {rows + k * n, n * n}, n, k);
}

// Rows of the inverse of the diagonal block at k, one from those before it: inv_i = (e_i - sum_m a_im inv_m) / a_ii.
template <class Real>
GWRM_INLINE void invert_block(const Real* rows, Index n, Index k, bool of_upper, Real* inverse) {
  constexpr Index kBlock = BlockSubstitution<Real>::kBlock;
  for (Index step = 0; step < kBlock; ++step) {
    const Index i = of_upper ? kBlock - 1 - step : step;
    Real* const row = inverse + (k + i) * kBlock;
    const Index apart = n * kBlock;
    row[i] = 1;
    const Real* const a = rows + (k + i) * n + k;
    for (Index m = of_upper ? i + 1 : 0; m < (of_upper ? kBlock : i); ++m)
      subtract_row<Real>({row, apart}, a[m], a[m + n * n], {inverse + (k + m) * kBlock, apart}, kBlock);
    if (!of_upper) continue;  // L has a unit diagonal
    const std::complex<Real> scale = Real(1) / std::complex<Real>(a[i], a[i + n * n]);
    for (Index j = 0; j < kBlock; ++j) {
      const Real re = row[j], im = row[j + apart];
      row[j] = scale.real() * re - scale.imag() * im;
      row[j + apart] = scale.real() * im + scale.imag() * re;
    }
  }
}

template <class Real>
GWRM_INLINE void invert_blocks(const Real* rows, Index n, Real* upper, Real* lower) {
  for (Index k = 0; k < n; k += BlockSubstitution<Real>::kBlock) {
    invert_block(rows, n, k, true, upper);
    invert_block(rows, n, k, false, lower);
  }
}

// A clone for every width of registers cannot be a template.
GWRM_VECTOR_CLONES void substitute_all(const float* rows, const float* upper, const float* lower, Index n, float* y) {
  substitute(rows, upper, lower, n, y);
}
GWRM_VECTOR_CLONES void substitute_all(const double* rows, const double* upper, const double* lower, Index n,
                                       double* y) {
  substitute(rows, upper, lower, n, y);
}
GWRM_VECTOR_CLONES void invert_all(const float* rows, Index n, float* upper, float* lower) {
  invert_blocks(rows, n, upper, lower);
}
GWRM_VECTOR_CLONES void invert_all(const double* rows, Index n, double* upper, double* lower) {
  invert_blocks(rows, n, upper, lower);
}

}  // namespace

template <class Real>
BlockSubstitution<Real>::BlockSubstitution(const std::complex<Real>* factors, Index n, Index ld)
    : n_(n), padded_((n + kBlock - 1) / kBlock * kBlock) {
  const auto size = static_cast<std::size_t>(padded_);
  rows_.assign(2 * size * size, Real(0));
  upper_.assign(2 * size * kBlock, Real(0));
  lower_.assign(2 * size * kBlock, Real(0));
  for (Index i = 0; i < n; ++i) {
    Real* const row = rows_.data() + i * padded_;
    for (Index j = 0; j < n; ++j) {
      row[j] = factors[i + j * ld].real();
      row[j + padded_ * padded_] = factors[i + j * ld].imag();
    }
  }
  for (Index i = n; i < padded_; ++i) rows_[static_cast<std::size_t>(i * (padded_ + 1))] = Real(1);
  invert_all(rows_.data(), padded_, upper_.data(), lower_.data());
}

template <class Real>
void BlockSubstitution<Real>::solve(std::span<std::complex<Real>> y) const {
  std::array<Real, 2 * static_cast<std::size_t>(kMaxRows)> parts;  // of which 2 padded_ are used
  std::fill_n(parts.begin(), 2 * padded_, Real(0));
  for (Index i = 0; i < n_; ++i) {
    parts[static_cast<std::size_t>(i)] = y[static_cast<std::size_t>(i)].real();
    parts[static_cast<std::size_t>(i + padded_)] = y[static_cast<std::size_t>(i)].imag();
  }
  substitute_all(rows_.data(), upper_.data(), lower_.data(), padded_, parts.data());
  for (Index i = 0; i < n_; ++i)
    y[static_cast<std::size_t>(i)] = {parts[static_cast<std::size_t>(i)], parts[static_cast<std::size_t>(i + padded_)]};
}

template class BlockSubstitution<float>;
template class BlockSubstitution<double>;

}  // namespace gwrm
