// The time-averaged preconditioner on the device for boxes that are periodic along every axis, wavenumber by wavenumber
// with all fields coupled.
//
// Contract: src/weighted_residual/preconditioner/wavenumber_operators.hpp
//
// Time nodes go to time modes, every thread makes and eliminates the blocks of its wavenumbers (wavenumber_cells.cuh),
// and back. No inverses are kept, where the CPU has them: making a block anew takes less time than reading it.
//
// Cost      six passes over a vector of the window; set-up one pass that looks for singular blocks.
// Memory    two vectors while it is applied, some kB between.
#pragma once

#include "kernels/transform/device_modes.cuh"
//
#include "basis/time_modes.hpp"
#include "weighted_residual/device/device_preconditioner.cuh"
#include "weighted_residual/device/wavenumber_cells.cuh"

namespace gwrm::cuda {

class DeviceWavenumberSolver : public DevicePreconditioner {
 public:
  // modes: null for a steady problem, or one time of another, and real z then. Vectors are those of a window, or of
  // SpatialLayout. Nothing of `system`, operators and tables is kept.
  DeviceWavenumberSolver(DeviceTools& tools, const WindowSystem& system, const WavenumberOperators& operators,
                         const WavenumberTables& tables, const TimeModes* modes);

  // No block is singular to round-off. Waits for the host.
  bool is_regular() const;

  void look_at_rows(const double*, double*) override {}
  void apply(const double* v, const double*, double* result) override { apply(v, result); }
  void apply(const double* v, double* result) override;

 private:
  struct Part {  // a row block or a field
    Index offset = 0, width = 0;
  };

  DeviceTools& tools_;
  DeviceMatrices matrices_;
  ModeMatrices modes_;
  std::vector<Part> rows_, fields_;
  WavenumberBlocks blocks_;  // without the places of vectors
};

}  // namespace gwrm::cuda
