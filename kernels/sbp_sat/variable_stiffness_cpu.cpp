#include <string>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "kernels/sbp_sat/stencil_rows.hpp"
#include "kernels/sbp_sat/variable_stiffness.hpp"

namespace gwrm {

VariableStiffness::VariableStiffness(int order, Index slow_points, Index fast_points, double slow_spacing,
                                     double fast_spacing)
    : table(&sbp_table(order)),
      n_slow(slow_points),
      n_fast(fast_points),
      h_slow(slow_spacing),
      h_fast(fast_spacing),
      slow_weights(sbp_weights(order, slow_points, slow_spacing)),
      fast_weights(sbp_weights(order, fast_points, fast_spacing)),
      half(order / 2) {
  const Index least = table->min_intervals_variable + 1;
  if (n_slow < least || n_fast < least)
    throw ShapeError("variable coefficients of order " + std::to_string(order) + " need " + std::to_string(least) +
                     " points along each dimension");
  const int width = 2 * half + 1;
  stencil.assign(at(width * width), 0.0);
  for (const VariableStencilEntry& entry : table->variable_interior)
    stencil[(entry.offset + half) * width + entry.coefficient_offset + half] += entry.value;
}

void add_variable_row(const SbpTable& table, Index n, double h, Index i, const double* b, Index stride, double factor,
                      RowEntries& entries) {
  const double scale = factor / h;
  const bool upper = i >= n - table.variable_rows;
  if (i >= table.variable_rows && !upper) {
    for (const VariableStencilEntry& entry : table.variable_interior)
      entries.emplace_back(i + entry.offset, scale * entry.value * b[(i + entry.coefficient_offset) * stride]);
    return;
  }
  const auto place = [&](Index distance) { return upper ? n - 1 - distance : distance; };
  for (const VariableEntry& entry : table.variable_closure)
    if (place(entry.row) == i)
      entries.emplace_back(place(entry.column), scale * entry.value * b[place(entry.coefficient) * stride]);
}

namespace cpu {
namespace {

// q[i] += factor[i] sum_o u[i + o step] sum_k stencil[o][k] b[i + k step] for i in [begin, end); a null factor is 1.
template <int half>
GWRM_INLINE void add_interior(const VariableStiffness& a, const double* b, const double* u, Index step, double scale,
                              const double* factor, double* q, Index begin, Index end) {
  constexpr int width = 2 * half + 1;
  double stencil[width * width];
  for (int k = 0; k < width * width; ++k) stencil[k] = scale * a.stencil[k];
#pragma omp simd
  for (Index i = begin; i < end; ++i) {
    double sum = 0.0;
    for (int o = 0; o < width; ++o) {
      double weight = 0.0;
      for (int k = 0; k < width; ++k) weight += stencil[o * width + k] * b[i + (k - half) * step];
      sum += weight * u[i + (o - half) * step];
    }
    q[i] += factor == nullptr ? sum : factor[i] * sum;
  }
}

GWRM_INLINE void add_interior_of(const VariableStiffness& a, const double* b, const double* u, Index step, double scale,
                                 const double* factor, double* q, Index begin, Index end) {
  if (a.half == 1) add_interior<1>(a, b, u, step, scale, factor, q, begin, end);
  if (a.half == 2) add_interior<2>(a, b, u, step, scale, factor, q, begin, end);
  if (a.half == 3) add_interior<3>(a, b, u, step, scale, factor, q, begin, end);
}

GWRM_VECTOR_CLONES
void add_slow_direction(const VariableStiffness& a, const double* b, const double* u, double* q, Index j) {
  const Index n = a.n_fast;
  const double scale = 1.0 / a.h_slow;
  const double* weights = a.fast_weights.data();
  double* q_row = q + j * n;
  const bool upper = j >= a.n_slow - a.table->variable_rows;
  if (j >= a.table->variable_rows && !upper) {
    add_interior_of(a, b + j * n, u + j * n, n, scale, weights, q_row, 0, n);
    return;
  }
  const auto place = [&](Index distance) { return upper ? a.n_slow - 1 - distance : distance; };
  for (const VariableEntry& entry : a.table->variable_closure) {
    if (place(entry.row) != j) continue;
    const double value = scale * entry.value;
    const double *u_row = u + place(entry.column) * n, *b_row = b + place(entry.coefficient) * n;
#pragma omp simd
    for (Index i = 0; i < n; ++i) q_row[i] += weights[i] * value * b_row[i] * u_row[i];
  }
}

GWRM_VECTOR_CLONES
void add_fast_direction(const VariableStiffness& a, const double* c, const double* u, double* q, Index j) {
  const Index n = a.n_fast, rows = a.table->variable_rows;
  const double scale = a.slow_weights[static_cast<int>(j)] / a.h_fast;
  const double *u_row = u + j * n, *c_row = c + j * n;
  double* q_row = q + j * n;
  for (const VariableEntry& entry : a.table->variable_closure) {
    const double value = scale * entry.value;
    q_row[entry.row] += value * c_row[entry.coefficient] * u_row[entry.column];
    q_row[n - 1 - entry.row] += value * c_row[n - 1 - entry.coefficient] * u_row[n - 1 - entry.column];
  }
  add_interior_of(a, c_row, u_row, 1, scale, nullptr, q_row, rows, n - rows);
}

}  // namespace

void variable_stiffness_apply(const VariableStiffness& a, const double* b, const double* c, const double* u,
                              double* q) {
#pragma omp parallel for schedule(static) if (a.n_slow * a.n_fast > kPointsForThreads)
  for (Index j = 0; j < a.n_slow; ++j) {
    for (Index i = 0; i < a.n_fast; ++i) q[j * a.n_fast + i] = 0.0;
    add_slow_direction(a, b, u, q, j);
    add_fast_direction(a, c, u, q, j);
  }
}

}  // namespace cpu
}  // namespace gwrm
