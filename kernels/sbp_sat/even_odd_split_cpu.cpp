#include <algorithm>
#include <vector>

#include "core/array.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "kernels/sbp_sat/even_odd_split.hpp"

namespace gwrm::cpu {
namespace {

// A row of the grid in its parts.
GWRM_VECTOR_CLONES void fold_row(const EvenOddSplit& fast, const double* x, double* folded) {
  const Index n = fast.n, pitch = fast.pitch;
  if (fast.n_parts == 1) {
    std::copy(x, x + n, folded);
    std::fill(folded + n, folded + pitch, 0.0);
    return;
  }
  const Index pairs = n / 2;
  double *even = folded, *odd = folded + pitch;
#pragma omp simd
  for (Index i = 0; i < pairs; ++i) {
    const double here = x[i], there = x[n - 1 - i];
    even[i] = here + there;
    odd[i] = here - there;
  }
  if (pairs < n - pairs) even[pairs] = x[pairs];
  std::fill(even + (n - pairs), odd, 0.0);
  std::fill(odd + pairs, odd + pitch, 0.0);
}

GWRM_VECTOR_CLONES void unfold_row(const EvenOddSplit& fast, const double* folded, double* x) {
  const Index n = fast.n;
  if (fast.n_parts == 1) {
    std::copy(folded, folded + n, x);
    return;
  }
  const Index pairs = n / 2;
  const double *even = folded, *odd = folded + fast.pitch;
#pragma omp simd
  for (Index i = 0; i < pairs; ++i) {
    x[i] = even[i] + odd[i];
    x[n - 1 - i] = even[i] - odd[i];
  }
  if (pairs < n - pairs) x[pairs] = even[pairs];
}

GWRM_VECTOR_CLONES void sum_and_difference(Index n, const double* x, const double* y, double* sum, double* difference) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double first = x[i], second = y[i];
    sum[i] = first + second;
    difference[i] = first - second;
  }
}

}  // namespace

// Pairs of rows, one from either end, meet in two rows that stay in the cache.
void fold(const EvenOddSplit& slow, const EvenOddSplit& fast, const double* x, double* folded) {
  const Index n = fast.n, width = fast.extent(), pairs = slow.n_parts == 1 ? 0 : slow.n / 2;
  ThreadErrors errors;
#pragma omp parallel if (Index{slow.n} * n > kPointsForThreads)
  {
    std::vector<double> sum, difference;
    errors.run([&] { sum.resize(static_cast<std::size_t>(n)), difference.resize(static_cast<std::size_t>(n)); });
#pragma omp for schedule(static)
    for (Index j = 0; j < slow.pitch; ++j)
      errors.run([&] {
        double *even = folded + j * width, *odd = even + slow.pitch * width;
        if (j < pairs) {
          sum_and_difference(n, x + j * n, x + (slow.n - 1 - j) * n, sum.data(), difference.data());
          fold_row(fast, sum.data(), even);
          fold_row(fast, difference.data(), odd);
          return;
        }
        if (j < slow.size(0))
          fold_row(fast, x + j * n, even);
        else
          std::fill(even, even + width, 0.0);
        if (slow.n_parts == 2) std::fill(odd, odd + width, 0.0);
      });
  }
  errors.rethrow();
}

void unfold(const EvenOddSplit& slow, const EvenOddSplit& fast, const double* folded, double* x) {
  const Index n = fast.n, width = fast.extent(), pairs = slow.n_parts == 1 ? 0 : slow.n / 2;
  ThreadErrors errors;
#pragma omp parallel if (Index{slow.n} * n > kPointsForThreads)
  {
    std::vector<double> even, odd;
    errors.run([&] { even.resize(static_cast<std::size_t>(n)), odd.resize(static_cast<std::size_t>(n)); });
#pragma omp for schedule(static)
    for (Index j = 0; j < slow.size(0); ++j)
      errors.run([&] {
        const double* row = folded + j * width;
        if (j >= pairs) {
          unfold_row(fast, row, x + j * n);
          return;
        }
        unfold_row(fast, row, even.data());
        unfold_row(fast, row + slow.pitch * width, odd.data());
        sum_and_difference(n, even.data(), odd.data(), x + j * n, x + (slow.n - 1 - j) * n);
      });
  }
  errors.rethrow();
}

}  // namespace gwrm::cpu
