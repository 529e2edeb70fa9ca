// From the unknowns of a window to its polynomials, to the start of the next window, and to a start for Newton.
#include <algorithm>

#include "system/tensor_helpers.hpp"
#include "system/window_system.hpp"

namespace gwrm {

Array WindowSystem::coefficients(std::span<const double> x, int field) const {
  const FieldModel& model = model_.fields[at(field)];
  const int time = model_.time_axis();
  const Array tensor = field_tensor(x, field);
  if (time < 0 || !model.depends_on(time)) return tensor;
  std::vector<const Matrix*> matrices(model_.axes.size(), nullptr);
  const TimeBasis& basis = *discretisation_.time();
  matrices[at(time)] = &basis.coefficients(model.time_order);
  Array sum = tensor_transform(context_, tensor, matrices);
  for (int m = 0; m < model.time_order; ++m) {
    const Matrix column = basis.state_coefficients(m);
    matrices[at(time)] = &column;
    add_to(sum, tensor_transform(context_, state_[at(field)][at(m)], matrices));
  }
  return sum;
}

State WindowSystem::end_state(std::span<const double> x) const {
  State end(model_.fields.size());
  const int time = model_.time_axis();
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const FieldModel& field = model_.fields[at(f)];
    for (int r = 0; r < field.time_order; ++r) {
      const TimeBasis& basis = *discretisation_.time();
      std::vector<const Matrix*> matrices(model_.axes.size(), nullptr);
      const Matrix row = basis.row_at(basis.end(), field.time_order - r);
      matrices[at(time)] = &row;
      Array value = tensor_transform(context_, field_tensor(x, f), matrices);
      for (int m = r; m < field.time_order; ++m) {
        Array share = state_[at(f)][at(m)];
        const double factor = basis.state_at(basis.end(), m - r);
        for (double& entry : share.data) entry *= factor;
        add_to(value, share);
      }
      end[at(f)].push_back(std::move(value));
    }
  }
  return end;
}

std::vector<double> WindowSystem::start(const WindowSystem* previous, std::span<const double> previous_x) const {
  std::vector<double> x(static_cast<std::size_t>(size_), 0.0);
  const int time = model_.time_axis();
  for (int f = 0; f < static_cast<int>(model_.fields.size()); ++f) {
    const FieldModel& field = model_.fields[at(f)];
    if (field.time_order > 0) continue;  // zero derivative: constant in time
    Array values;
    if (previous != nullptr && time >= 0 && field.depends_on(time)) {
      // The last value, at all points of the new window.
      const TimeBasis& before = *previous->discretisation_.time();
      const Matrix repeat = discretisation_.time()->test().rowwise().sum() * before.row_at(before.end(), 0);
      std::vector<const Matrix*> matrices(model_.axes.size(), nullptr);
      matrices[at(time)] = &repeat;
      values = tensor_transform(context_, previous->field_tensor(previous_x, f), matrices);
    } else if (field.guess != nullptr) {
      values = discretisation_.project(context_, *model_.pool, field.guess, field, true);
    } else {
      continue;
    }
    std::copy(values.data.begin(), values.data.end(), x.begin() + layouts_[at(f)].offset);
  }
  return x;
}

}  // namespace gwrm
