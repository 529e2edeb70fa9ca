#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/column_pieces.hpp"
#include "kernels/transform/legendre_rotations.hpp"

namespace gwrm::cpu {
namespace {

// A piece of columns: row j holds the frequency or degree j, of which 0 counts for even orders only.
struct RotationPiece {
  double* rows;
  Index width;
  bool odd;  // order

  double* row(Index j) const { return rows + j * width; }
  double* first() const { return row(odd ? 1 : 0); }  // the lowest that counts
  void clear(Index begin, Index end) const { std::fill(row(begin), row(end), 0.0); }
  template <class Factor>  // row j times factor(j)
  void scale(Index begin, Index end, Factor&& factor) const {
    for (Index j = begin; j < end; ++j) {
      const double f = factor(j);
      for (double* x = row(j); x < row(j + 1); ++x) *x *= f;
    }
  }
};

// The norm in dx of P_j, or of sin(theta) P_j'.
double norm(bool odd, Index j) {
  const double degree = static_cast<double>(j);
  return std::sqrt((odd ? 2.0 * degree * (degree + 1.0) : 2.0) / (2.0 * degree + 1.0));
}

// Values at the nodes (from `first` on) to a series of T_i, i <= N_x: their own, or that of minus its derivative in
// theta.
void values_to_chebyshev(const LegendreRotationGrid& grid, const RotationPiece& p) {
  const Index n = grid.n_points();
  const double factor = 2.0 / static_cast<double>(n);
  const CosinePlan& transform = grid.from_values(p.odd ? 1 : 0);
  cosine_transform(transform, p.first(), n, p.first(), n, 1, p.width, {factor, p.odd ? 1.0 : 0.5});
  if (!p.odd) {
    p.clear(n, n + 1);
    return;
  }
  p.clear(0, 1);
  p.scale(1, n + 1, [n](Index i) { return (i == n ? 0.5 : 1.0) / static_cast<double>(i); });  // s_N counts half
}

// The way back, from a series of T_i, i <= L.
void chebyshev_to_values(const LegendreRotationGrid& grid, const RotationPiece& p) {
  const Index n = grid.n_points(), n_known = grid.degree() + 1;
  if (p.odd) p.scale(1, n_known, [](Index i) { return static_cast<double>(i); });
  p.clear(n_known, n + 1);
  cosine_transform(grid.to_values(p.odd ? 1 : 0), p.first(), n, p.first(), n, 1, p.width);
}

Index n_rows(const LegendreRotationPlan& plan) {
  return plan.grid().n_points() + 1;
}
Index workspace_of_thread(const LegendreRotationPlan& plan) {
  const LegendreRotationGrid& grid = plan.grid();
  return n_rows(plan) * kColumnsOfPiece +
         std::max(connection_workspace(grid.to_legendre(), 1), connection_workspace(grid.to_chebyshev(), 1));
}

// work(first column, the piece, scratch space of the connection) for all pieces.
template <class Work>
void all_columns(const LegendreRotationPlan& plan, Index outer, Index inner, double* workspace, int n_threads,
                 Work&& work) {
  if (outer < 0 || inner < 0)
    throw ShapeError("associated Legendre transform: " + std::to_string(outer) + " x " + std::to_string(inner) +
                     " columns");
  if (outer * inner == 0) return;
  all_pieces(outer * inner, n_threads, workspace, workspace_of_thread(plan),
             [&](Index first, Index width, double* own) {
               work(first, RotationPiece{own, width, plan.m() % 2 == 1}, own + n_rows(plan) * kColumnsOfPiece);
             });
}

}  // namespace

Index legendre_rotations_workspace(const LegendreRotationPlan& plan, int n_threads) {
  return std::max(1, n_threads) * workspace_of_thread(plan);
}

void legendre_rotations_forward(const LegendreRotationPlan& plan, const double* f, double* c, Index outer, Index inner,
                                double* workspace, int n_threads) {
  const LegendreRotationGrid& grid = plan.grid();
  const Index n_points = grid.n_points(), n = plan.n(), degree = plan.m() + n - 1;
  all_columns(plan, outer, inner, workspace, n_threads, [&](Index first, const RotationPiece& p, double* scratch) {
    gather_columns(f, n_points, inner, first, p.width, p.width, p.first());
    values_to_chebyshev(grid, p);
    chebyshev_legendre(grid.to_legendre(), false, p.rows, p.rows, 1, p.width, scratch, 1);
    p.scale(p.odd ? 1 : 0, degree + 1, [&](Index j) { return norm(p.odd, j); });
    rotate_forward(plan.chain(), n, p.width, p.first());
    scatter_columns(p.first(), n, inner, first, p.width, p.width, c);
  });
}

void legendre_rotations_backward(const LegendreRotationPlan& plan, const double* c, double* f, Index outer, Index inner,
                                 double* workspace, int n_threads) {
  const LegendreRotationGrid& grid = plan.grid();
  const Index n_points = grid.n_points(), n = plan.n(), degree = plan.m() + n - 1;
  all_columns(plan, outer, inner, workspace, n_threads, [&](Index first, const RotationPiece& p, double* scratch) {
    gather_columns(c, n, inner, first, p.width, p.width, p.first());
    rotate_backward(plan.chain(), n, p.width, p.first());
    if (p.odd) p.clear(0, 1);
    p.scale(p.odd ? 1 : 0, degree + 1, [&](Index j) { return 1.0 / norm(p.odd, j); });
    p.clear(degree + 1, grid.degree() + 1);
    chebyshev_legendre(grid.to_chebyshev(), false, p.rows, p.rows, 1, p.width, scratch, 1);
    chebyshev_to_values(grid, p);
    scatter_columns(p.first(), n_points, inner, first, p.width, p.width, f);
  });
}

}  // namespace gwrm::cpu
