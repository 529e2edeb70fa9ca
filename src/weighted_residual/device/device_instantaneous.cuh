// The equations of a short window on the device: their rows, J x, and S(z)^-1 of systems with Fourier axes.
//
// Contract: src/weighted_residual/preconditioner/instantaneous_factors.hpp
//
// Rows, products and averages of the coefficients are those of a DeviceWindow, S(z) is factored as the preconditioner
// of one time mode (device_line_solver.cuh, device_wavenumber_solver.cuh). GMRES is the host's: vectors of one time
// cross twice an iteration for each of J and S(z)^-1.
// Memory    that of a window of so few nodes, and one inverse for each wavenumber, while the object lives.
#pragma once

#include "weighted_residual/device/device_window.cuh"
//
#include "weighted_residual/device/device_preconditioner.cuh"
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

namespace gwrm::cuda {

class DeviceInstantaneous final : public InstantaneousSystem {
 public:
  // The system has no device_unsupported_reason() by wavenumbers. interpreted: no compiler is to be used.
  DeviceInstantaneous(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system, bool interpreted);

  std::vector<double> rows() override;
  LuStatus factor() override;
  void precondition(std::span<const double> b, std::span<double> x) override;
  void apply(std::span<const double> x, std::span<double> b) override;

 private:
  DeviceArray at_rest();
  // y = operation(x) of vectors that lie on the host.
  template <class Operation>
  void on_device(std::span<const double> from, std::span<double> to, const Operation& operation);

  DeviceTools& tools_;
  const WindowSystem& system_;
  DeviceWindow window_;
  std::shared_ptr<DevicePreconditioner> factors_;
};

}  // namespace gwrm::cuda
