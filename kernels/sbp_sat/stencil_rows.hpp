// Banded square matrices of one dimension: the same row everywhere but for a few at either end.
//
// Row i of the n x n matrix: the first n_closure rows have closure_width entries from column 0 on, the last n_closure
// rows closure_width entries that end at column n - 1, all others 2 half + 1 entries around the diagonal. Where
// closures of a small matrix would overlap, `first` is the whole matrix: n_closure = closure_width = n. Error:
// ShapeError where n < 2 n_closure + 1 or n < closure_width.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/matrix_forward.hpp"

namespace gwrm {

// Sums of rows as they are in exact arithmetic: what rounded entries sum to is off by their rounding, and where the sum
// is zero that is all there is.
struct RowSums {
  double interior = 0.0;
  std::vector<double> first, last;  // of the closures; one for each of their rows
  bool operator==(const RowSums&) const = default;
};

struct StencilRows {
  Index n = 0;
  int half = 0;
  int n_closure = 0;
  int closure_width = 0;
  std::vector<double> interior;  // 2 half + 1
  std::vector<double> first;     // n_closure x closure_width
  std::vector<double> last;      // n_closure x closure_width; the matrix's last row is the last here
  std::optional<RowSums> sums;   // none: those of the entries

  // Rows [n_closure, interior_end()) are interior ones.
  Index interior_end() const { return n_closure == n ? n : n - n_closure; }
  // The entries of row i and the column of the first of them.
  std::span<const double> row(Index i, Index& first_column) const;
  double row_sum(Index i) const;
  bool operator==(const StencilRows&) const = default;  // to the last bit
};

// y = A x of n values each.
void stencil_rows_apply(const StencilRows& a, const double* x, double* y);

Matrix dense(const StencilRows& a);
StencilRows transposed(const StencilRows& a);

// The ends of an interval.
enum class End { lower, upper };

// The operators of kernels/sbp_sat/sbp_tables.hpp on n points of spacing h.
std::vector<double> sbp_weights(int order, Index n, double h);           // the diagonal of H
std::vector<double> sbp_outward_derivative(int order, double h);         // from the end of the interval inwards
StencilRows sbp_derivative(int order, Index n, double h);                // D1
StencilRows sbp_stiffness(int order, Index n, double h, double factor);  // factor M
// a += penalty e e^T - factor (e d^T + d e^T): the Dirichlet condition at one end of a stiffness with this factor.
void add_dirichlet_end(StencilRows& a, int order, double h, double factor, double penalty, End end);
void add_to_corner(StencilRows& a, double value, End end);  // a += value e e^T

}  // namespace gwrm
