#include "core/vector_clones.hpp"
#include "kernels/sbp_sat/separable_rows.hpp"

namespace gwrm::cpu {
namespace {

GWRM_VECTOR_CLONES
void residual_row(const SeparableOperator& a, const RowRing& grid, Index j, const double* b, double* r) {
  constexpr Index kPiece = 128;
  const SeparableRow row(a, grid, j);
  const double* u = row.u_row;
  const double slow_sum = a.slow.row_sum(j);
  const auto store = [&](Index i, double along_slow, double along_fast) GWRM_LAMBDA_INLINE {
    r[i] = b[i] - (a.fast_weights[static_cast<std::size_t>(i)] * along_slow + row.slow_weight * along_fast);
  };
  const Index begin = a.fast.n_closure, end = a.fast.interior_end();
  const double fast_sum = begin < end ? a.fast.row_sum(begin) : 0.0;
  for (Index start = begin; start < end; start += kPiece) {
    const Index n = std::min(kPiece, end - start);
    double along_slow[kPiece], along_fast[kPiece];
    for (Index i = 0; i < n; ++i) {
      along_slow[i] = slow_sum * u[start + i];
      along_fast[i] = fast_sum * u[start + i];
    }
    for (int k = 0; k < row.n_entries; ++k) {
      const double value = row.slow_row[k];
      const double* other = row.rows[k] + start;
#pragma omp simd
      for (Index i = 0; i < n; ++i) along_slow[i] += value * (other[i] - u[start + i]);
    }
    for (int k = -a.fast.half; k <= a.fast.half; ++k) {
      const double value = a.fast.interior[k + a.fast.half];
#pragma omp simd
      for (Index i = 0; i < n; ++i) along_fast[i] += value * (u[start + i + k] - u[start + i]);
    }
    for (Index i = 0; i < n; ++i) store(start + i, along_slow[i], along_fast[i]);
  }
  const auto closure = [&](Index i) {
    double along_slow = slow_sum * u[i], along_fast = a.fast.row_sum(i) * u[i];
    for (int k = 0; k < row.n_entries; ++k) along_slow += row.slow_row[k] * (row.rows[k][i] - u[i]);
    Index column = 0;
    for (double value : a.fast.row(i, column)) along_fast += value * (u[column++] - u[i]);
    store(i, along_slow, along_fast);
  };
  for (Index i = 0; i < begin; ++i) closure(i);
  for (Index i = end; i < a.fast.n; ++i) closure(i);
}

}  // namespace

void separable_residual(const SeparableOperator& a, const double* b, const double* u, double* r) {
  const RowRing rows{u, a.slow.n, a.fast.n};
#pragma omp parallel for schedule(static) if (a.size() > kPointsForThreads)
  for (Index j = 0; j < a.slow.n; ++j) residual_row(a, rows, j, b + j * a.fast.n, r + j * a.fast.n);
}

}  // namespace gwrm::cpu
