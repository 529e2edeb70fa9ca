#include <algorithm>

#include "core/vector_clones.hpp"
#include "kernels/sbp_sat/separable_rows.hpp"

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
void apply_row(const SeparableOperator& a, const RowRing& u, Index j, double* q) {
  for_row(a, u, j, [q](Index i, double, double image) GWRM_LAMBDA_INLINE {
    q[i] = image;
    return TwoSums();
  });
}

// p.A p.
GWRM_VECTOR_CLONES
double curvature_row(const SeparableOperator& a, const RowRing& rows, Index j) {
  return for_row(a, rows, j, curvature_point).first;
}

GWRM_VECTOR_CLONES
ResidualSums step_row(const SeparableOperator& a, double alpha, const RowRing& rows, Index j, const double* s,
                      double* x, double* r) {
  if (s == nullptr) {
    const TwoSums sums = for_row(a, rows, j, [=](Index i, double here, double image) GWRM_LAMBDA_INLINE {
      x[i] += alpha * here;
      const double residual = r[i] - alpha * image;
      r[i] = residual;
      return TwoSums{residual * residual, 0.0};
    });
    return {sums.first, sums.first};
  }
  const TwoSums sums = for_row(a, rows, j, [=](Index i, double here, double image) GWRM_LAMBDA_INLINE {
    x[i] += alpha * here;
    const double residual = r[i] - alpha * image;
    r[i] = residual;
    return TwoSums{residual * residual, s[i] * residual * residual};
  });
  return {sums.first, sums.second};
}

}  // namespace

void separable_apply(const SeparableOperator& a, const double* u, double* q) {
  const RowRing rows{u, a.slow.n, a.fast.n};
#pragma omp parallel for schedule(static) if (a.size() > kPointsForThreads)
  for (Index j = 0; j < a.slow.n; ++j) apply_row(a, rows, j, q + j * a.fast.n);
}

std::size_t separable_workspace(const SeparableOperator& a) {
  return 2 * static_cast<std::size_t>(a.slow.n);  // two sums for each row
}

double separable_direction(const SeparableOperator& a, double beta, const double* r, const double* s, double* p,
                           double* workspace) {
  const Index n_rows = a.slow.n, n = a.fast.n;
  const RowRing rows{p, n_rows, n};
#pragma omp parallel if (a.size() > kPointsForThreads)
  {
    const Index thread = thread_number(), n_threads = thread_count();
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
      workspace[j] = curvature_row(a, rows, j);
    }
  }
  double sum = 0.0;
  for (Index j = 0; j < n_rows; ++j) sum += workspace[j];
  return sum;
}

ResidualSums separable_step(const SeparableOperator& a, double alpha, const double* p, const double* s, double* x,
                            double* r, double* workspace) {
  const Index n_rows = a.slow.n, n = a.fast.n;
  const RowRing rows{p, n_rows, n};
#pragma omp parallel for schedule(static) if (a.size() > kPointsForThreads)
  for (Index j = 0; j < n_rows; ++j) {
    const ResidualSums sums = step_row(a, alpha, rows, j, s == nullptr ? nullptr : s + j * n, x + j * n, r + j * n);
    workspace[2 * j] = sums.plain;
    workspace[2 * j + 1] = sums.scaled;
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
