// The time-averaged preconditioner on the device, for separable operators in Schur form.
//
// Contract: src/weighted_residual/preconditioner/tensor_operators.hpp
//
// The formulas of tensor_factors.cpp and tensor_solve.cpp, for all time modes and fields at once where the CPU has a
// thread for each; and in double precision: a complex number in single precision would save memory, not time.
//
// Cost      per application one complex matrix product along each axis forth and back, and the triangular solves.
#pragma once

#include "weighted_residual/device/device_preconditioner.cuh"
//
#include <map>
#include <utility>

#include "kernels/linear_algebra/device_kronecker_sum.cuh"

namespace gwrm::cuda {

class DeviceTensorSolver : public DevicePreconditioner {
 public:
  // modes: null for a steady problem. Nothing of `system` is kept.
  DeviceTensorSolver(DeviceTools& tools, const WindowSystem& system, const std::vector<TensorField>& fields,
                     const TimeModes* modes, const std::vector<std::complex<double>>& z);

  // The facts: the largest magnitudes in the rows of the equations and of the conditions, which may have nothing in
  // them.
  void look_at_rows(const double* v, double* facts) override;
  void apply(const double* v, const double* facts, double* result) override;
  void apply(const double* v, double* result) override;

 private:
  static bool conditions_matter(const double* largest);
  void solve(const double* v, bool with_conditions, double* result);
  using Number = std::complex<double>;
  struct Axis {
    Index n = 0, n_free = 0, n_closed = 0;
    std::vector<const Number*> adjoint;   // per form: U^H
    std::vector<const Number*> unitary;   // per form: Z U, n x free
    std::vector<const Number*> triangle;  // per form
    struct Operator {
      const Number* matrix = nullptr;   // A_p, free x n
      const Number* factors = nullptr;  // per mode: z^p
    };
    std::vector<Operator> operators;     // those that are there
    const Number* lift = nullptr;        // Z
    const Number* particular = nullptr;  // M
    const int* free = nullptr;
    std::vector<double2> scales;  // per mode: of the triangle
    bool single = true;           // one form for all modes
  };
  struct Conditions {
    std::size_t d = 0;
    Index offset = 0, width = 0;      // of the block in v: n_nodes x width
    Shape extents;                    // of the block along the axes
    const int* closed = nullptr;      // its rows among the closed ones of the axis
    const Number* factors = nullptr;  // per mode: z^-power
  };
  struct Field {
    Index rows = 0, unknowns = 0;  // offsets in a window's vectors
    Shape extents, free_extents;
    std::vector<Axis> axes;
    std::vector<Conditions> conditions;
    const Number* mass = nullptr;  // per mode
    std::vector<double2> shifts;   // the same
  };
  struct Group {  // fields of equal extents, solved by the same launches
    std::vector<std::size_t> fields;
  };

  void add_field(const WindowSystem& system, const SpatialLayout& layout, const TensorField& source,
                 const std::vector<Number>& z);
  const Number* made_of(const void* first, const void* second, Index count, const std::function<void(Number*)>& make);
  const Number* add_real(const Matrix& matrix);
  const Number* adjoint_of(const Number* matrix, Index n);
  const Number* lifted(const Number* lift, const Number* unitary, Index n, Index n_free);
  // [modes, extents] of a field; complex numbers count as two.
  DeviceArray take(const Shape& extents);
  DeviceArray along(const std::vector<const Number*>& matrices, Index m, const DeviceArray& x, Shape& extents,
                    std::size_t d);
  DeviceArray lift_conditions(const Field& field, const double* v);
  void subtract_lifted(const Field& field, const DeviceArray& lifted, DeviceArray& right);
  void solve_triangular(const std::vector<DeviceArray>& values);
  Box box(const Shape& extents) const;

  DeviceTools& tools_;
  DeviceMatrices matrices_;
  std::map<std::pair<const void*, const void*>, DeviceArray> made_;
  std::vector<std::function<void()>> to_make_;  // in this order: of what is sent or made before
  ModeMatrices modes_;
  Index n_equation_rows_ = 0, n_rows_ = 0;
  std::vector<Field> fields_;
  std::vector<Group> groups_;
};

}  // namespace gwrm::cuda
