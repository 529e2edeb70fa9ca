// The equations of a short window on the device: their rows, and S(z) of systems with Fourier axes for one z.
//
// Contract: src/weighted_residual/preconditioner/instantaneous_factors.hpp
//
// Rows and averages of the coefficients are those of a DeviceWindow, S(z) is factored as the preconditioner of one time
// mode (device_line_solver.cuh, device_wavenumber_solver.cuh). The products of the refinement are the host's: nothing
// is factored there. Memory    that of a window of so few nodes, and one inverse for each wavenumber, while the object
// lives.
#pragma once

#include "weighted_residual/device/device_window.cuh"
//
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

namespace gwrm::cuda {

class DeviceInstantaneous final : public InstantaneousSystem {
 public:
  // The system has no device_unsupported_reason() by wavenumbers. interpreted: no compiler is to be used.
  DeviceInstantaneous(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system,
                      const SpatialLayout& layout, bool interpreted);

  std::vector<double> rows() override;
  FactorResult factors(double z) override;

 private:
  DeviceTools& tools_;
  const WindowSystem& system_;
  const SpatialLayout& layout_;
  DeviceWindow window_;
};

}  // namespace gwrm::cuda
