// Single rows of A u for the separable operator, without a row of A u in memory: what is done with each value is part
// of the loop. For the passes over memory of separable_*_cpu.cpp.
#pragma once

#include <algorithm>
#include <array>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm::cpu {

// Fewer points are done sooner than threads are woken.

#ifdef _OPENMP
inline Index thread_number() {
  return omp_get_thread_num();
}
inline Index thread_count() {
  return omp_get_num_threads();
}
inline std::size_t most_threads() {
  return static_cast<std::size_t>(omp_get_max_threads());
}
#else
inline Index thread_number() {
  return 0;
}
inline Index thread_count() {
  return 1;
}
inline std::size_t most_threads() {
  return 1;
}
#endif

// Rows of n values, of which the last n_rows are kept: row j stands where row j - n_rows was. A whole grid function is
// the case n_rows = its number of rows.
struct RowRing {
  const double* values;
  Index n_rows, n;
  const double* row(Index j) const { return values + (j % n_rows) * n; }
};

// What a point adds to two sums.
struct TwoSums {
  double first = 0.0, second = 0.0;
};

// Entries of a row of A_slow: closures have at most 9, a small matrix that is all closure less than twice that.
inline constexpr int kMaxSlowEntries = 32;

// One row of A u: its entries along slow, and the rows of u that they take.
struct SeparableRow {
  SeparableRow(const SeparableOperator& of, const RowRing& u, Index j)
      : a(of), slow_weight(of.slow_weights[static_cast<std::size_t>(j)]), u_row(u.row(j)) {
    Index first = 0;
    const auto entries = a.slow.row(j, first);
    n_entries = static_cast<int>(entries.size());
    is_interior = first == j - a.slow.half && n_entries == 2 * a.slow.half + 1;
    if (n_entries > kMaxSlowEntries) throw ShapeError("separable operator: a closure that is too wide");
    for (std::size_t k = 0; k < entries.size(); ++k) {
      slow_row[k] = entries[k];
      rows[k] = u.row(first + static_cast<Index>(k));
    }
  }

  const SeparableOperator& a;
  double slow_weight;
  const double* u_row;
  int n_entries = 0;
  bool is_interior = false;  // row j of u is the middle one of `rows`
  std::array<double, kMaxSlowEntries> slow_row;
  std::array<const double*, kMaxSlowEntries> rows;

  // Columns of the closures along fast: any number of entries.
  GWRM_INLINE double closure_column(Index i) const {
    double along_slow = 0.0, along_fast = 0.0;
    for (int k = 0; k < n_entries; ++k) along_slow += slow_row[k] * rows[k][i];
    Index column = 0;
    for (double value : a.fast.row(i, column)) along_fast += value * u_row[column++];
    return a.fast_weights[static_cast<std::size_t>(i)] * along_slow + slow_weight * along_fast;
  }

  template <int half, class Point>
  GWRM_INLINE TwoSums interior(Index begin, Index end, Point point) const {
    // The interior columns have one weight.
    const double weight = a.fast_weights[static_cast<std::size_t>(begin)];
    double slow_entries[2 * half + 1], fast_entries[2 * half + 1];
    const double* u[2 * half + 1];
    for (int k = 0; k <= 2 * half; ++k) {
      slow_entries[k] = weight * slow_row[k];
      fast_entries[k] = slow_weight * a.fast.interior[k];
      u[k] = rows[k];
    }
    slow_entries[half] += fast_entries[half];
    double first = 0.0, second = 0.0;
#pragma omp simd reduction(+ : first, second)
    for (Index i = begin; i < end; ++i) {
      const double here = u[half][i];
      double image = slow_entries[half] * here;
      for (int k = 1; k <= half; ++k)
        image += slow_entries[half - k] * u[half - k][i] + slow_entries[half + k] * u[half + k][i] +
                 fast_entries[half - k] * u[half][i - k] + fast_entries[half + k] * u[half][i + k];
      const TwoSums sums = point(i, here, image);
      first += sums.first;
      second += sums.second;
    }
    return {first, second};
  }

  // Rows of the closures along slow: their entries one after the other, a piece of the row at a time.
  template <class Point>
  GWRM_INLINE TwoSums closure(Index begin, Index end, Point point) const {
    constexpr Index kPiece = 128;
    const int half = a.fast.half;
    double along_slow[kPiece], along_fast[kPiece], first = 0.0, second = 0.0;
    for (Index start = begin; start < end; start += kPiece) {
      const Index n = std::min(kPiece, end - start);
      for (Index i = 0; i < n; ++i) along_slow[i] = along_fast[i] = 0.0;
      for (int k = 0; k < n_entries; ++k) {
        const double value = slow_row[k];
        const double* u = rows[k] + start;
#pragma omp simd
        for (Index i = 0; i < n; ++i) along_slow[i] += value * u[i];
      }
      for (int k = -half; k <= half; ++k) {
        const double value = a.fast.interior[k + half];
        const double* u = u_row + start + k;
#pragma omp simd
        for (Index i = 0; i < n; ++i) along_fast[i] += value * u[i];
      }
      const double* weights = a.fast_weights.data() + start;
#pragma omp simd reduction(+ : first, second)
      for (Index i = 0; i < n; ++i) {
        const TwoSums sums =
            point(start + i, u_row[start + i], weights[i] * along_slow[i] + slow_weight * along_fast[i]);
        first += sums.first;
        second += sums.second;
      }
    }
    return {first, second};
  }
};

// Calls point(i, u(j, i), (A u)(j, i)) for all i of row j and adds up what it returns. Several points are done at once:
// `point` must touch nothing but values of its own i.
template <class Point>
GWRM_INLINE TwoSums for_row(const SeparableOperator& a, const RowRing& u, Index j, Point point) {
  const SeparableRow row(a, u, j);
  const Index n = a.fast.n, begin = a.fast.n_closure, end = a.fast.interior_end();
  TwoSums sums;
  if (!row.is_interior || a.slow.half != a.fast.half || begin >= end)
    sums = row.closure(begin, end, point);
  else if (a.fast.half == 1)
    sums = row.interior<1>(begin, end, point);
  else if (a.fast.half == 2)
    sums = row.interior<2>(begin, end, point);
  else
    sums = row.interior<3>(begin, end, point);
  const auto add = [&](Index i) {
    const TwoSums more = point(i, row.u_row[i], row.closure_column(i));
    sums.first += more.first;
    sums.second += more.second;
  };
  for (Index i = 0; i < begin; ++i) add(i);
  for (Index i = end; i < n; ++i) add(i);
  return sums;
}

// u.A u.
inline constexpr auto curvature_point = [](Index, double here, double image) GWRM_LAMBDA_INLINE {
  return TwoSums{here * image, 0.0};
};

}  // namespace gwrm::cpu
