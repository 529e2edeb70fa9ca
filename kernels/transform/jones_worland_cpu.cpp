#include <cblas.h>

#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/column_pieces.hpp"
#include "kernels/transform/connection_pair.hpp"
#include "kernels/transform/jones_worland.hpp"

namespace gwrm::cpu {
namespace {

Index n_rows(const JonesWorlandPlan& plan) {
  return plan.grid().n_points();  // N_T of them are used by the chain
}
Index workspace_of_thread(const JonesWorlandPlan& plan) {
  if (plan.variant() == JonesWorlandVariant::quadrature) return 0;
  const Index scratch = plan.variant() == JonesWorlandVariant::pairs ? 4 * plan.chain().n_rows(plan.n()) : 0;
  return n_rows(plan) * kColumnsOfPiece + scratch;
}

void check_line_counts(Index outer, Index inner) {
  if (outer < 0 || inner < 0)
    throw ShapeError("Jones-Worland transform: " + std::to_string(outer) + " x " + std::to_string(inner) + " columns");
}

// to = factor A from, or A^T from, for every index before the treated dimension; A: m x n.
void multiply(const std::vector<double>& a, bool transposed, Index m, Index n, double factor, const double* from,
              double* to, Index outer, Index inner) {
  const int rows = static_cast<int>(transposed ? n : m), cols = static_cast<int>(transposed ? m : n);
  const int lead = static_cast<int>(n), width = static_cast<int>(inner);
  if (inner == 1) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasNoTrans : CblasTrans, static_cast<int>(outer), rows,
                cols, factor, from, cols, a.data(), lead, 0.0, to, rows);
    return;
  }
  for (Index o = 0; o < outer; ++o)
    cblas_dgemm(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, rows, width, cols, factor,
                a.data(), lead, from + o * cols * inner, width, 0.0, to + o * rows * inner, width);
}

}  // namespace

Index jones_worland_workspace(const JonesWorlandPlan& plan, int n_threads) {
  return std::max(1, n_threads) * workspace_of_thread(plan);
}

void jones_worland_forward(const JonesWorlandPlan& plan, const double* f, double* c, Index outer, Index inner,
                           double* workspace, int n_threads) {
  check_line_counts(outer, inner);
  if (outer * inner == 0) return;
  const Index n_points = plan.grid().n_points(), n = plan.n();
  if (plan.variant() == JonesWorlandVariant::quadrature) {
    multiply(plan.matrix(), false, n, n_points, plan.grid().weight(), f, c, outer, inner);
    return;
  }
  const RotationChain chain = plan.chain();
  all_pieces(outer * inner, n_threads, workspace, workspace_of_thread(plan),
             [&](Index first, Index width, double* rows) {
               gather_columns(f, n_points, inner, first, width, width, rows);
               cosine_transform(plan.grid().forward(plan.l()), rows, n_points, rows, n_points, 1, width,
                                jones_worland_scale(plan, true));
               if (plan.variant() == JonesWorlandVariant::pairs)
                 connect_forward(chain.first_order, chain.n_pairs, n, width, rows, rows + n_points * kColumnsOfPiece);
               else
                 rotate_forward(chain, n, width, rows);
               scatter_columns(rows, n, inner, first, width, width, c);
             });
}

void jones_worland_backward(const JonesWorlandPlan& plan, const double* c, double* f, Index outer, Index inner,
                            double* workspace, int n_threads) {
  check_line_counts(outer, inner);
  if (outer * inner == 0) return;
  const Index n_points = plan.grid().n_points(), n = plan.n();
  if (plan.variant() == JonesWorlandVariant::quadrature) {
    multiply(plan.matrix(), true, n, n_points, 1.0, c, f, outer, inner);
    return;
  }
  const RotationChain chain = plan.chain();
  all_pieces(outer * inner, n_threads, workspace, workspace_of_thread(plan),
             [&](Index first, Index width, double* rows) {
               gather_columns(c, n, inner, first, width, width, rows);
               if (plan.variant() == JonesWorlandVariant::pairs)
                 connect_backward(chain.first_order, chain.n_pairs, n, width, rows, rows + n_points * kColumnsOfPiece);
               else
                 rotate_backward(chain, n, width, rows);
               const Index n_known = chain.n_rows(n);
               std::fill_n(rows + n_known * width, (n_points - n_known) * width, 0.0);
               cosine_transform(plan.grid().backward(plan.l()), rows, n_points, rows, n_points, 1, width,
                                jones_worland_scale(plan, false));
               scatter_columns(rows, n_points, inner, first, width, width, f);
             });
}

}  // namespace gwrm::cpu
