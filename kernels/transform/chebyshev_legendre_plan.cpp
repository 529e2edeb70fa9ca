#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/gamma_ratio.hpp"

namespace gwrm {
namespace {

constexpr long double kExtendedPi = std::numbers::pi_v<long double>;
// What is left of the diagonal of the Hankel matrix, beside its largest entry: at 1e-15 the errors are 2e-15.
constexpr long double kRankTolerance = 1e-16L;
constexpr long double kNothingLeft = 1e-18L;  // long double has no more: factors that only fill a register stay zero

// T_k, k < half the length.
long double toeplitz_entry(ConnectionKind kind, Index k) {
  const long double j = static_cast<long double>(k);
  if (kind == ConnectionKind::legendre_to_chebyshev) return gamma_ratio(j);
  return k == 0 ? -std::sqrt(kExtendedPi) : gamma_ratio(j - 1.0L) / (2.0L * j);
}
// H_s, s = (i + j) / 2. H_0 of chebyshev_to_legendre belongs to the row 0, which stands by itself.
long double hankel_entry(ConnectionKind kind, Index s) {
  const long double j = static_cast<long double>(s);
  if (kind == ConnectionKind::legendre_to_chebyshev) return gamma_ratio(j);
  return s == 0 ? 0.0L : gamma_ratio(j - 0.5L) / (2.0L * j + 1.0L);
}

// What rows and columns of the Hankel matrix are multiplied by before it is factored; row 0 is not looked at.
long double weight(ConnectionKind kind, Index i) {
  return kind == ConnectionKind::legendre_to_chebyshev ? 1.0L : static_cast<long double>(std::max<Index>(i, 1));
}

Index checked_connection_length(Index length) {
  if (length < 1 || length > kMostConnected)
    throw ShapeError("Chebyshev-Legendre connection: " + std::to_string(length) + " coefficients, expected 1 to " +
                     std::to_string(kMostConnected));
  return length;
}

bool takes_factors(ConnectionMethod method, Index length) {
  return method == ConnectionMethod::toeplitz_hankel ||
         (method == ConnectionMethod::automatic && length >= kToeplitzFrom);
}

// Cholesky's method with pivots of a positive semidefinite matrix given by its entries: columns l_s until all that is
// left of the diagonal is below the tolerance, then on to a multiple of `multiple`.
template <class Entry>
std::vector<std::vector<long double>> cholesky(Index n, Index multiple, Entry&& entry) {
  std::vector<long double> diagonal;
  for (Index i = 0; i < n; ++i) diagonal.push_back(entry(i, i));
  std::vector<std::vector<long double>> columns;
  if (n == 0) return columns;
  const long double largest = *std::max_element(diagonal.begin(), diagonal.end());
  for (;;) {
    const auto place = std::max_element(diagonal.begin(), diagonal.end());
    const bool full = static_cast<Index>(columns.size()) % multiple == 0;
    if (*place <= kNothingLeft * largest || (full && *place <= kRankTolerance * largest)) return columns;
    const std::size_t pivot = static_cast<std::size_t>(place - diagonal.begin());
    std::vector<long double> column;
    for (Index i = 0; i < n; ++i) column.push_back(entry(i, static_cast<Index>(pivot)));
    for (const std::vector<long double>& known : columns)
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= known[pivot] * known[i];
    const long double root = std::sqrt(*place);
    for (std::size_t i = 0; i < column.size(); ++i) {
      column[i] /= root;
      diagonal[i] -= column[i] * column[i];
    }
    diagonal[pivot] = 0.0L;
    columns.push_back(std::move(column));
  }
}

}  // namespace

ChebyshevLegendrePlan::ChebyshevLegendrePlan(ConnectionKind kind, Index length, ConnectionMethod method)
    : kind_(kind),
      length_(checked_connection_length(length)),
      method_(method),
      fourier_(takes_factors(method, length) ? smooth_length(2 * half(0)) : 1) {
  const bool to_legendre = kind == ConnectionKind::chebyshev_to_legendre;
  toeplitz_.assign(static_cast<std::size_t>(kBlock - 1), 0.0);
  for (Index k = 0; k < half(0); ++k) toeplitz_.push_back(static_cast<double>(toeplitz_entry(kind, k)));
  toeplitz_.insert(toeplitz_.end(), static_cast<std::size_t>(kBlock - 1), 0.0);
  for (Index s = 0; s < length + kBlock; ++s) hankel_.push_back(static_cast<double>(hankel_entry(kind, s)));

  for (Index i = 0; i < length; ++i) {
    const long double number = static_cast<long double>(i);
    const long double f = !to_legendre ? (i == 0 ? 1.0L : 2.0L) / kExtendedPi : i == 0 ? 0.0L : -(number + 0.5L);
    after_.push_back(static_cast<double>(f));
    before_.push_back(to_legendre ? static_cast<double>(i) : 1.0);
  }
  if (to_legendre)
    for (Index k = 0; k < half(0); ++k)  // R_0j, j = 2k
      first_row_.push_back(
          k == 0 ? 1.0
                 : static_cast<double>(-static_cast<long double>(k) * toeplitz_entry(kind, k) * hankel_entry(kind, k)));
  if (takes_factors(method, length)) factor();
}

ConnectionMethod ChebyshevLegendrePlan::method(Index n_columns) const {
  if (method_ != ConnectionMethod::automatic) return method_;
  const bool direct = length_ < kToeplitzFrom || (length_ <= kDirectUpTo && n_columns >= kDirectColumns);
  return direct ? ConnectionMethod::direct : ConnectionMethod::toeplitz_hankel;
}

void ChebyshevLegendrePlan::factor() {
  std::vector<long double> hankel;
  for (Index s = 0; s < length_; ++s) hankel.push_back(hankel_entry(kind_, s));
  std::vector<std::vector<long double>> columns[2];
  for (const int p : {0, 1}) {
    columns[p] = cholesky(half(p), cpu::kLanes, [&](Index a, Index b) {
      return hankel[static_cast<std::size_t>(a + b + p)] * weight(kind_, 2 * a + p) * weight(kind_, 2 * b + p);
    });
    rank_ = std::max(rank_, static_cast<Index>(columns[p].size()));
  }
  rank_ = (rank_ + cpu::kLanes - 1) / cpu::kLanes * cpu::kLanes;
  for (const int p : {0, 1}) {
    factors_[p].assign(static_cast<std::size_t>(half(p) * rank_), 0.0);
    for (std::size_t s = 0; s < columns[p].size(); ++s)
      for (std::size_t i = 0; i < columns[p][s].size(); ++i)
        factors_[p][i * static_cast<std::size_t>(rank_) + s] =
            static_cast<double>(columns[p][s][i] / weight(kind_, static_cast<Index>(2 * i) + p));
  }

  const std::size_t n = static_cast<std::size_t>(fourier_.length());
  std::vector<double> planes(4 * n, 0.0);
  std::copy_n(toeplitz(), half(0), planes.begin());
  const cpu::Planes z = cpu::fourier_lines(fourier_, 1, {planes.data(), planes.data() + n},
                                           {planes.data() + 2 * n, planes.data() + 3 * n});
  for (std::size_t k = 0; k < n; ++k) symbol_.emplace_back(z.re[k], z.im[k]);
}

}  // namespace gwrm
