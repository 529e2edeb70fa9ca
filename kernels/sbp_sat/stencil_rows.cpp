#include "kernels/sbp_sat/stencil_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "kernels/sbp_sat/sbp_tables.hpp"

namespace gwrm {
namespace {

void check_size(const StencilRows& a) {
  if (a.n >= 2 * a.n_closure + 1 && a.n >= a.closure_width) return;
  throw ShapeError("a matrix of " + std::to_string(a.n) + " rows is too small for closures of " +
                   std::to_string(a.n_closure) + " x " + std::to_string(a.closure_width));
}

// The entry of a closure at the distances (i, j) from its end of the interval.
double& closure_entry(StencilRows& a, End end, int i, int j) {
  const int rows = a.n_closure, width = a.closure_width;
  if (rows == a.n && end == End::upper) return a.first[(rows - 1 - i) * width + width - 1 - j];
  return end == End::lower ? a.first[i * width + j] : a.last[(rows - 1 - i) * width + width - 1 - j];
}

// Adds to the exact sum of row i from an end.
void add_to_sum(StencilRows& a, End end, int i, double value) {
  if (!a.sums) return;
  const int last = a.n_closure - 1;
  if (end == End::lower)
    a.sums->first[i] += value;
  else
    (a.n_closure == a.n ? a.sums->first : a.sums->last)[last - i] += value;
}

// Derivatives of any order are zero for constants.
RowSums zero_sums(const StencilRows& a) {
  const std::vector<double> zeros(at(a.n_closure), 0.0);
  return {0.0, zeros, a.n_closure == a.n ? std::vector<double>() : zeros};
}

// `sign` -1: the right end's rows are those of the left end with the other sign.
StencilRows from_table(const SbpRows& table, Index n, double factor, double sign) {
  StencilRows a;
  a.n = n;
  a.half = static_cast<int>(table.interior.size()) / 2;
  a.n_closure = table.n_rows;
  a.closure_width = table.width;
  check_size(a);
  for (double value : table.interior) a.interior.push_back(factor * value);
  for (double value : table.rows) a.first.push_back(factor * value);
  for (double value : table.rows) a.last.push_back(sign * factor * value);
  std::reverse(a.last.begin(), a.last.end());
  a.sums = zero_sums(a);
  return a;
}

}  // namespace

std::span<const double> StencilRows::row(Index i, Index& first_column) const {
  const auto width = static_cast<std::size_t>(closure_width);
  if (i < n_closure) {
    first_column = 0;
    return std::span(first).subspan(static_cast<std::size_t>(i) * width, width);
  }
  if (i >= n - n_closure) {
    first_column = n - closure_width;
    return std::span(last).subspan(static_cast<std::size_t>(i - (n - n_closure)) * width, width);
  }
  first_column = i - half;
  return interior;
}

double StencilRows::row_sum(Index i) const {
  if (!sums) {
    Index first_column = 0;
    const auto entries = row(i, first_column);
    return std::accumulate(entries.begin(), entries.end(), 0.0);
  }
  if (i < n_closure) return sums->first[static_cast<std::size_t>(i)];
  return i < n - n_closure ? sums->interior : sums->last[static_cast<std::size_t>(i - (n - n_closure))];
}

void stencil_rows_apply(const StencilRows& a, const double* x, double* y) {
  for (Index i = 0; i < a.n; ++i) {
    Index column = 0;
    double sum = 0.0;
    for (double value : a.row(i, column)) sum += value * x[column++];
    y[i] = sum;
  }
}

Matrix dense(const StencilRows& a) {
  Matrix result = Matrix::Zero(a.n, a.n);
  for (Index i = 0; i < a.n; ++i) {
    Index column = 0;
    for (double value : a.row(i, column)) result(i, column++) = value;
  }
  return result;
}

StencilRows transposed(const StencilRows& a) {
  StencilRows result;
  result.n = a.n;
  result.half = a.half;
  // Columns that meet a closure row become closure rows; the interior rows reach `half` further.
  result.n_closure = std::max(a.closure_width, a.n_closure + a.half);
  result.closure_width = result.n_closure + a.half;
  check_size(result);
  result.interior.assign(a.interior.rbegin(), a.interior.rend());
  // All that matters is found in a small matrix whose two ends do not touch.
  StencilRows small = a;
  small.n = 2 * result.closure_width + 1;
  const Matrix matrix = dense(small).transpose();
  for (int i = 0; i < result.n_closure; ++i)
    for (int j = 0; j < result.closure_width; ++j) {
      result.first.push_back(matrix(i, j));
      result.last.push_back(matrix(small.n - result.n_closure + i, small.n - result.closure_width + j));
    }
  return result;
}

std::vector<double> sbp_weights(int order, Index n, double h) {
  const std::vector<double>& closure = sbp_table(order).weights;
  std::vector<double> weights(static_cast<std::size_t>(n), h);
  for (std::size_t i = 0; i < closure.size(); ++i) {
    weights[i] = h * closure[i];
    weights[weights.size() - 1 - i] = h * closure[i];
  }
  return weights;
}

std::vector<double> sbp_outward_derivative(int order, double h) {
  std::vector<double> row;
  for (double value : sbp_table(order).boundary_derivative) row.push_back(-value / h);
  return row;
}

StencilRows sbp_derivative(int order, Index n, double h) {
  return from_table(sbp_table(order).derivative, n, 1.0 / h, -1.0);
}

StencilRows sbp_stiffness(int order, Index n, double h, double factor) {
  StencilRows a = from_table(sbp_table(order).stiffness, n, factor / h, 1.0);
  // Boundary conditions reach as far as the derivative row, in rows and in columns.
  const int rows = std::max(a.n_closure, static_cast<int>(sbp_table(order).boundary_derivative.size()));
  StencilRows wide = a;
  wide.first.clear();
  wide.last.clear();
  wide.n_closure = rows;
  wide.closure_width = std::max(a.closure_width, rows + a.half);
  if (n < 2 * rows + 1) {
    wide.n_closure = wide.closure_width = static_cast<int>(n);
    const Matrix matrix = dense(a);
    wide.first.assign(matrix.data(), matrix.data() + matrix.size());
    wide.sums = zero_sums(wide);
    return wide;
  }
  check_size(wide);
  StencilRows small = a;
  small.n = 2 * wide.closure_width + 1;
  const Matrix matrix = dense(small);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < wide.closure_width; ++j) {
      wide.first.push_back(matrix(i, j));
      wide.last.push_back(matrix(small.n - rows + i, small.n - wide.closure_width + j));
    }
  wide.sums = zero_sums(wide);
  return wide;
}

void add_to_corner(StencilRows& a, double value, End end) {
  closure_entry(a, end, 0, 0) += value;
  add_to_sum(a, end, 0, value);
}

void add_dirichlet_end(StencilRows& a, int order, double h, double factor, double penalty, End end) {
  const std::vector<double> derivative = sbp_outward_derivative(order, h);
  add_to_corner(a, penalty, end);
  for (int j = 0; j < static_cast<int>(derivative.size()); ++j) {
    closure_entry(a, end, 0, j) -= factor * derivative[j];
    closure_entry(a, end, j, 0) -= factor * derivative[j];
    add_to_sum(a, end, j, -factor * derivative[j]);  // e d^T adds nothing: d is zero for constants
  }
}

}  // namespace gwrm
