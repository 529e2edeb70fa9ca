#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "kernels/sbp_sat/mixed_stiffness.hpp"

namespace gwrm {

MixedStiffness::MixedStiffness(int order, Index n_slow, Index n_fast, double h_slow, double h_fast,
                               std::vector<double> values)
    : slow(sbp_derivative(order, n_slow, h_slow)),
      fast(sbp_derivative(order, n_fast, h_fast)),
      slow_transposed(transposed(slow)),
      fast_transposed(transposed(fast)),
      weight(std::move(values)) {
  if (static_cast<Index>(weight.size()) != n_slow * n_fast)
    throw ShapeError("a mixed entry that does not fit its grid");
}

namespace cpu {
namespace {

constexpr Index kStrip = 16;  // rows of q at a time

// y = D x along a line.
template <int half>
GWRM_INLINE void interior_of_line(const StencilRows& d, const double* x, double* y) {
  double stencil[2 * half + 1];
  for (int k = 0; k <= 2 * half; ++k) stencil[k] = d.interior[static_cast<std::size_t>(k)];
#pragma omp simd
  for (Index i = d.n_closure; i < d.interior_end(); ++i) {
    double sum = 0.0;
    for (int k = 0; k <= 2 * half; ++k) sum += stencil[k] * x[i + k - half];
    y[i] = sum;
  }
}

GWRM_INLINE void along_line(const StencilRows& d, const double* x, double* y) {
  const auto closure = [&](Index i) {
    Index column = 0;
    double sum = 0.0;
    for (double value : d.row(i, column)) sum += value * x[column++];
    y[i] = sum;
  };
  for (Index i = 0; i < d.n_closure; ++i) closure(i);
  if (d.half == 1) interior_of_line<1>(d, x, y);
  if (d.half == 2) interior_of_line<2>(d, x, y);
  if (d.half == 3) interior_of_line<3>(d, x, y);
  for (Index i = d.interior_end(); i < d.n; ++i) closure(i);
}

// sum += row j of D times the rows x of n values, the first of which is row `first`.
GWRM_INLINE void add_rows(const StencilRows& d, Index j, const double* x, Index first, Index n, double* sum) {
  Index k = 0;
  for (double value : d.row(j, k)) {
    const double* row = x + (k++ - first) * n;
    if (value == 0.0) continue;
#pragma omp simd
    for (Index i = 0; i < n; ++i) sum[i] += value * row[i];
  }
}

GWRM_INLINE void weigh(const double* weight, Index n, double* values) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) values[i] *= weight[i];
}

struct Buffers {
  std::vector<double> flux;  // W D_fast u of the rows that a strip of q meets
  std::vector<double> slope, image;
};

GWRM_VECTOR_CLONES
void add_strip(const MixedStiffness& a, const double* u, double* q, Index begin, Index end, Buffers& buffers) {
  const Index n = a.fast.n;
  Index first = a.slow.n, last = 0;
  for (Index j = begin; j < end; ++j) {
    Index k = 0;
    const auto count = static_cast<Index>(a.slow_transposed.row(j, k).size());
    first = std::min(first, k);
    last = std::max(last, k + count);
  }
  buffers.flux.resize(static_cast<std::size_t>((last - first) * n));
  for (Index k = first; k < last; ++k) {
    double* flux = buffers.flux.data() + (k - first) * n;
    along_line(a.fast, u + k * n, flux);
    weigh(a.weight.data() + k * n, n, flux);
  }
  for (Index j = begin; j < end; ++j) {
    double *slope = buffers.slope.data(), *image = buffers.image.data(), *row = q + j * n;
    add_rows(a.slow_transposed, j, buffers.flux.data(), first, n, row);
    std::fill(slope, slope + n, 0.0);
    add_rows(a.slow, j, u, 0, n, slope);
    weigh(a.weight.data() + j * n, n, slope);
    along_line(a.fast_transposed, slope, image);
#pragma omp simd
    for (Index i = 0; i < n; ++i) row[i] += image[i];
  }
}

}  // namespace

void add_mixed_stiffness(const MixedStiffness& a, const double* u, double* q) {
  const Index n_slow = a.slow.n, n = a.fast.n, n_strips = (n_slow + kStrip - 1) / kStrip;
  ThreadErrors errors;
#pragma omp parallel if (n_slow * n > kPointsForThreads)
  {
    Buffers buffers;
    errors.run([&] {
      buffers.slope.resize(static_cast<std::size_t>(n));
      buffers.image.resize(static_cast<std::size_t>(n));
    });
#pragma omp for schedule(static)
    for (Index strip = 0; strip < n_strips; ++strip)
      errors.run([&] { add_strip(a, u, q, strip * kStrip, std::min((strip + 1) * kStrip, n_slow), buffers); });
  }
  errors.rethrow();
}

}  // namespace cpu
}  // namespace gwrm
