// The equations of one window on the device: residual, linearisation and Jacobian-vector product of a WindowSystem; all
// vectors lie on the device.
//
// Contract: src/weighted_residual/window/window_system.hpp
//
// Coefficients go to values at the points by matrix products along each axis, the equations are evaluated there by
// kernels compiled for the case (or interpreted), and the result is projected back by matrix products. A
// Jacobian-vector product costs the transforms of the directions, one pass that sums coefficient * direction, and the
// projections.
//
// Several ranks share a window by device_shares.cuh: vectors are then the rank's own unknowns and rows, the points
// those of its planes, and every function is called by all ranks. Rows go back to columns before they are projected
// along z.
#pragma once

#include "weighted_residual/device/device_atoms.cuh"
//
#include "weighted_residual/device/device_integrals.cuh"
#include "weighted_residual/device/device_pointwise.cuh"
#include "weighted_residual/device/device_shares.cuh"

namespace gwrm::cuda {

using DevicePrograms = std::map<std::string, std::shared_ptr<const DeviceProgram>>;

class DeviceWindow {
 public:
  // The system has no device_unsupported_reason(). interpreted: no compiler is to be used. shares: null for one GPU.
  DeviceWindow(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system, bool interpreted = false,
               std::unique_ptr<const DeviceShares> shares = nullptr);

  // Of the vectors here.
  std::size_t n_unknowns() const { return shares_ ? shares_->n_unknowns() : static_cast<std::size_t>(system_.size()); }
  std::size_t n_rows() const { return shares_ ? shares_->n_rows() : static_cast<std::size_t>(system_.size()); }
  const DeviceShares* shares() const { return shares_.get(); }
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
    // On several GPUs `tests` are those in planes; then in columns:
    bool at_edge = false;  // of z
    DeviceBlockMatrix along_z;
    Shape columns;  // the extents of its table by columns
  };
  using IntegralValues = std::map<int, DeviceTensor>;  // per slot of a tape
  void add_rows(const WindowSystem& system);
  void add_residual_kernels();
  void add_jacobian_kernels();
  void add_linear_kernels();
  IntegralValues add_integrals(const expression::Tape& tape, const std::vector<WindowSystem::Leaf>& leaves,
                               DeviceIntegrals& integrals);
  // at_edge: in planes at an edge of z, where several GPUs share the window.
  PointwiseOutput output_of(expression::Tape::Steps steps, const std::vector<WindowSystem::Leaf>& leaves,
                            const IntegralValues& integrals, bool at_edge);
  PointwiseOutput coefficient_output(int coefficient, bool at_edge);
  Shape linear_shape(const std::vector<RowTerm>& terms, bool at_edge);
  PointwiseOutput linear_output(const std::vector<RowTerm>& terms, int& next, bool at_edge);
  void share_rows();
  void project(bool linear, double* f);
  void project(const Row& row, const DeviceTensor& values, double* f);
  Vector shared_mean(int coefficient, int axis);
  bool varies_by_line(int coefficient) const;
  void run(const std::vector<int>& sets);
  void apply_tests(const Row& row, const DeviceTensor& values, double* target);

  DeviceTools& tools_;
  const WindowSystem& system_;
  const std::unique_ptr<const DeviceShares> shares_;
  DeviceMatrices matrices_;
  DeviceAtoms values_, directions_;
  std::vector<Row> rows_;
  std::vector<DeviceTensor> coefficients_, edge_coefficients_;  // the latter on several GPUs, where rows read them
  std::vector<DeviceArray> coefficient_memory_;
  std::map<std::pair<const WindowSystem::Leaf*, bool>, DeviceTensor> fixed_;  // coordinates
  std::vector<const double*> weights_;                                        // per axis, sum 1
  std::vector<double> lengths_;                                               // their sums before
  DevicePointwise pointwise_;
  DeviceIntegrals residual_integrals_, jacobian_integrals_, linear_integrals_;
  IntegralValues values_of_residual_, values_of_jacobian_;
  std::vector<DeviceTensor> values_of_linear_;  // per SystemPlan::integrals
  std::vector<int> residual_sets_, jacobian_sets_, linear_sets_;
  std::unique_ptr<DeviceExchange> row_exchange_;
  DeviceArray rows_by_lines_;
  const double *line_weights_ = nullptr, *edge_weights_ = nullptr;  // in time and along z, of the rank's lines
};

}  // namespace gwrm::cuda
