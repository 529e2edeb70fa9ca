#include "weighted_residual/window/linear_block.hpp"

#include <algorithm>

#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {
namespace {

// K[(r, l), j] = test[r, j] trial[j, l], or its sum over j where the coefficient does not vary.
Matrix axis_kernel(const AxisFactors& axis, bool coefficient_varies) {
  const Index n_rows = axis.test.rows(), n_columns = axis.trial.cols();
  const Index n_points = std::max(axis.test.cols(), axis.trial.rows());
  Matrix kernel(n_rows * n_columns, coefficient_varies ? n_points : 1);
  if (!coefficient_varies) {
    Matrix sum;
    if (axis.test.cols() == axis.trial.rows())
      sum = axis.test * axis.trial;
    else if (axis.trial.rows() == 1)
      sum = Vector(axis.test.rowwise().sum()) * RowVector(axis.trial.row(0));
    else
      sum = Vector(axis.test.col(0)) * RowVector(axis.trial.colwise().sum());
    for (Index r = 0; r < n_rows; ++r)
      for (Index l = 0; l < n_columns; ++l) kernel(r * n_columns + l, 0) = sum(r, l);
    return kernel;
  }
  // Row by row of the kernel: its rows are contiguous.
  const Matrix test = axis.test.cols() == n_points ? axis.test : Matrix(axis.test.replicate(1, n_points));
  const Matrix trial = axis.trial.rows() == n_points ? Matrix(axis.trial.transpose())
                                                     : Matrix(axis.trial.transpose().replicate(1, n_points));
  for (Index r = 0; r < n_rows; ++r)
    for (Index l = 0; l < n_columns; ++l) kernel.row(r * n_columns + l) = test.row(r).cwiseProduct(trial.row(l));
  return kernel;
}

// test . diag(g) . trial as the only column of a kernel: a matrix product instead of n_rows n_columns n_points numbers.
Matrix weighted_kernel(const AxisFactors& axis, const std::vector<double>& g) {
  const Index n_points = static_cast<Index>(g.size());
  const Eigen::Map<const Vector> weights(g.data(), n_points);
  Matrix trial = axis.trial.rows() == n_points ? axis.trial : Matrix(axis.trial.replicate(n_points, 1));
  const Matrix test = axis.test.cols() == n_points ? axis.test : Matrix(axis.test.replicate(1, n_points));
  trial = weights.asDiagonal() * trial;
  Matrix product = test * trial;
  product.resize(product.size(), 1);
  return product;
}

}  // namespace

void add_linear_block(const Context& context, const Array& coefficient, std::span<const AxisFactors> axes,
                      double* target, Index n_target_rows, Index first_row, Index first_column) {
  const std::size_t n_axes = axes.size();
  const auto n_varying =
      std::count_if(coefficient.shape.begin(), coefficient.shape.end(), [](Index n) { return n > 1; });
  std::vector<Matrix> kernels;
  std::vector<const Matrix*> pointers;
  kernels.reserve(n_axes);
  for (std::size_t a = 0; a < n_axes; ++a) {
    const bool varies = coefficient.shape[a] > 1;
    kernels.push_back(varies && n_varying == 1 ? weighted_kernel(axes[a], coefficient.data)
                                               : axis_kernel(axes[a], varies));
    pointers.push_back(&kernels.back());
  }
  // Varying along one axis only, the coefficient is in that axis's kernel already.
  const Array one(Shape(n_axes, 1), 1.0);
  const Array block = tensor_transform(context, n_varying == 1 ? one : coefficient, pointers);

  // Where entry (r, l) of each axis goes in the target; the offsets of the axes add up.
  std::vector<std::vector<Index>> offsets(n_axes);
  Index row_stride = 1, column_stride = 1;
  for (std::size_t a = n_axes; a-- > 0;) {
    const Index n_rows = axes[a].test.rows(), n_columns = axes[a].trial.cols();
    for (Index r = 0; r < n_rows; ++r)
      for (Index l = 0; l < n_columns; ++l) offsets[a].push_back(r * row_stride + l * column_stride * n_target_rows);
    row_stride *= n_rows;
    column_stride *= n_columns;
  }
  double* const origin = target + first_row + first_column * n_target_rows;
  const std::vector<Index>& last = offsets[n_axes - 1];
  std::vector<std::size_t> counter(n_axes, 0);
  const double* source = block.data.data();
  for (;;) {
    Index base = 0;
    for (std::size_t a = 0; a + 1 < n_axes; ++a) base += offsets[a][counter[a]];
    for (Index offset : last) origin[base + offset] += *source++;
    std::size_t a = n_axes - 1;  // advance the outer axes like an odometer
    while (a-- > 0) {
      if (++counter[a] < offsets[a].size()) break;
      counter[a] = 0;
    }
    if (a == static_cast<std::size_t>(-1)) return;
  }
}

void add_scaled_rows(std::span<const double> g, double scale, const BlockMatrix& trial, double* target,
                     Index n_target_rows, Index first_row, Index first_column) {
  double* const origin = target + first_row + first_column * n_target_rows;
  const auto weight = [&](Index row) { return scale * g[g.size() == 1 ? 0 : static_cast<std::size_t>(row)]; };
  if (trial.identity)
    for (Index row = 0; row < trial.rows; ++row) origin[row + row * n_target_rows] += weight(row);
  for (const MatrixBlock& block : trial.blocks)
    for (Index r = 0; r < block.matrix->rows(); ++r) {
      const double factor = block.factor * weight(block.row + r);
      double* const to = origin + block.row + r + block.column * n_target_rows;
      for (Index l = 0; l < block.matrix->cols(); ++l) to[l * n_target_rows] += factor * (*block.matrix)(r, l);
    }
}

}  // namespace gwrm
