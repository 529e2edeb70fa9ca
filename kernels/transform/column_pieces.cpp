#include "kernels/transform/column_pieces.hpp"

namespace gwrm::cpu {
namespace {

constexpr Index kRowsAtOnce = 8;  // of contiguous columns: one line of the cache of each

// run(c, address, length): columns c .. c + length - 1 of the piece lie next to each other from the offset on.
template <class Run>
void all_runs(Index n, Index inner, Index first, Index count, Run&& run) {
  for (Index c = 0, length = 0; c < count; c += length) {
    const Index outer = (first + c) / inner, behind = (first + c) % inner;
    length = std::min(count - c, inner - behind);
    run(c, outer * n * inner + behind, length);
  }
}

}  // namespace

void gather_columns(const double* x, Index n, Index inner, Index first, Index count, Index width, double* rows) {
  if (width > count)
    for (Index k = 0; k < n; ++k) std::fill_n(rows + k * width + count, width - count, 0.0);
  if (inner > 1) {
    all_runs(n, inner, first, count, [&](Index c, Index at, Index length) {
      for (Index k = 0; k < n; ++k) std::copy_n(x + at + k * inner, length, rows + k * width + c);
    });
    return;
  }
  const double* columns = x + first * n;
  for (Index k = 0; k < n; k += kRowsAtOnce)
    for (Index c = 0; c < count; ++c)
      for (Index i = k; i < std::min(k + kRowsAtOnce, n); ++i) rows[i * width + c] = columns[c * n + i];
}

void scatter_columns(const double* rows, Index n, Index inner, Index first, Index count, Index width, double* y) {
  if (inner > 1) {
    all_runs(n, inner, first, count, [&](Index c, Index at, Index length) {
      for (Index k = 0; k < n; ++k) std::copy_n(rows + k * width + c, length, y + at + k * inner);
    });
    return;
  }
  double* columns = y + first * n;
  for (Index k = 0; k < n; k += kRowsAtOnce)
    for (Index c = 0; c < count; ++c)
      for (Index i = k; i < std::min(k + kRowsAtOnce, n); ++i) columns[c * n + i] = rows[i * width + c];
}

}  // namespace gwrm::cpu
