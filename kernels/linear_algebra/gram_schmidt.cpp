#include "kernels/linear_algebra/gram_schmidt.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel_loop.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr Index kPart = 4096;            // numbers: one of them of w and of a basis vector fit the first-level cache
constexpr Index kWorthThreads = 200000;  // numbers of all vectors
// w is orthogonal enough if this much of it is left.
constexpr double kEnoughLeft = 0.7;

// Four vectors together: their sums do not wait for each other, and what they have in common is read once.
constexpr std::size_t kTogether = 4;

GWRM_VECTOR_CLONES void four_dots(const double* const* a, Index first, const double* b, Index n, double* sums) {
  const double *a0 = a[0] + first, *a1 = a[1] + first, *a2 = a[2] + first, *a3 = a[3] + first;
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (Index i = 0; i < n; ++i) {
    s0 += a0[i] * b[i];
    s1 += a1[i] * b[i];
    s2 += a2[i] * b[i];
    s3 += a3[i] * b[i];
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}
GWRM_VECTOR_CLONES double dot(const double* a, const double* b, Index n) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
// sums[i] = a_i . b from `first` on
void dots(std::span<const double* const> a, Index first, const double* b, Index n, double* sums) {
  std::size_t i = 0;
  for (; i + kTogether <= a.size(); i += kTogether) four_dots(a.data() + i, first, b, n, sums + i);
  for (; i < a.size(); ++i) sums[i] = dot(a[i] + first, b, n);
}

GWRM_VECTOR_CLONES void multiply(double factor, const double* a, double* b, Index n) {
  for (Index i = 0; i < n; ++i) b[i] = factor * a[i];
}

GWRM_VECTOR_CLONES void subtract_four(const double* factors, const double* const* a, Index first, double* b, Index n) {
  const double *a0 = a[0] + first, *a1 = a[1] + first, *a2 = a[2] + first, *a3 = a[3] + first;
  const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  for (Index i = 0; i < n; ++i) {
    double x = b[i];
    x -= f0 * a0[i];
    x -= f1 * a1[i];
    x -= f2 * a2[i];
    x -= f3 * a3[i];
    b[i] = x;
  }
}
GWRM_VECTOR_CLONES void subtract(double factor, const double* a, double* b, Index n) {
  for (Index i = 0; i < n; ++i) b[i] -= factor * a[i];
}
// b -= sum_i factors[i] a_i from `first` on
void subtract_all(const double* factors, std::span<const double* const> a, Index first, double* b, Index n) {
  std::size_t i = 0;
  for (; i + kTogether <= a.size(); i += kTogether) subtract_four(factors + i, a.data() + i, first, b, n);
  for (; i < a.size(); ++i) subtract(factors[i], a[i] + first, b, n);
}

// body(part, first, count) for parts of n numbers.
template <class Body>
void for_parts(Index n, int n_threads, bool in_threads, const Body& body) {
  const Index n_parts = (n + kPart - 1) / kPart;
  for_each_index(n_parts, in_threads, n_threads,
                 [&](Index part) { body(part, part * kPart, std::min(kPart, n - part * kPart)); });
}

// Column sums of a row-major table with n_columns columns.
void add_up(const std::vector<double>& table, std::size_t n_columns, double* sums) {
  std::fill_n(sums, n_columns, 0.0);
  for (std::size_t i = 0; i < table.size(); ++i) sums[i % n_columns] += table[i];
}

}  // namespace

GramSchmidtNorms gram_schmidt(std::span<const double* const> basis, std::span<double> w, std::span<double> h,
                              int n_threads) {
  const auto n = static_cast<Index>(w.size());
  const Index n_parts = (n + kPart - 1) / kPart;
  const std::size_t n_sums = basis.size() + 1;  // the overlaps, then w . w
  const bool in_threads = n_threads > 1 && n * static_cast<Index>(n_sums) > kWorthThreads;
  std::vector<double> parts(static_cast<std::size_t>(n_parts) * n_sums), sums(n_sums);
  const auto for_each_part = [&](const auto& body) {
    for_parts(n, n_threads, in_threads, [&](Index part, Index first, Index count) {
      body(first, count, parts.data() + part * static_cast<Index>(n_sums));
    });
  };

  GramSchmidtNorms norms;
  std::fill(h.begin(), h.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for_each_part([&](Index first, Index count, double* own) {
      const double* part = w.data() + first;
      dots(basis, first, part, count, own);
      own[basis.size()] = dot(part, part, count);
    });
    add_up(parts, n_sums, sums.data());
    const double before = std::sqrt(sums.back());
    if (pass == 0) norms.before = before;
    for (std::size_t i = 0; i < basis.size(); ++i) h[i] += sums[i];
    for_each_part([&](Index first, Index count, double* own) {
      double* part = w.data() + first;
      subtract_all(sums.data(), basis, first, part, count);
      std::fill_n(own, n_sums, 0.0);
      own[basis.size()] = dot(part, part, count);
    });
    add_up(parts, n_sums, sums.data());
    norms.after = std::sqrt(sums.back());
    if (!(norms.after < kEnoughLeft * before)) break;
  }
  return norms;
}

void scale(double factor, const double* x, std::span<double> y, int n_threads) {
  const auto n = static_cast<Index>(y.size());
  for_parts(n, n_threads, n_threads > 1 && n > kWorthThreads,
            [&](Index, Index first, Index count) { multiply(factor, x + first, y.data() + first, count); });
}

void combine(std::span<const double* const> v, std::span<const double> factors, std::span<double> y, int n_threads) {
  const auto n = static_cast<Index>(y.size());
  const bool in_threads = n_threads > 1 && n * static_cast<Index>(v.size()) > kWorthThreads;
  for_parts(n, n_threads, in_threads, [&](Index, Index first, Index count) {
    std::fill_n(y.data() + first, count, 0.0);
    for (std::size_t i = 0; i < v.size(); ++i) subtract(-factors[i], v[i] + first, y.data() + first, count);
  });
}

}  // namespace gwrm
