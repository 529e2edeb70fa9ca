#include "weighted_residual/device/device_tensor_fields.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {

DeviceTensorFields::DeviceTensorFields(DeviceTools& tools, const std::vector<TensorField>& fields,
                                       const std::vector<std::vector<ModeNumber>>& z)
    : tools_(tools), matrices_(tools.profile, tools.pool) {
  for (std::size_t f = 0; f < fields.size(); ++f) add_field(fields[f], z[f]);
  matrices_.send();
  for (const auto& make : to_make_) make();
  to_make_.clear();
}

void DeviceTensorFields::add_field(const TensorField& source, const std::vector<ModeNumber>& z) {
  Field field(ModeTensors(tools_, static_cast<int>(z.size())));
  field.extents = source.extents;
  field.free_extents = source.free_extents;
  field.order = source.order;
  field.mass = add_factors(matrices_, source.mass);
  for (const ModeNumber& mass : source.mass) field.shifts.push_back({mass.real(), mass.imag()});
  for (const TensorAxis& from : source.axes) {
    Axis axis;
    for (const ModeNumber& value : z) {
      const ModeNumber scale = from.scale(value);
      axis.scales.push_back({scale.real(), scale.imag()});
    }
    axis.n = from.lift.rows();
    axis.n_free = from.lift.cols();
    axis.n_closed = static_cast<Index>(from.closed.size());
    axis.single = from.single_power >= 0;
    axis.lift = add_real(from.lift);
    for (std::size_t form = 0; form < from.unitary.size(); ++form) {
      const ModeNumber* unitary = add_complex(matrices_, from.unitary[form]);
      axis.adjoint.push_back(adjoint_of(unitary, axis.n_free));
      axis.unitary.push_back(lifted(axis.lift, unitary, axis.n, axis.n_free));
      axis.triangle.push_back(add_complex(matrices_, from.triangle[form]));
    }
    std::vector<ModeNumber> powers(z.size(), 1.0);
    for (const Matrix& op : from.operators) {
      if (op.size() > 0) axis.operators.push_back({add_real(op), add_factors(matrices_, powers)});
      for (std::size_t k = 0; k < z.size(); ++k) powers[k] *= z[k];
    }
    axis.particular = add_real(from.particular);
    axis.free = add_list(matrices_, from.free);
    field.axes.push_back(std::move(axis));
  }
  const auto rank = [&](std::size_t d) { return std::find(field.order.begin(), field.order.end(), d); };
  for (const TensorConditions& from : source.conditions) {
    Conditions conditions;
    conditions.d = from.d;
    for (std::size_t d = 0; d < source.axes.size(); ++d)
      conditions.extents.push_back(d == from.d              ? from.count
                                   : rank(d) < rank(from.d) ? source.extents[d]
                                                            : source.free_extents[d]);
    std::vector<Index> closed(static_cast<std::size_t>(from.count));
    std::iota(closed.begin(), closed.end(), from.first);
    conditions.closed = add_list(matrices_, closed);
    std::vector<ModeNumber> factors;
    for (const ModeNumber& value : z)
      factors.push_back(from.power == 0 ? ModeNumber(1.0) : 1.0 / std::pow(value, from.power));
    conditions.factors = add_factors(matrices_, factors);
    field.conditions.push_back(std::move(conditions));
  }
  fields_.push_back(std::move(field));
}

// What will be made here of matrices, when they have been sent: equal ones are sent once, and are made once.
const ModeNumber* DeviceTensorFields::made_of(const void* first, const void* second, Index count,
                                              const std::function<void(ModeNumber*)>& make) {
  const auto [known, is_new] = made_.try_emplace({first, second});
  DeviceArray& array = known->second;
  if (is_new) {
    array = tools_.pool.take(2 * static_cast<std::size_t>(std::max<Index>(1, count)));
    if (count > 0) to_make_.push_back([make, result = reinterpret_cast<ModeNumber*>(array.data())] { make(result); });
  }
  return reinterpret_cast<const ModeNumber*>(array.data());
}

const ModeNumber* DeviceTensorFields::add_real(const Matrix& matrix) {
  const double* values = matrices_.add(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return made_of(values, nullptr, matrix.size(), [this, values, size = matrix.size()](ModeNumber* result) {
    to_complex(tools_.handles, values, static_cast<std::size_t>(size), raw(result));
  });
}

const ModeNumber* DeviceTensorFields::adjoint_of(const ModeNumber* matrix, Index n) {
  return made_of(matrix, matrix, n * n, [this, matrix, n](ModeNumber* result) {
    adjoint(tools_.handles, raw(matrix), static_cast<int>(n), raw(result));
  });
}

// Z U
const ModeNumber* DeviceTensorFields::lifted(const ModeNumber* lift, const ModeNumber* unitary, Index n, Index n_free) {
  return made_of(lift, unitary, n * n_free, [this, lift, unitary, n, n_free](ModeNumber* result) {
    multiply_along(tools_.handles, lift, {n, n_free, 1, n_free, n_free, n}, unitary, result);
  });
}

std::vector<const int*> DeviceTensorFields::free_lists(std::size_t f) const {
  std::vector<const int*> lists;
  for (const Axis& axis : fields_[f].axes) lists.push_back(axis.free);
  return lists;
}

// What the conditions determine: u = Z_x (Z_y (.. ) + M_y r_y) + M_x r_x, the first axis of the order innermost. Empty:
// nothing.
DeviceArray DeviceTensorFields::lift_conditions(const Field& field, const std::vector<DeviceArray>& conditions) const {
  Shape extents = field.free_extents;
  DeviceArray lifted;
  if (std::all_of(conditions.begin(), conditions.end(), [](const DeviceArray& one) { return one.empty(); }))
    return lifted;
  for (std::size_t d : field.order) {
    const Axis& axis = field.axes[d];
    DeviceArray next;
    if (lifted.empty())
      extents[d] = axis.n;
    else
      next = field.tensors.along({axis.lift}, axis.n, lifted, extents, d);
    Shape right_extents = extents;
    right_extents[d] = axis.n_closed;
    DeviceArray right;
    for (std::size_t c = 0; c < conditions.size(); ++c) {
      const Conditions& block = field.conditions[c];
      if (block.d != d || conditions[c].empty()) continue;
      if (right.empty()) right = field.tensors.zero(right_extents);
      std::vector<const int*> lists(extents.size(), nullptr);
      lists[d] = block.closed;
      field.tensors.place(conditions[c], block.extents, block.factors, lists, right, right_extents);
    }
    if (!right.empty()) {
      DeviceArray particular = field.tensors.along({axis.particular}, axis.n, right, right_extents, d);
      if (next.empty())
        next = std::move(particular);
      else
        scale_and_add(tools_.handles, 1.0, particular.data(), 1.0, next.data(), next.size());
    }
    if (!next.empty()) lifted = std::move(next);
  }
  return lifted;
}

// right -= (mass + sum_d A_d) lifted on the free modes.
void DeviceTensorFields::subtract_lifted(const Field& field, const DeviceArray& lifted, DeviceArray& right) const {
  const auto on_free = [&](std::size_t except, Shape& extents) {
    extents = field.free_extents;
    std::vector<const int*> lists(field.axes.size(), nullptr);
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      if (d != except)
        lists[d] = field.axes[d].free;
      else
        extents[d] = field.extents[d];
    return field.tensors.pick(lifted, field.extents, lists, extents);
  };
  Shape extents;
  const DeviceArray free = on_free(field.axes.size(), extents);
  field.tensors.add(field.mass, true, free, field.free_extents, right);
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const Axis& axis = field.axes[d];
    if (axis.operators.empty()) continue;
    const DeviceArray part = on_free(d, extents);
    for (const Axis::Operator& op : axis.operators) {
      Shape image_extents = extents;
      const DeviceArray image = field.tensors.along({op.matrix}, axis.n_free, part, image_extents, d);
      field.tensors.add(op.factors, true, image, field.free_extents, right);
    }
  }
}

std::vector<DeviceArray> DeviceTensorFields::solve(const std::vector<std::size_t>& which,
                                                   std::vector<Right> rights) const {
  std::vector<DeviceArray> lifted, values;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Field& field = fields_[which[i]];
    DeviceArray right = std::move(rights[i].equation);
    lifted.push_back(lift_conditions(field, rights[i].conditions));
    if (!lifted[i].empty()) subtract_lifted(field, lifted[i], right);
    Shape extents = field.free_extents;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      right = field.tensors.along(field.axes[d].adjoint, field.axes[d].n_free, right, extents, d);
    values.push_back(std::move(right));
  }
  solve_triangular(which, values);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Field& field = fields_[which[i]];
    Shape extents = field.free_extents;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      values[i] = field.tensors.along(field.axes[d].unitary, field.axes[d].n, values[i], extents, d);
    if (!lifted[i].empty())
      scale_and_add(tools_.handles, 1.0, lifted[i].data(), 1.0, values[i].data(), values[i].size());
  }
  return values;
}

// Fields of equal extents by the same launches.
void DeviceTensorFields::solve_triangular(const std::vector<std::size_t>& which,
                                          const std::vector<DeviceArray>& values) const {
  std::map<Shape, std::vector<TriangularSystem>> systems;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Field& field = fields_[which[i]];
    const std::size_t n_axes = field.free_extents.size(),
                      width = static_cast<std::size_t>(element_count(field.free_extents));
    for (int k = 0; k < field.tensors.n_modes(); ++k) {
      TriangularSystem system;
      system.r = mode_numbers(values[i]) + static_cast<std::size_t>(k) * width;
      system.shift = field.shifts[static_cast<std::size_t>(k)];
      for (std::size_t d = 0; d < n_axes; ++d) {
        const Axis& axis = field.axes[d];
        const std::size_t place = 3 - n_axes + d;
        system.triangles[place] = raw(axis.triangle[axis.single ? 0 : static_cast<std::size_t>(k)]);
        system.scales[place] = axis.scales[static_cast<std::size_t>(k)];
      }
      systems[field.free_extents].push_back(system);
    }
  }
  for (const auto& [extents, alike] : systems) {
    const std::size_t n_axes = extents.size();
    const auto n = [&](std::size_t d) { return d + n_axes < 3 ? 1 : static_cast<int>(extents[d + n_axes - 3]); };
    solve_kronecker_sums(tools_.handles, alike, n(0), n(1), n(2));
  }
}

}  // namespace gwrm::cuda
