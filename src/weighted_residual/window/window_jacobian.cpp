// The dense Jacobian of a window, and the dense spatial operators of its time average.
#include <algorithm>

#include "weighted_residual/window/dense_rows.hpp"
#include "weighted_residual/window/jacobian_blocks.hpp"
#include "weighted_residual/window/linear_block.hpp"
#include "weighted_residual/window/series_evaluation.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

// Writes rows as test . (sum of coefficient * direction). With `power` >= 0 the coefficients are averages over time:
// the time axis has a single point, and only the terms of that power count.
class Assembly {
 public:
  Assembly(const WindowSystem& system, const std::vector<Array>& coefficients, int power)
      : system_(system),
        model_(system.model()),
        coefficients_(coefficients),
        time_(power >= 0 ? model_.time_axis() : -1),
        power_(power),
        layout_(system),
        size_(power >= 0 ? layout_.size : system.size()) {
    make_integrals();
  }

  // Without integrals or banded terms.
  void for_each_block(const TakeBlock& take) const {
    std::vector<double> block;
    for (const RowBlock& row : system_.rows()) {
      std::vector<Matrix> tests;
      for (const BlockMatrix& test : row.tests) tests.push_back(test.dense());
      const Index n_rows = element_count(row.extents);
      for (const RowTerm& term : row.terms) {
        const FieldLayout& field = system_.layouts()[term.atom.field];
        const Index n_columns = element_count(field.extents);
        block.assign(static_cast<std::size_t>(n_rows * n_columns), 0.0);
        std::vector<AxisFactors> axes;
        for (int axis = 0; axis < n_axes(); ++axis) axes.push_back({tests[axis], trial(axis, term, -1)});
        add_linear_block(system_.context(), scaled_coefficient(term, row.scale), axes, block.data(), n_rows, 0, 0);
        take({row.offset, field.offset, n_rows, n_columns, block});
      }
    }
  }

  void fill(double* target) const {
    std::fill(target, target + size_ * size_, 0.0);
    for (std::size_t i = 0; i < system_.rows().size(); ++i) {
      const RowBlock& row = system_.rows()[i];
      const Index first_row = power_ >= 0 ? layout_.rows[i] : row.offset;
      if (n_axes() == 1 && time_ < 0 && row.tests[0].identity && row.banded.empty() &&
          add_rows_of_nodes(row, target, first_row))
        continue;
      std::vector<Matrix> tests;
      for (int axis = 0; axis < n_axes(); ++axis)
        tests.push_back(axis == time_ ? Matrix(Matrix::Ones(1, 1)) : row.tests[axis].dense());
      if (row.kind == RowBlock::Kind::mean) {
        put_mean(row, tests, target);
        continue;
      }
      add_terms(row.terms, tests, row.scale, target, size_, first_row);
      for (const BandedRowTerm& banded : row.banded) {
        std::vector<Matrix> banded_tests = tests;
        banded_tests[system_.plan().banded_axis] = banded.operation.dense();
        add_terms({banded.term}, banded_tests, 1.0, target, size_, first_row, system_.plan().banded_axis);
      }
    }
  }

 private:
  int n_axes() const { return static_cast<int>(model_.axes.size()); }
  Index n_points(int axis) const { return axis == time_ ? 1 : system_.discretisation().n_points(axis); }

  // d(integral)/dx at every point of the axes along which the integral's value varies: matrices stored transposed
  // (size_ x n_values), so that they are column-major n_values x size_ like every block target.
  void make_integrals() {
    for (std::size_t i = 0; i < system_.plan().integrals.size();
         ++i) {  // an inner one comes before the one that holds it
      const IntegralPlan& integral = system_.plan().integrals[i];
      std::vector<Matrix> tests;
      Index n_values = 1;
      for (int axis = 0; axis < n_axes(); ++axis) {
        if (axis == integral.axis) {
          tests.push_back(Matrix(system_.discretisation().weights()[axis].transpose()));
        } else if ((integral.axes >> axis & 1u) != 0) {
          tests.push_back(Matrix::Identity(n_points(axis), n_points(axis)));
          n_values *= n_points(axis);
        } else {
          tests.push_back(Matrix::Ones(1, 1));
        }
      }
      Matrix jacobian = Matrix::Zero(size_, n_values);
      add_terms(system_.integral_terms()[i], tests, 1.0, jacobian.data(), n_values, 0);
      integrals_.push_back(std::move(jacobian));
    }
  }

  // Over the rows of the equation, which have been filled.
  void put_mean(const RowBlock& row, const std::vector<Matrix>& tests, double* target) const {
    const Index n_rows = power_ >= 0 ? static_cast<Index>(row.places.size()) : element_count(row.extents);
    const Index first = layout_.rows[at(row.equation)];
    std::vector<double> block(static_cast<std::size_t>(n_rows * size_), 0.0);
    add_terms(row.terms, tests, row.scale, block.data(), n_rows, 0);
    for (Index column = 0; column < size_; ++column)
      for (Index i = 0; i < n_rows; ++i)
        target[(power_ >= 0 ? first + row.places[at(i)] : system_.place_of(row, i)) + column * size_] =
            block[at(i + column * n_rows)];
  }

  Matrix trial(int axis, const RowTerm& term, int coefficients_along) const {
    if (axis == time_) return Matrix::Ones(1, 1);
    if (axis == coefficients_along) {
      const Index n = system_.discretisation().n_unknowns(axis);
      return Matrix::Identity(n, n);
    }
    return line_trial(axis, term).dense();
  }

  BlockMatrix line_trial(int axis, const RowTerm& term) const {
    const Discretisation& discretisation = system_.discretisation();
    const FieldModel& field = model_.fields[term.atom.field];
    if (axis == term.line_axis) return term.line;
    if (axis == model_.time_axis() && field.depends_on(axis)) return discretisation.time_trial(term.atom, field);
    return discretisation.trial(axis, term.atom, field);
  }

  Array scaled_coefficient(const RowTerm& term, double scale) const {
    Array coefficient = term.coefficient < 0 ? Array(Shape(at(n_axes()), 1), 1.0) : coefficients_[term.coefficient];
    for (double& value : coefficient.data) value *= scale;
    return coefficient;
  }

  // add_terms() where the equations hold at the nodes of the only axis; false, and nothing is added, where a term holds
  // an integral or values elsewhere.
  bool add_rows_of_nodes(const RowBlock& row, double* target, Index first_row) const {
    std::vector<BlockMatrix> trials;
    for (const RowTerm& term : row.terms) {
      if (term.integral >= 0 || term.line_axis >= 0) return false;
      trials.push_back(line_trial(0, term));
      if (trials.back().rows != row.tests[0].cols) return false;
    }
    const std::vector<double> one{1.0};
    for (std::size_t k = 0; k < row.terms.size(); ++k) {
      const RowTerm& term = row.terms[k];
      add_scaled_rows(term.coefficient < 0 ? one : coefficients_[term.coefficient].data, row.scale, trials[k], target,
                      size_, first_row, system_.layouts()[term.atom.field].offset);
    }
    return true;
  }

  // Adds scale * test . (sum of coefficient * direction) to the rows from first_row on; coefficients_along: the axis
  // along which the test acts on the coefficients themselves (-1: none).
  void add_terms(const std::vector<RowTerm>& terms, const std::vector<Matrix>& tests, double scale, double* target,
                 Index n_target_rows, Index first_row, int coefficients_along = -1) const {
    for (const RowTerm& term : terms) {
      if (power_ >= 0 && term.integral < 0 && term.power != power_) continue;
      const Array coefficient = scaled_coefficient(term, scale);
      std::vector<AxisFactors> axes;
      if (term.integral < 0) {
        for (int axis = 0; axis < n_axes(); ++axis)
          axes.push_back({tests[axis], trial(axis, term, coefficients_along)});
        const Index column = power_ >= 0 ? layout_.fields[term.atom.field] : system_.layouts()[term.atom.field].offset;
        add_linear_block(system_.context(), coefficient, axes, target, n_target_rows, first_row, column);
        continue;
      }
      // Through the values of the integral: (test . diag(coefficient)) times d(values)/dx.
      const IntegralPlan& integral = system_.plan().integrals[term.integral];
      Index n_rows = 1;
      for (int axis = 0; axis < n_axes(); ++axis) {
        const bool varies = (integral.axes >> axis & 1u) != 0;
        axes.push_back({tests[axis], varies ? Matrix(Matrix::Identity(n_points(axis), n_points(axis)))
                                            : Matrix(Matrix::Ones(1, 1))});
        n_rows *= tests[axis].rows();
      }
      const Matrix& inner = integrals_[term.integral];    // size_ x n_values
      Matrix outer = Matrix::Zero(inner.cols(), n_rows);  // column-major n_rows x n_values
      add_linear_block(system_.context(), coefficient, axes, outer.data(), n_rows, 0, 0);
      const Matrix product = inner * outer;  // column-major n_rows x size_
      for (Index column = 0; column < size_; ++column)
        for (Index row = 0; row < n_rows; ++row)
          target[first_row + row + column * n_target_rows] += product(column, row);
    }
  }

  const WindowSystem& system_;
  const Model& model_;
  const std::vector<Array>& coefficients_;
  int time_;   // the axis that is averaged away; -1: none
  int power_;  // -1: the whole Jacobian
  SpatialLayout layout_;
  Index size_;
  std::vector<Matrix> integrals_;
};

}  // namespace

void for_each_jacobian_block(const WindowSystem& system, const Linearisation& at_x, const TakeBlock& take) {
  Assembly(system, at_x.coefficients, -1).for_each_block(take);
}

void WindowSystem::jacobian(std::span<const double> x, std::span<double> matrix) {
  if (series_ != nullptr) return series_->jacobian(x, matrix);
  const Linearisation at_x = linearise(x);
  Assembly(*this, at_x.coefficients, -1).fill(matrix.data());
}

// Columns made on the device stay there.
LuStatus WindowSystem::factor_jacobian(std::span<const double> x, DenseLu& lu) {
  double* const matrix = series_ != nullptr && context_.backend() == Backend::cuda ? lu.device_matrix(size_) : nullptr;
  if (matrix == nullptr) return NonlinearSystem::factor_jacobian(x, lu);
  series_->jacobian_columns(x, matrix);
  return lu.factor_device_matrix();
}

Matrix averaged_operator(const WindowSystem& system, const std::vector<Array>& averages, int power) {
  const Assembly assembly(system, averages, power);
  const Index n = SpatialLayout(system).size;
  Matrix transposed(n, n);  // column-major, as the blocks are added
  assembly.fill(transposed.data());
  return transposed.transpose();
}

}  // namespace gwrm
