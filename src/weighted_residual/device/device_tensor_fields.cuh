// Separable operators of several unknowns in Schur form on the device, time mode by time mode.
//
// Contract: src/weighted_residual/preconditioner/tensor_operators.hpp
//
// The formulas of tensor_factors.cpp and tensor_solve.cpp, for all time modes and fields at once where the CPU has a
// thread for each; and in double precision: a complex number in single precision would save memory, not time.
//
// Cost      of a solve one complex matrix product along each axis forth and back, and the triangular solves.
#pragma once

#include "weighted_residual/device/device_mode_tensors.cuh"
//
#include <functional>
#include <map>
#include <utility>

#include "kernels/linear_algebra/device_kronecker_sum.cuh"
#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm::cuda {

class DeviceTensorFields {
 public:
  // Nothing of fields and z is kept; z[f]: of the time modes of field f, those that its operators are made for.
  DeviceTensorFields(DeviceTools& tools, const std::vector<TensorField>& fields,
                     const std::vector<std::vector<ModeNumber>>& z);
  // The same modes for all fields.
  DeviceTensorFields(DeviceTools& tools, const std::vector<TensorField>& fields, const std::vector<ModeNumber>& z)
      : DeviceTensorFields(tools, fields, std::vector<std::vector<ModeNumber>>(fields.size(), z)) {}

  // The right-hand sides of one unknown.
  struct Right {
    DeviceArray equation;                 // [mode][free modes]
    std::vector<DeviceArray> conditions;  // per TensorField::conditions [mode][condition_extents()]; empty ones: zero
  };
  std::size_t size() const { return fields_.size(); }
  const Shape& extents(std::size_t f) const { return fields_[f].extents; }
  const Shape& free_extents(std::size_t f) const { return fields_[f].free_extents; }
  std::size_t n_conditions(std::size_t f) const { return fields_[f].conditions.size(); }
  const Shape& condition_extents(std::size_t f, std::size_t c) const { return fields_[f].conditions[c].extents; }
  // Lists of the free modes along each axis, on the device.
  std::vector<const int*> free_lists(std::size_t f) const;

  // The unknowns of these fields, [mode][extents].
  std::vector<DeviceArray> solve(const std::vector<std::size_t>& which, std::vector<Right> rights) const;

 private:
  struct Axis {
    Index n = 0, n_free = 0, n_closed = 0;
    std::vector<const ModeNumber*> adjoint;   // per form: U^H
    std::vector<const ModeNumber*> unitary;   // per form: Z U, n x free
    std::vector<const ModeNumber*> triangle;  // per form
    struct Operator {
      const ModeNumber* matrix = nullptr;   // A_p, free x n
      const ModeNumber* factors = nullptr;  // per mode: z^p
    };
    std::vector<Operator> operators;         // those that are there
    const ModeNumber* lift = nullptr;        // Z
    const ModeNumber* particular = nullptr;  // M
    const int* free = nullptr;
    std::vector<double2> scales;  // per mode: of the triangle
    bool single = true;           // one form for all modes
  };
  struct Conditions {
    std::size_t d = 0;
    Shape extents;                        // of the block along the axes
    const int* closed = nullptr;          // its rows among the closed ones of the axis
    const ModeNumber* factors = nullptr;  // per mode: z^-power
  };
  struct Field {
    explicit Field(const ModeTensors& of_its_modes) : tensors(of_its_modes) {}
    ModeTensors tensors;
    Shape extents, free_extents;
    std::vector<Axis> axes;
    std::vector<std::size_t> order;  // TensorField::order
    std::vector<Conditions> conditions;
    const ModeNumber* mass = nullptr;  // per mode
    std::vector<double2> shifts;       // the same
  };

  void add_field(const TensorField& source, const std::vector<ModeNumber>& z);
  const ModeNumber* made_of(const void* first, const void* second, Index count,
                            const std::function<void(ModeNumber*)>& make);
  const ModeNumber* add_real(const Matrix& matrix);
  const ModeNumber* adjoint_of(const ModeNumber* matrix, Index n);
  const ModeNumber* lifted(const ModeNumber* lift, const ModeNumber* unitary, Index n, Index n_free);
  DeviceArray lift_conditions(const Field& field, const std::vector<DeviceArray>& conditions) const;
  void subtract_lifted(const Field& field, const DeviceArray& lifted, DeviceArray& right) const;
  void solve_triangular(const std::vector<std::size_t>& which, const std::vector<DeviceArray>& values) const;

  DeviceTools& tools_;
  DeviceMatrices matrices_;
  std::map<std::pair<const void*, const void*>, DeviceArray> made_;
  std::vector<std::function<void()>> to_make_;  // in this order: of what is sent or made before
  std::vector<Field> fields_;
};

}  // namespace gwrm::cuda
