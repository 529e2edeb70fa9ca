// From the unknowns of a window to its polynomials and to the start of the next window.
#include <algorithm>
#include <utility>

#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {
namespace {

// Of the unknowns of one field, along t; they are many, and are not copied before.
Array transformed_in_time(std::span<const double> x, const FieldLayout& field, int time, const Matrix& matrix) {
  Shape shape = field.extents;
  shape[at(time)] = matrix.rows();
  Array result(std::move(shape));
  cpu::block_transform(x.data() + field.offset, field.extents, at(time), BlockMatrix(matrix), result.data.data());
  return result;
}

}  // namespace

Array WindowSystem::unknowns_of(std::span<const double> x, int field) const {
  const FieldLayout& layout = layouts_[field];
  Array tensor;
  tensor.shape = layout.extents;
  const auto first = x.begin() + layout.offset;
  tensor.data.assign(first, first + element_count(layout.extents));
  return tensor;
}

Array WindowSystem::coefficients(std::span<const double> x, int field) const {
  const FieldModel& model = model_.fields[field];
  const int time = model_.time_axis();
  if (time < 0 || !model.depends_on(time)) return unknowns_of(x, field);
  const TimeBasis& basis = *discretisation_.time();
  Array sum = transformed_in_time(x, layouts_[field], time, basis.coefficients(model.time_order));
  for (int m = 0; m < model.time_order; ++m)
    add_to(sum,
           block_transform(context_, state_[field][m], at(time), BlockMatrix(Matrix(basis.state_coefficients(m)))));
  return sum;
}

State WindowSystem::end_state(std::span<const double> x) const {
  State end(model_.fields.size());
  const int time = model_.time_axis();
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const FieldModel& field = model_.fields[f];
    for (int r = 0; r < field.time_order; ++r) {
      const TimeBasis& basis = *discretisation_.time();
      Array value = transformed_in_time(x, layouts_[f], time, Matrix(basis.row_at(basis.end(), field.time_order - r)));
      for (int m = r; m < field.time_order; ++m) {
        Array share = state_[f][m];
        const double factor = basis.state_at(basis.end(), m - r);
        for (double& entry : share.data) entry *= factor;
        add_to(value, share);
      }
      end[f].push_back(std::move(value));
    }
  }
  return end;
}

}  // namespace gwrm
