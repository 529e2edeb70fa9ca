#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/recurrence/recurrence_paper.hpp"

namespace gwrm {
namespace {

template <class Value>
void forward_sums(Value* d, Index n) {
  for (Index i = 1; i < n; ++i) d[i] += d[i - 1];
}

template <class Value>
void backward_sums(Value* d, Index n) {
  for (Index i = n - 1; i-- > 0;) d[i] += d[i + 1];
}

// Steps 1B and 2B, in the precision Carry: each column's last (first) value becomes the sum over the columns.
template <class Carry, class Value>
void sum_last_values(Value* d, Index s, Index r) {
  Carry sum = d[s - 1];
  for (Index j = 1; j < r; ++j) {
    sum = static_cast<Carry>(d[j * s + s - 1]) + sum;
    d[j * s + s - 1] = static_cast<Value>(sum);
  }
}

template <class Carry, class Value>
void sum_first_values(Value* d, Index s, Index r) {
  Carry sum = d[(r - 1) * s];
  for (Index j = r - 1; j-- > 0;) {
    sum = static_cast<Carry>(d[j * s]) + sum;
    d[j * s] = static_cast<Value>(sum);
  }
}

template <class Carry, class Value>
void divide_and_conquer(Value* d, Index s, Index r, int n_threads) {
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (Index j = 0; j < r; ++j) forward_sums(d + j * s, s);  // 1A
  sum_last_values<Carry>(d, s, r);                           // 1B
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (Index j = 0; j < r; ++j) {
    Value* const column = d + j * s;
    if (j > 0) {
      const Value before = column[-1];                        // the last value of the column before: 1C leaves it alone
      for (Index k = 0; k + 1 < s; ++k) column[k] += before;  // 1C
    }
  }
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (Index j = 0; j < r; ++j) backward_sums(d + j * s, s);  // 2A
  sum_first_values<Carry>(d, s, r);                           // 2B
#pragma omp parallel for schedule(static) num_threads(n_threads)
  for (Index j = 0; j < r - 1; ++j) {
    Value* const column = d + j * s;
    const Value behind = column[s];                     // the first value of the next column: 2C leaves it alone
    for (Index k = 1; k < s; ++k) column[k] += behind;  // 2C
  }
}

Index column_length(Index n, Index columns) {
  if (columns < 1 || n % columns != 0 || n / columns < 2)
    throw ShapeError("divide and conquer: " + std::to_string(n) + " values do not fill " + std::to_string(columns) +
                     " columns of two values at least");
  return n / columns;
}

[[noreturn]] void wrong_precision() {
  throw ShapeError("paper_recurrence: the array has not the precision of the algorithm");
}

// Whether the device has done it.
template <class Value>
bool done_by_device(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<Value> d) {
#if GWRM_HAVE_CUDA
  if (context.backend() != Backend::cuda || is_sequential(algorithm)) return false;
  column_length(static_cast<Index>(d.size()), columns);
  cuda::paper_recurrence(context, algorithm, columns, d);
  return true;
#else
  static_cast<void>(context), static_cast<void>(algorithm), static_cast<void>(columns), static_cast<void>(d);
  return false;
#endif
}

}  // namespace

void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<double> d) {
  if (algorithm == PaperAlgorithm::a2d && done_by_device(context, algorithm, columns, d)) return;
  const Index n = static_cast<Index>(d.size());
  switch (algorithm) {
    case PaperAlgorithm::a1d:
      forward_sums(d.data(), n);
      return backward_sums(d.data(), n);
    case PaperAlgorithm::a2d:
      return divide_and_conquer<double>(d.data(), column_length(n, columns), columns, context.n_threads());
    default:
      wrong_precision();
  }
}

void paper_recurrence(const Context& context, PaperAlgorithm algorithm, Index columns, std::span<float> d) {
  const bool is_mine = algorithm == PaperAlgorithm::a2s || algorithm == PaperAlgorithm::a2sd;
  if (is_mine && done_by_device(context, algorithm, columns, d)) return;
  const Index n = static_cast<Index>(d.size());
  switch (algorithm) {
    case PaperAlgorithm::a1s:
      forward_sums(d.data(), n);
      return backward_sums(d.data(), n);
    case PaperAlgorithm::a2s:
      return divide_and_conquer<float>(d.data(), column_length(n, columns), columns, context.n_threads());
    case PaperAlgorithm::a2sd:
      return divide_and_conquer<double>(d.data(), column_length(n, columns), columns, context.n_threads());
    default:
      wrong_precision();
  }
}

Index square_columns(Index n) {
  Index r = static_cast<Index>(std::sqrt(static_cast<double>(n)));
  while (r > 1 && n % r != 0) --r;
  return r;
}

}  // namespace gwrm
