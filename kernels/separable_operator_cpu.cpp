#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/vector_clones.hpp"
#include "kernels/separable_operator.hpp"

namespace gwrm {

std::vector<double> diagonal(const SeparableOperator& a) {
  const auto diagonal_of = [](const StencilRows& rows) {
    std::vector<double> values;
    for (Index i = 0, first = 0; i < rows.n; ++i) {
      const auto row = rows.row(i, first);
      values.push_back(row[static_cast<std::size_t>(i - first)]);
    }
    return values;
  };
  const std::vector<double> slow = diagonal_of(a.slow), fast = diagonal_of(a.fast);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(a.size()));
  for (std::size_t j = 0; j < slow.size(); ++j)
    for (std::size_t i = 0; i < fast.size(); ++i)
      values.push_back(slow[j] * a.fast_weights[i] + a.slow_weights[j] * fast[i]);
  return values;
}

namespace cpu {
namespace {

#ifdef _OPENMP
Index thread_number() {
  return omp_get_thread_num();
}
Index thread_count() {
  return omp_get_num_threads();
}
std::size_t most_threads() {
  return static_cast<std::size_t>(omp_get_max_threads());
}
#else
Index thread_number() {
  return 0;
}
Index thread_count() {
  return 1;
}
std::size_t most_threads() {
  return 1;
}
#endif

// Fewer points are done sooner than threads are woken.
constexpr Index kPointsForThreads = 20000;

// One row of q: `slow_row` are the entries of A_slow from row `u_first` of u on, `u_row` is row j of u.
struct RowTask {
  const double* slow_row;
  int n_slow_entries;
  const double* u_first;
  const double* u_row;
  double slow_weight;
  double* q_row;
};

// What a closure row or column gets: any number of entries.
GWRM_INLINE double general_point(const SeparableOperator& a, const RowTask& task, Index i) {
  double along_slow = 0.0, along_fast = 0.0;
  for (int k = 0; k < task.n_slow_entries; ++k) along_slow += task.slow_row[k] * task.u_first[k * a.fast.n + i];
  Index column = 0;
  for (double value : a.fast.row(i, column)) along_fast += value * task.u_row[column++];
  return a.fast_weights[at(static_cast<int>(i))] * along_slow + task.slow_weight * along_fast;
}

template <int half>
GWRM_INLINE void interior_points(const SeparableOperator& a, const RowTask& task, Index begin, Index end) {
  const Index n = a.fast.n;
  double slow_row[2 * half + 1], fast_row[2 * half + 1];
  for (int k = 0; k <= 2 * half; ++k) {
    slow_row[k] = task.slow_row[k];
    fast_row[k] = task.slow_weight * a.fast.interior[at(k)];
  }
  const double *u_first = task.u_first, *u_row = task.u_row, *weights = a.fast_weights.data();
  double* q = task.q_row;
#pragma omp simd
  for (Index i = begin; i < end; ++i) {
    double along_slow = 0.0, along_fast = 0.0;
    for (int k = 0; k <= 2 * half; ++k) {
      along_slow += slow_row[k] * u_first[k * n + i];
      along_fast += fast_row[k] * u_row[i + k - half];
    }
    q[i] = weights[i] * along_slow + along_fast;
  }
}

// Rows of the closures: the entries one after the other.
GWRM_INLINE void closure_points(const SeparableOperator& a, const RowTask& task, Index begin, Index end) {
  const Index n = a.fast.n;
  double* q = task.q_row;
  for (Index i = begin; i < end; ++i) q[i] = 0.0;
  for (int k = 0; k < task.n_slow_entries; ++k) {
    const double value = task.slow_row[k];
    const double* u = task.u_first + k * n;
#pragma omp simd
    for (Index i = begin; i < end; ++i) q[i] += value * u[i];
  }
  const int half = a.fast.half;
  for (Index i = begin; i < end; ++i) {
    double along_fast = 0.0;
    for (int k = 0; k <= 2 * half; ++k) along_fast += a.fast.interior[at(k)] * task.u_row[i + k - half];
    q[i] = a.fast_weights[at(static_cast<int>(i))] * q[i] + task.slow_weight * along_fast;
  }
}

GWRM_VECTOR_CLONES
void apply_row(const SeparableOperator& a, const double* u, double* q_row, Index j) {
  const Index n = a.fast.n;
  Index first_row = 0;
  const auto slow_row = a.slow.row(j, first_row);
  const RowTask task{slow_row.data(), static_cast<int>(slow_row.size()),       u + first_row * n,
                     u + j * n,       a.slow_weights[at(static_cast<int>(j))], q_row};
  const Index begin = a.fast.n_closure, end = a.fast.interior_end();
  for (Index i = 0; i < begin; ++i) task.q_row[i] = general_point(a, task, i);
  const bool interior = task.n_slow_entries == 2 * a.fast.half + 1;
  if (interior && a.fast.half == 1)
    interior_points<1>(a, task, begin, end);
  else if (interior && a.fast.half == 2)
    interior_points<2>(a, task, begin, end);
  else if (interior && a.fast.half == 3)
    interior_points<3>(a, task, begin, end);
  else
    closure_points(a, task, begin, end);
  for (Index i = end; i < n; ++i) task.q_row[i] = general_point(a, task, i);
}

GWRM_VECTOR_CLONES
void update_row(double beta, const double* r, const double* s, double* p, Index begin, Index end) {
  if (s == nullptr) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) p[i] = r[i] + beta * p[i];
  } else {
#pragma omp simd
    for (Index i = begin; i < end; ++i) p[i] = s[i] * r[i] + beta * p[i];
  }
}

GWRM_VECTOR_CLONES
double dot_row(const double* p, const double* q, Index n) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += p[i] * q[i];
  return sum;
}

}  // namespace

void separable_apply(const SeparableOperator& a, const double* u, double* q) {
#pragma omp parallel for schedule(static) if (a.size() > kPointsForThreads)
  for (Index j = 0; j < a.slow.n; ++j) apply_row(a, u, q + j * a.fast.n, j);
}

std::size_t separable_workspace(const SeparableOperator& a) {
  // Two sums for each row, and a row of A p for each thread.
  return 2 * static_cast<std::size_t>(a.slow.n) + most_threads() * static_cast<std::size_t>(a.fast.n);
}

double separable_direction(const SeparableOperator& a, double beta, const double* r, const double* s, double* p,
                           double* workspace) {
  const Index n_rows = a.slow.n, n = a.fast.n;
#pragma omp parallel if (a.size() > kPointsForThreads)
  {
    const Index thread = thread_number(), n_threads = thread_count();
    double* image = workspace + 2 * n_rows + thread * n;
    const Index begin = n_rows * thread / n_threads, end = n_rows * (thread + 1) / n_threads;
    // A thread's rows of A p need rows of p around them: those at its edges come first, for its neighbours; the others
    // just before they are used, while they are in the cache.
    const Index reach = std::max(a.slow.half, a.slow.closure_width);
    const Index early_end = std::min(begin + reach, end), late_begin = std::max(early_end, end - reach);
    update_row(beta, r, s, p, begin * n, early_end * n);
    update_row(beta, r, s, p, late_begin * n, end * n);
#pragma omp barrier
    Index updated = early_end;
    for (Index j = begin; j < end; ++j) {
      const Index needed = std::min(j < a.slow.n_closure ? reach + 1 : j + a.slow.half + 1, late_begin);
      if (needed > updated) {
        update_row(beta, r, s, p, updated * n, needed * n);
        updated = needed;
      }
      apply_row(a, p, image, j);
      workspace[j] = dot_row(p + j * n, image, n);
    }
  }
  double sum = 0.0;
  for (Index j = 0; j < n_rows; ++j) sum += workspace[j];
  return sum;
}

ResidualSums separable_step(const SeparableOperator& a, double alpha, const double* p, const double* s, double* x,
                            double* r, double* workspace) {
  const Index n_rows = a.slow.n, n = a.fast.n;
#pragma omp parallel if (a.size() > kPointsForThreads)
  {
    double* image = workspace + 2 * n_rows + thread_number() * n;
#pragma omp for schedule(static)
    for (Index j = 0; j < n_rows; ++j) {
      apply_row(a, p, image, j);
      const ResidualSums sums =
          step_row(n, alpha, p + j * n, image, s == nullptr ? nullptr : s + j * n, x + j * n, r + j * n);
      workspace[2 * j] = sums.plain;
      workspace[2 * j + 1] = sums.scaled;
    }
  }
  ResidualSums total;
  for (Index j = 0; j < n_rows; ++j) {
    total.plain += workspace[2 * j];
    total.scaled += workspace[2 * j + 1];
  }
  return total;
}

}  // namespace cpu
}  // namespace gwrm
