#include "weighted_residual/device/device_tensor_solver.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {
namespace {

using Number = std::complex<double>;
using RowMajor = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const Number* add(DeviceMatrices& matrices, const RowMajor& matrix) {
  return matrices.add(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

double2* complex(const DeviceArray& array) {
  return reinterpret_cast<double2*>(array.data());
}

const double2* raw(const Number* p) {
  return reinterpret_cast<const double2*>(p);
}

double2* raw(Number* p) {
  return reinterpret_cast<double2*>(p);
}

const int* add_list(DeviceMatrices& matrices, const std::vector<Index>& list) {
  const std::vector<int> places(list.begin(), list.end());
  return matrices.add(places.data(), places.size());
}

}  // namespace

DeviceTensorSolver::DeviceTensorSolver(DeviceTools& tools, const WindowSystem& system,
                                       const std::vector<TensorField>& fields, const TimeModes* modes,
                                       const std::vector<Number>& z)
    : tools_(tools), matrices_(tools.profile, tools.pool), modes_(mode_matrices(modes)), n_rows_(system.size()) {
  const SpatialLayout layout(system);
  for (const RowBlock& row : system.rows())
    if (row.kind == RowBlock::Kind::equation) n_equation_rows_ = row.offset + element_count(row.extents);
  for (const TensorField& field : fields) add_field(system, layout, field, z);
  matrices_.send();
  for (const auto& make : to_make_) make();
  to_make_.clear();
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
      return fields_[g.fields.front()].free_extents == fields_[f].free_extents;
    });
    if (group == groups_.end()) {
      groups_.emplace_back();
      group = groups_.end() - 1;
    }
    group->fields.push_back(f);
  }
}

void DeviceTensorSolver::add_field(const WindowSystem& system, const SpatialLayout& layout, const TensorField& source,
                                   const std::vector<Number>& z) {
  Field field;
  const auto block_at = [&](Index spatial_offset) -> const RowBlock& {
    std::size_t i = 0;
    while (layout.rows[i] != spatial_offset || system.rows()[i].kind == RowBlock::Kind::mean) ++i;
    return system.rows()[i];
  };
  field.rows = block_at(source.rows).offset;
  for (std::size_t f = 0; f < system.layouts().size(); ++f)
    if (layout.fields[f] == source.unknowns) field.unknowns = system.layouts()[f].offset;
  field.extents = source.extents;
  field.free_extents = source.free_extents;
  field.mass = matrices_.add(source.mass.data(), source.mass.size());
  for (const Number& mass : source.mass) field.shifts.push_back({mass.real(), mass.imag()});
  for (const TensorAxis& from : source.axes) {
    Axis axis;
    for (const Number& value : z) {
      const Number scale = from.scale(value);
      axis.scales.push_back({scale.real(), scale.imag()});
    }
    axis.n = from.lift.rows();
    axis.n_free = from.lift.cols();
    axis.n_closed = static_cast<Index>(from.closed.size());
    axis.single = from.single_power >= 0;
    axis.lift = add_real(from.lift);
    for (std::size_t form = 0; form < from.unitary.size(); ++form) {
      const Number* unitary = add(matrices_, from.unitary[form]);
      axis.adjoint.push_back(adjoint_of(unitary, axis.n_free));
      axis.unitary.push_back(lifted(axis.lift, unitary, axis.n, axis.n_free));
      axis.triangle.push_back(add(matrices_, from.triangle[form]));
    }
    std::vector<Number> powers(z.size(), 1.0);
    for (const Matrix& op : from.operators) {
      if (op.size() > 0) axis.operators.push_back({add_real(op), matrices_.add(powers.data(), powers.size())});
      for (std::size_t k = 0; k < z.size(); ++k) powers[k] *= z[k];
    }
    axis.particular = add_real(from.particular);
    axis.free = add_list(matrices_, from.free);
    field.axes.push_back(std::move(axis));
  }
  for (const TensorConditions& from : source.conditions) {
    const RowBlock& block = block_at(from.rows);
    Conditions conditions;
    conditions.d = from.d;
    conditions.offset = block.offset;
    for (std::size_t d = 0; d < source.axes.size(); ++d)
      conditions.extents.push_back(d == from.d ? from.count : d < from.d ? source.extents[d] : source.free_extents[d]);
    conditions.width = element_count(conditions.extents);
    std::vector<Index> closed(static_cast<std::size_t>(from.count));
    std::iota(closed.begin(), closed.end(), from.first);
    conditions.closed = add_list(matrices_, closed);
    std::vector<Number> factors;
    for (const Number& value : z) factors.push_back(from.power == 0 ? Number(1.0) : 1.0 / std::pow(value, from.power));
    conditions.factors = matrices_.add(factors.data(), factors.size());
    field.conditions.push_back(std::move(conditions));
  }
  fields_.push_back(std::move(field));
}

// What will be made here of matrices, when they have been sent: equal ones are sent once, and are made once.
const Number* DeviceTensorSolver::made_of(const void* first, const void* second, Index count,
                                          const std::function<void(Number*)>& make) {
  const auto [known, is_new] = made_.try_emplace({first, second});
  DeviceArray& array = known->second;
  if (is_new) {
    array = tools_.pool.take(2 * static_cast<std::size_t>(std::max<Index>(1, count)));
    if (count > 0) to_make_.push_back([make, result = reinterpret_cast<Number*>(array.data())] { make(result); });
  }
  return reinterpret_cast<const Number*>(array.data());
}

const Number* DeviceTensorSolver::add_real(const Matrix& matrix) {
  const double* values = matrices_.add(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return made_of(values, nullptr, matrix.size(), [this, values, size = matrix.size()](Number* result) {
    to_complex(tools_.handles, values, static_cast<std::size_t>(size), raw(result));
  });
}

const Number* DeviceTensorSolver::adjoint_of(const Number* matrix, Index n) {
  return made_of(matrix, matrix, n * n, [this, matrix, n](Number* result) {
    adjoint(tools_.handles, raw(matrix), static_cast<int>(n), raw(result));
  });
}

// Z U
const Number* DeviceTensorSolver::lifted(const Number* lift, const Number* unitary, Index n, Index n_free) {
  return made_of(lift, unitary, n * n_free, [this, lift, unitary, n, n_free](Number* result) {
    multiply_along(tools_.handles, lift, {n, n_free, 1, n_free, n_free, n}, unitary, result);
  });
}

Box DeviceTensorSolver::box(const Shape& extents) const {
  Box result;
  result.extents[0] = modes_.n_modes;
  for (std::size_t d = 0; d < extents.size(); ++d) result.extents[d + 1] = static_cast<int>(extents[d]);
  return result;
}

DeviceArray DeviceTensorSolver::take(const Shape& extents) {
  return tools_.pool.take(2 * static_cast<std::size_t>(modes_.n_modes * element_count(extents)));
}

// A matrix for all modes, or one for each, along axis d; extents become those of the result.
DeviceArray DeviceTensorSolver::along(const std::vector<const Number*>& matrices, Index m, const DeviceArray& x,
                                      Shape& extents, std::size_t d) {
  const AroundDimension around(extents, d);
  const Index n = extents[d], n_modes = modes_.n_modes;
  extents[d] = m;
  DeviceArray y = take(extents);
  const auto* from = reinterpret_cast<const Number*>(x.data());
  auto* to = reinterpret_cast<Number*>(y.data());
  if (matrices.size() == 1) {
    multiply_along(tools_.handles, matrices.front(), {m, n, n_modes * around.outer, around.inner, n, m}, from, to);
    return y;
  }
  for (Index k = 0; k < n_modes; ++k)
    multiply_along(tools_.handles, matrices[static_cast<std::size_t>(k)], {m, n, around.outer, around.inner, n, m},
                   from + k * around.outer * n * around.inner, to + k * around.outer * m * around.inner);
  return y;
}

void DeviceTensorSolver::look_at_rows(const double* v, double* largest) {
  const DeviceArray workspace = tools_.pool.take(sums_workspace());
  largest_magnitude(tools_.handles, v, static_cast<std::size_t>(n_equation_rows_), workspace.data(), largest);
  largest_magnitude(tools_.handles, v + n_equation_rows_, static_cast<std::size_t>(n_rows_ - n_equation_rows_),
                    workspace.data(), largest + 1);
}

// False if the right-hand sides of the conditions are zero to round-off beside those of the equations.
bool DeviceTensorSolver::conditions_matter(const double* largest) {
  constexpr double kRoundOff = 1e-14;
  return !(largest[1] <= kRoundOff * largest[0]);
}

// What the conditions determine: u = Z_x (Z_y (.. ) + M_y r_y) + M_x r_x, the first axis innermost.
DeviceArray DeviceTensorSolver::lift_conditions(const Field& field, const double* v) {
  Shape extents = field.free_extents;
  DeviceArray lifted;
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const Axis& axis = field.axes[d];
    DeviceArray next;
    if (lifted.empty())
      extents[d] = axis.n;
    else
      next = along({axis.lift}, axis.n, lifted, extents, d);
    if (axis.n_closed > 0) {
      Shape right_extents = extents;
      right_extents[d] = axis.n_closed;
      DeviceArray right = take(right_extents);
      GWRM_DEVICE(cudaMemsetAsync(right.data(), 0, right.size() * sizeof(double), tools_.handles.stream));
      for (const Conditions& block : field.conditions) {
        if (block.d != d) continue;
        DeviceArray part = take(block.extents);
        to_time_modes(tools_.handles, modes_, v + block.offset, static_cast<std::size_t>(block.width), complex(part));
        Places places;
        places.lists[d + 1] = block.closed;
        place(tools_.handles, complex(part), box(block.extents), raw(block.factors), places, complex(right),
              box(right_extents));
      }
      DeviceArray particular = along({axis.particular}, axis.n, right, right_extents, d);
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
void DeviceTensorSolver::subtract_lifted(const Field& field, const DeviceArray& lifted, DeviceArray& right) {
  const auto width = static_cast<std::size_t>(element_count(field.free_extents));
  const auto pick_free = [&](std::size_t except, Shape& extents) {
    extents = field.free_extents;
    Places places;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      if (d != except)
        places.lists[d + 1] = field.axes[d].free;
      else
        extents[d] = field.extents[d];
    DeviceArray part = take(extents);
    pick(tools_.handles, complex(lifted), box(field.extents), places, complex(part), box(extents));
    return part;
  };
  Shape extents;
  const DeviceArray on_free = pick_free(field.axes.size(), extents);
  add_by_mode(tools_.handles, raw(field.mass), true, complex(on_free), modes_.n_modes, width, complex(right));
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const Axis& axis = field.axes[d];
    if (axis.operators.empty()) continue;
    const DeviceArray part = pick_free(d, extents);
    for (const Axis::Operator& op : axis.operators) {
      Shape image_extents = extents;
      const DeviceArray image = along({op.matrix}, axis.n_free, part, image_extents, d);
      add_by_mode(tools_.handles, raw(op.factors), true, complex(image), modes_.n_modes, width, complex(right));
    }
  }
}

void DeviceTensorSolver::apply(const double* v, double* result) {
  const DeviceArray results = tools_.pool.take(2);
  look_at_rows(v, results.data());
  double largest[2] = {0.0, 0.0};
  tools_.profile.download(largest, results.data(), 2);
  apply(v, largest, result);
}

void DeviceTensorSolver::apply(const double* v, const double* facts, double* result) {
  solve(v, conditions_matter(facts), result);
}

void DeviceTensorSolver::solve(const double* v, bool with_conditions, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  std::vector<DeviceArray> lifted(fields_.size()), values(fields_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    DeviceArray right = take(field.free_extents);
    to_time_modes(tools_.handles, modes_, v + field.rows, static_cast<std::size_t>(element_count(field.free_extents)),
                  complex(right));
    if (with_conditions) lifted[f] = lift_conditions(field, v);
    if (!lifted[f].empty()) subtract_lifted(field, lifted[f], right);
    Shape extents = field.free_extents;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      right = along(field.axes[d].adjoint, field.axes[d].n_free, right, extents, d);
    values[f] = std::move(right);
  }
  solve_triangular(values);
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    Shape extents = field.free_extents;
    for (std::size_t d = 0; d < field.axes.size(); ++d)
      values[f] = along(field.axes[d].unitary, field.axes[d].n, values[f], extents, d);
    if (!lifted[f].empty())
      scale_and_add(tools_.handles, 1.0, lifted[f].data(), 1.0, values[f].data(), values[f].size());
    from_time_modes(tools_.handles, modes_, complex(values[f]), static_cast<std::size_t>(element_count(field.extents)),
                    result + field.unknowns);
  }
}

void DeviceTensorSolver::solve_triangular(const std::vector<DeviceArray>& values) {
  for (const Group& group : groups_) {
    std::vector<TriangularSystem> systems;
    const Shape& extents = fields_[group.fields.front()].free_extents;
    const std::size_t n_axes = extents.size(), width = static_cast<std::size_t>(element_count(extents));
    for (std::size_t f : group.fields)
      for (int k = 0; k < modes_.n_modes; ++k) {
        TriangularSystem system;
        system.r = complex(values[f]) + static_cast<std::size_t>(k) * width;
        system.shift = fields_[f].shifts[static_cast<std::size_t>(k)];
        for (std::size_t d = 0; d < n_axes; ++d) {
          const Axis& axis = fields_[f].axes[d];
          const std::size_t place = 3 - n_axes + d;
          system.triangles[place] = raw(axis.triangle[axis.single ? 0 : static_cast<std::size_t>(k)]);
          system.scales[place] = axis.scales[static_cast<std::size_t>(k)];
        }
        systems.push_back(system);
      }
    const auto n = [&](std::size_t d) { return d + n_axes < 3 ? 1 : static_cast<int>(extents[d + n_axes - 3]); };
    solve_kronecker_sums(tools_.handles, systems, n(0), n(1), n(2));
  }
}

}  // namespace gwrm::cuda
