#include "system/window_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "system/closed_modes.hpp"
#include "system/linear_block.hpp"
#include "system/tensor_helpers.hpp"

namespace gwrm {
using expression::Atom;
using expression::Expr;
using expression::Op;

WindowSystem::WindowSystem(const Context& context, const Model& model, const SystemPlan& plan,
                           const Discretisation& discretisation, const State& state)
    : context_(context), model_(model), plan_(plan), discretisation_(discretisation), state_(state) {
  lay_out_fields();
  lay_out_rows();
  residual_leaves_ = make_leaves(plan_.residual_tape);
  jacobian_leaves_ = make_leaves(plan_.jacobian_tape);
}

void WindowSystem::lay_out_fields() {
  const int n_axes = static_cast<int>(model_.axes.size());
  for (const FieldModel& field : model_.fields) {
    Layout layout{Shape(at(n_axes), 1), size_};
    for (int axis : field.axes) layout.extents[at(axis)] = discretisation_.n_unknowns(axis);
    size_ += element_count(layout.extents);
    layouts_.push_back(std::move(layout));
  }
}

void WindowSystem::lay_out_rows() {
  Index offset = 0;
  for (const RowPlan& plan : plan_.rows) {
    const EquationModel& equation = equation_of(plan);
    const FieldModel& field = model_.fields[at(equation.field)];
    const int closed =
        plan.is_condition ? model_.conditions[at(plan.index)].axis : static_cast<int>(model_.axes.size());
    RowBlock block{Shape(model_.axes.size(), 1), offset, {}, {}};
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (!field.depends_on(axis) || axis == closed) {
        block.modes.push_back({0});
        block.tests.push_back(Matrix::Ones(1, 1));
        continue;
      }
      const Index n = discretisation_.n_unknowns(axis);
      std::vector<Index> modes(static_cast<std::size_t>(n));
      std::iota(modes.begin(), modes.end(), 0);
      const bool gives_up = !plan.is_condition || axis > closed;
      if (gives_up && equation.orders[at(axis)] > 0)
        modes = free_modes(model_, plan.is_condition ? model_.conditions[at(plan.index)].equation : plan.index, axis);
      block.extents[at(axis)] = static_cast<Index>(modes.size());
      block.tests.push_back(discretisation_.test(axis, n)(modes, Eigen::all));
      block.modes.push_back(std::move(modes));
    }
    offset += element_count(block.extents);
    rows_.push_back(std::move(block));
  }
  if (offset != size_) throw ShapeError(fmt::format("{} rows for {} unknowns", offset, size_));
}

std::vector<WindowSystem::Leaf> WindowSystem::make_leaves(const expression::Tape& tape) const {
  const int n_axes = static_cast<int>(model_.axes.size());
  std::vector<Leaf> leaves;
  for (Expr e : tape.leaves()) {
    Leaf leaf;
    if (e->op == Op::coordinate) {
      leaf.fixed = discretisation_.data_at_points(*model_.pool, e);
      leaves.push_back(std::move(leaf));
      continue;
    }
    const Atom atom = expression::atom_of(*model_.pool, e);
    const FieldModel& field = model_.fields[at(atom.field)];
    leaf.field = atom.field;
    for (int axis = 0; axis < n_axes; ++axis) leaf.trials.push_back(discretisation_.trial(axis, atom, field));
    const int time = model_.time_axis();
    const int first = time >= 0 ? atom.orders[at(time)] : 0;
    for (int m = first; m < field.time_order; ++m) {
      std::vector<Matrix> trials;
      for (int axis = 0; axis < n_axes; ++axis) trials.push_back(discretisation_.state_trial(axis, atom, field, m));
      Array share = apply(context_, state_[at(atom.field)][at(m)], trials);
      if (leaf.fixed.data.empty())
        leaf.fixed = std::move(share);
      else
        add_to(leaf.fixed, share);
    }
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

Array WindowSystem::field_tensor(std::span<const double> x, int field) const {
  const Layout& layout = layouts_[at(field)];
  Array tensor;
  tensor.shape = layout.extents;
  const auto first = x.begin() + layout.offset;
  tensor.data.assign(first, first + element_count(layout.extents));
  return tensor;
}

std::vector<Array> WindowSystem::leaf_values(const std::vector<Leaf>& leaves, std::span<const double> x) const {
  std::vector<Array> values;
  for (const Leaf& leaf : leaves) {
    if (leaf.field < 0) {
      values.push_back(leaf.fixed);
      continue;
    }
    Array value = apply(context_, field_tensor(x, leaf.field), leaf.trials);
    if (!leaf.fixed.data.empty()) add_to(value, leaf.fixed);
    values.push_back(std::move(value));
  }
  return values;
}

void WindowSystem::residual(std::span<const double> x, std::span<double> f) {
  const std::vector<Array> values =
      plan_.residual_tape.evaluate(leaf_values(residual_leaves_, x), discretisation_.weights());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::vector<Matrix> tests = rows_[i].tests;
    for (std::size_t axis = 0; axis < tests.size();
         ++axis)  // a value that does not vary along the axis: the test of a constant
      if (values[i].shape[axis] == 1 && tests[axis].cols() > 1) tests[axis] = Matrix(tests[axis].rowwise().sum());
    const Array projected = apply(context_, values[i], tests);
    std::copy(projected.data.begin(), projected.data.end(), f.begin() + rows_[i].offset);
  }
}

void WindowSystem::jacobian(std::span<const double> x, std::span<double> matrix) {
  const std::vector<Array> coefficients =
      plan_.jacobian_tape.evaluate(leaf_values(jacobian_leaves_, x), discretisation_.weights());
  const std::vector<Matrix> integrals = integral_jacobians(coefficients);
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    add_terms(plan_.rows[i].terms, coefficients, rows_[i].tests, integrals, matrix.data(), size_, rows_[i].offset);
}

// d(integral)/dx at every point of the axes along which the integral's value varies: matrices stored transposed
// (size_ x n_values), so that they are column-major n_values x size_ like every block target.
std::vector<Matrix> WindowSystem::integral_jacobians(const std::vector<Array>& coefficients) const {
  std::vector<Matrix> jacobians;
  const std::vector<Vector> weights = discretisation_.weights();
  for (const IntegralPlan& integral : plan_.integrals) {  // an inner integral comes before the one that holds it
    std::vector<Matrix> tests;
    Index n_values = 1;
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      const Index n_points = discretisation_.n_points(axis);
      if (axis == integral.axis) {
        tests.push_back(Matrix(weights[at(axis)].transpose()));
      } else if ((integral.axes >> axis & 1u) != 0) {
        tests.push_back(Matrix::Identity(n_points, n_points));
        n_values *= n_points;
      } else {
        tests.push_back(Matrix::Ones(1, 1));
      }
    }
    Matrix jacobian = Matrix::Zero(size_, n_values);
    add_terms(integral.terms, coefficients, tests, jacobians, jacobian.data(), n_values, 0);
    jacobians.push_back(std::move(jacobian));
  }
  return jacobians;
}

// Adds test . (sum of coefficient * leaf) to the rows from first_row on.
void WindowSystem::add_terms(const std::vector<DirectionTerm>& terms, const std::vector<Array>& coefficients,
                             const std::vector<Matrix>& tests, const std::vector<Matrix>& integral_jacobians,
                             double* target, Index n_target_rows, Index first_row) const {
  const int n_axes = static_cast<int>(model_.axes.size());
  for (const DirectionTerm& term : terms) {
    const Array& coefficient = coefficients[at(term.coefficient)];
    std::vector<AxisFactors> axes;
    if (term.integral < 0) {
      const FieldModel& field = model_.fields[at(term.atom.field)];
      for (int axis = 0; axis < n_axes; ++axis)
        axes.push_back({tests[at(axis)], discretisation_.trial(axis, term.atom, field)});
      add_linear_block(context_, coefficient, axes, target, n_target_rows, first_row,
                       layouts_[at(term.atom.field)].offset);
      continue;
    }
    // Through the values of the integral: (test . diag(coefficient)) times d(values)/dx.
    const IntegralPlan& integral = plan_.integrals[at(term.integral)];
    Index n_rows = 1;
    for (int axis = 0; axis < n_axes; ++axis) {
      const bool varies = (integral.axes >> axis & 1u) != 0;
      const Index n_points = discretisation_.n_points(axis);
      axes.push_back(
          {tests[at(axis)], varies ? Matrix(Matrix::Identity(n_points, n_points)) : Matrix(Matrix::Ones(1, 1))});
      n_rows *= tests[at(axis)].rows();
    }
    const Matrix& inner = integral_jacobians[at(term.integral)];  // size_ x n_values
    Matrix outer = Matrix::Zero(inner.cols(), n_rows);            // column-major n_rows x n_values
    add_linear_block(context_, coefficient, axes, outer.data(), n_rows, 0, 0);
    const Matrix product = inner * outer;  // column-major n_rows x size_
    for (Index column = 0; column < size_; ++column)
      for (Index row = 0; row < n_rows; ++row) target[first_row + row + column * n_target_rows] += product(column, row);
  }
}

// A correction counts by what it changes in the field: with dt of order s the unknowns are u^(s), whose size is at
// least that of the initial state times (2/h)^s. Fields that vanish are judged against a millionth of the largest.
void WindowSystem::weights(std::span<const double> x, std::span<double> w) const {
  const auto rms = [](std::span<const double> v) {
    double sum = 0.0;
    for (double value : v) sum += value * value;
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, v.size())));
  };
  std::vector<double> sizes;
  double largest = 0.0;
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const Index count = element_count(layouts_[at(f)].extents);
    double size = rms(x.subspan(static_cast<std::size_t>(layouts_[at(f)].offset), static_cast<std::size_t>(count)));
    const int order = model_.fields[at(f)].time_order;
    for (int m = 0; m < order; ++m)
      size = std::max(size,
                      rms(state_[at(f)][at(m)].data) *
                          std::pow(2.0 / (discretisation_.time()->end() - discretisation_.time()->start()), order - m));
    sizes.push_back(size);
    largest = std::max(largest, size);
  }
  if (largest == 0.0) largest = 1.0;
  for (std::size_t f = 0; f < sizes.size(); ++f)
    std::fill_n(w.begin() + layouts_[f].offset, element_count(layouts_[f].extents), std::max(sizes[f], 1e-6 * largest));
}

}  // namespace gwrm
