#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/vector_clones.hpp"
#include "kernels/stencil/second_difference_weights.hpp"
#include "kernels/stencil/second_differences.hpp"

namespace gwrm {
namespace cpu {
namespace {

// Along y and z all points of a row in x have the same weights: rows of the other fields, and a factor for each.
template <int Order>
struct Rows {
  static constexpr int kCount = SecondDifference<Order>::kWidth;  // inner rows have fewer; the rest counts 0 times
  std::array<const double*, kCount> values;
  std::array<double, kCount> factors;
};

template <int Order, bool Periodic>
Rows<Order> rows_of(const double* field, Index i, Index n, Index stride, double scale) {
  Rows<Order> rows;
  rows.values.fill(field);
  rows.factors.fill(0.0);
  int count = 0;
  const auto note = [&](int j) {
    rows.values[static_cast<std::size_t>(count)] = field + j * stride;
    ++count;
    return 0.0;
  };
  second_difference<Order, Periodic>(static_cast<int>(i), static_cast<int>(n), note);
  for (int k = 0; k < count; ++k) {
    int seen = 0;
    rows.factors[static_cast<std::size_t>(k)] =
        scale * second_difference<Order, Periodic>(static_cast<int>(i), static_cast<int>(n),
                                                   [&](int) { return seen++ == k ? 1.0 : 0.0; });
  }
  return rows;
}

// out[x], x = first .. last - 1, where f has its inner row.
template <int Order>
GWRM_INLINE void inner_points(const double* f, double scale, const Rows<Order>& g, const Rows<Order>& e, Index first,
                              Index last, double* out) {
  using Weights = SecondDifference<Order>;
  for (Index x = first; x < last; ++x) {
    double sum = 0.0;
    for (int k = -Weights::kRadius; k <= Weights::kRadius; ++k) sum += Weights::inner(k) * f[x + k];
    sum *= scale;
    for (std::size_t k = 0; k < g.values.size(); ++k) sum += g.factors[k] * g.values[k][x];
    for (std::size_t k = 0; k < e.values.size(); ++k) sum += e.factors[k] * e.values[k][x];
    out[x] = sum;
  }
}

GWRM_VECTOR_CLONES void inner_points_2(const double* f, double scale, const Rows<2>& g, const Rows<2>& e, Index first,
                                       Index last, double* out) {
  inner_points<2>(f, scale, g, e, first, last, out);
}
GWRM_VECTOR_CLONES void inner_points_4(const double* f, double scale, const Rows<4>& g, const Rows<4>& e, Index first,
                                       Index last, double* out) {
  inner_points<4>(f, scale, g, e, first, last, out);
}

template <int Order, bool Periodic>
void row(const StencilGrid& grid, const double* f, double scale, const Rows<Order>& g, const Rows<Order>& e,
         double* out) {
  constexpr Index kEnd = SecondDifference<Order>::kRadius;  // and never fewer than the rows at the ends
  const Index n = grid.nx, first = std::min(kEnd, n), last = std::max(first, n - kEnd);
  const auto end_point = [&](Index x) {
    double sum = scale * second_difference<Order, Periodic>(static_cast<int>(x), static_cast<int>(n),
                                                            [&](int j) { return f[j]; });
    for (std::size_t k = 0; k < g.values.size(); ++k) sum += g.factors[k] * g.values[k][x];
    for (std::size_t k = 0; k < e.values.size(); ++k) sum += e.factors[k] * e.values[k][x];
    out[x] = sum;
  };
  for (Index x = 0; x < first; ++x) end_point(x);
  if constexpr (Order == 2)
    inner_points_2(f, scale, g, e, first, last, out);
  else
    inner_points_4(f, scale, g, e, first, last, out);
  for (Index x = last; x < n; ++x) end_point(x);
}

template <int Order, bool Periodic>
void apply(const StencilGrid& grid, const double* f, const double* g, const double* e, double* out, int n_threads) {
  const Index plane = grid.ny * grid.nx;
#pragma omp parallel for collapse(2) num_threads(n_threads) schedule(static)
  for (Index z = 0; z < grid.nz; ++z)
    for (Index y = 0; y < grid.ny; ++y) {
      const Index start = z * plane + y * grid.nx;
      row<Order, Periodic>(grid, f + start, 1.0 / (grid.hx * grid.hx),
                           rows_of<Order, Periodic>(g + z * plane, y, grid.ny, grid.nx, 1.0 / (grid.hy * grid.hy)),
                           rows_of<Order, Periodic>(e + y * grid.nx, z, grid.nz, plane, 1.0 / (grid.hz * grid.hz)),
                           out + start);
    }
}

}  // namespace

void second_differences(const StencilGrid& grid, int order, const double* f, const double* g, const double* e,
                        double* out, int n_threads) {
  const bool is_periodic = grid.boundary == StencilBoundary::periodic;
  if (order == 2)
    is_periodic ? apply<2, true>(grid, f, g, e, out, n_threads) : apply<2, false>(grid, f, g, e, out, n_threads);
  else
    is_periodic ? apply<4, true>(grid, f, g, e, out, n_threads) : apply<4, false>(grid, f, g, e, out, n_threads);
}

}  // namespace cpu

void check_second_differences(const StencilGrid& grid, int order) {
  if (order != 2 && order != 4)
    throw ShapeError("second differences: order " + std::to_string(order) + ", expected 2 or 4");
  const Index least = grid.boundary == StencilBoundary::periodic ? 1
                      : order == 2                               ? SecondDifference<2>::kWidth
                                                                 : SecondDifference<4>::kWidth;
  for (const Index n : {grid.nx, grid.ny, grid.nz})
    if (n < least || n > std::numeric_limits<int>::max() - 2)
      throw ShapeError("second differences: " + std::to_string(n) + " points along an axis, at least " +
                       std::to_string(least) + " are needed");
  for (const double h : {grid.hx, grid.hy, grid.hz})
    if (!(h > 0.0)) throw ShapeError("second differences: a step h is not positive");
}

void second_differences(const Context& context, const StencilGrid& grid, int order, const double* f, const double* g,
                        const double* e, double* out) {
  check_second_differences(grid, order);
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::second_differences(context, grid, order, f, g, e, out);
#endif
  cpu::second_differences(grid, order, f, g, e, out, context.n_threads());
}

}  // namespace gwrm
