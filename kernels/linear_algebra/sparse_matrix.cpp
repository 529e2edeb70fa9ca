#include "kernels/linear_algebra/sparse_matrix.hpp"

#include <algorithm>
#include <limits>

#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr Index kSparseRowsForThreads = 20000;

// Sorted, each column once, no zeros but that of the diagonal.
void merge(RowEntries& entries, Index row) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size();) {
    auto merged = entries[i];
    for (++i; i < entries.size() && entries[i].first == merged.first; ++i) merged.second += entries[i].second;
    if (merged.second != 0.0 || merged.first == row) entries[kept++] = merged;
  }
  entries.resize(kept);
}

}  // namespace

CsrMatrix assemble_csr(Index n, const std::function<void(Index, RowEntries&)>& row_of) {
  if (n > std::numeric_limits<std::int32_t>::max()) throw ShapeError("assemble_csr: too many rows for 32-bit columns");
  CsrMatrix a;
  a.n = n;
  a.row_start.assign(static_cast<std::size_t>(n) + 1, 0);
  ThreadErrors errors;
#pragma omp parallel
  {
    RowEntries entries;
    const auto gather = [&](Index i) {
      entries.clear();
      row_of(i, entries);
      merge(entries, i);
    };
#pragma omp for schedule(static)
    for (Index i = 0; i < n; ++i)
      errors.run([&] {
        gather(i);
        a.row_start[static_cast<std::size_t>(i) + 1] = static_cast<std::int64_t>(entries.size());
      });
#pragma omp single
    errors.run([&] {
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) a.row_start[i + 1] += a.row_start[i];
      a.columns.resize(static_cast<std::size_t>(a.row_start.back()));
      a.values.resize(static_cast<std::size_t>(a.row_start.back()));
    });
#pragma omp for schedule(static)
    for (Index i = 0; i < n; ++i)
      errors.run([&] {
        gather(i);
        auto place = static_cast<std::size_t>(a.row_start[static_cast<std::size_t>(i)]);
        for (const auto& [column, value] : entries) {
          a.columns[place] = static_cast<std::int32_t>(column);
          a.values[place++] = value;
        }
      });
  }
  errors.rethrow();
  return a;
}

EllMatrix to_ell(const CsrMatrix& a) {
  EllMatrix ell;
  ell.n = a.n;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.n); ++i)
    ell.width = std::max(ell.width, static_cast<int>(a.row_start[i + 1] - a.row_start[i]));
  const auto n = static_cast<std::size_t>(a.n);
  ell.columns.resize(n * at(ell.width));
  ell.values.assign(n * at(ell.width), 0.0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const auto start = static_cast<std::size_t>(a.row_start[i]), end = static_cast<std::size_t>(a.row_start[i + 1]);
    for (std::size_t k = 0; k < at(ell.width); ++k) {
      const bool is_entry = start + k < end;
      ell.columns[k * n + i] = is_entry ? a.columns[start + k] : static_cast<std::int32_t>(i);
      if (is_entry) ell.values[k * n + i] = a.values[start + k];
    }
  }
  return ell;
}

std::vector<double> diagonal(const CsrMatrix& a) {
  std::vector<double> values(static_cast<std::size_t>(a.n), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (auto k = static_cast<std::size_t>(a.row_start[i]); k < static_cast<std::size_t>(a.row_start[i + 1]); ++k)
      if (a.columns[k] == static_cast<std::int32_t>(i)) values[i] = a.values[k];
  return values;
}

namespace cpu {

void csr_apply(const CsrMatrix& a, const double* u, double* q) {
#pragma omp parallel for schedule(static) if (a.n > kSparseRowsForThreads)
  for (Index i = 0; i < a.n; ++i) {
    double sum = 0.0;
    const std::int64_t end = a.row_start[static_cast<std::size_t>(i) + 1];
    for (std::int64_t k = a.row_start[static_cast<std::size_t>(i)]; k < end; ++k)
      sum += a.values[static_cast<std::size_t>(k)] * u[a.columns[static_cast<std::size_t>(k)]];
    q[i] = sum;
  }
}

void ell_apply(const EllMatrix& a, const double* u, double* q) {
  // Blocks of rows whose part of q stays in the first-level cache while the columns of entries are added.
  constexpr Index block = 1024;
#pragma omp parallel for schedule(static) if (a.n > kSparseRowsForThreads)
  for (Index begin = 0; begin < a.n; begin += block) {
    const Index end = std::min(a.n, begin + block);
    std::fill(q + begin, q + end, 0.0);
    for (int k = 0; k < a.width; ++k) {
      const double* values = a.values.data() + k * a.n;
      const std::int32_t* columns = a.columns.data() + k * a.n;
      for (Index i = begin; i < end; ++i) q[i] += values[i] * u[columns[i]];
    }
  }
}

}  // namespace cpu
}  // namespace gwrm
