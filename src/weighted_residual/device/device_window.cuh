// The equations of one window on the device: residual, linearisation and Jacobian-vector product of a WindowSystem; all
// vectors lie on the device.
//
// Contract: src/weighted_residual/window/window_system.hpp
//
// Coefficients go to values at the points by matrix products along each axis, the equations are evaluated there by
// kernels compiled for the case (or interpreted), and the result is projected back by matrix products. A
// Jacobian-vector product costs the transforms of the directions, one pass that sums coefficient * direction, and the
// projections.
#pragma once

#include "weighted_residual/device/device_atoms.cuh"
//
#include "weighted_residual/device/device_integrals.cuh"
#include "weighted_residual/device/device_pointwise.cuh"

namespace gwrm::cuda {

using DevicePrograms = std::map<std::string, std::shared_ptr<const DeviceProgram>>;

class DeviceWindow {
 public:
  // The system has no device_unsupported_reason(). interpreted: no compiler is to be used.
  DeviceWindow(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system, bool interpreted = false);

  std::size_t size() const { return static_cast<std::size_t>(system_.size()); }
  const WindowSystem& system() const { return system_; }
  void residual(const double* x, double* f);
  // Evaluates the coefficients of the linearised rows at x and keeps them.
  void linearise(const double* x);
  // result = J v at the last linearise().
  void apply_jacobian(const double* v, double* result);
  // Mean of a coefficient over the window and over all axes but one (-1: all), on the host.
  Vector coefficient_mean(int coefficient, int axis);

 private:
  struct Row {
    Index offset = 0;
    double scale = 1.0;
    DeviceTensor residual, linear;  // at the points
    std::vector<DeviceBlockMatrix> tests;
    std::vector<const double*> sums;  // row sums of the tests: for values that do not vary along an axis
    DeviceArray memory;
    // Of a mean: the rows of its equation at one time, and the distance of two times.
    const int* places = nullptr;
    Index n_places = 0, n_times = 0, stride = 0;
  };
  using IntegralValues = std::map<int, DeviceTensor>;  // per slot of a tape
  void add_rows(const WindowSystem& system);
  void add_residual_kernels();
  void add_jacobian_kernels();
  void add_linear_kernels();
  IntegralValues add_integrals(const expression::Tape& tape, const std::vector<WindowSystem::Leaf>& leaves,
                               DeviceIntegrals& integrals);
  PointwiseOutput output_of(expression::Tape::Steps steps, const std::vector<WindowSystem::Leaf>& leaves,
                            const IntegralValues& integrals);
  PointwiseOutput coefficient_output(int coefficient);
  Shape linear_shape(const std::vector<RowTerm>& terms);
  PointwiseOutput linear_output(const std::vector<RowTerm>& terms, int& next);
  void project(const Row& row, const DeviceTensor& values, double* f);
  void apply_tests(const Row& row, const DeviceTensor& values, double* target);

  DeviceTools& tools_;
  const WindowSystem& system_;
  DeviceMatrices matrices_;
  DeviceAtoms values_, directions_;
  std::vector<Row> rows_;
  std::vector<DeviceTensor> coefficients_;
  std::vector<DeviceArray> coefficient_memory_;
  std::map<const WindowSystem::Leaf*, DeviceTensor> fixed_;  // coordinates
  std::vector<const double*> weights_;                       // per axis, sum 1
  std::vector<double> lengths_;                              // their sums before
  DevicePointwise pointwise_;
  DeviceIntegrals residual_integrals_, jacobian_integrals_, linear_integrals_;
  IntegralValues values_of_residual_, values_of_jacobian_;
  std::vector<DeviceTensor> values_of_linear_;  // per SystemPlan::integrals
  int residual_set_ = -1, jacobian_set_ = -1, linear_set_ = -1;
};

}  // namespace gwrm::cuda
