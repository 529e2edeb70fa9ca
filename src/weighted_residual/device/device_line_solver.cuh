// The time-averaged preconditioner on the device for Fourier axes and one bounded axis, wavenumber by wavenumber with
// all fields coupled along the bounded axis.
//
// Contract: src/weighted_residual/preconditioner/wavenumber_operators.hpp
//
// Set-up makes the dense block of each time mode and wavenumber on the device and inverts all of them
// (kernels/linear_algebra/device_inverses.cuh), in double precision. Time nodes go to time modes, sines and cosines to
// exponentials, every inverse is applied, and back.
//
// Cost      of an application one pass over the inverses and a dozen over a vector of the window.
// Memory    16 N^2 bytes for each time mode and each wavenumber, N unknowns along the bounded axis (half as many
//           wavenumbers along each axis with a mirror: wavenumber_line_tables.hpp), four vectors of the window, and
//           while inverses are made 0.3 GB or what one of them takes.
#pragma once

#include "kernels/transform/device_modes.cuh"
//
#include "basis/time_modes.hpp"
#include "weighted_residual/device/device_preconditioner.cuh"
#include "weighted_residual/device/wavenumber_lines.cuh"

namespace gwrm::cuda {

class DeviceLineSolver : public DevicePreconditioner {
 public:
  // modes: null for a steady problem, or one time of another, and real z then; z as for spatial_factors.hpp. Vectors
  // are those of a window, or of SpatialLayout. Nothing of `system` and tables is kept.
  DeviceLineSolver(DeviceTools& tools, const WindowSystem& system, WavenumberLineTables tables, const TimeModes* modes,
                   const std::vector<std::complex<double>>& z);

  // singular: one of the blocks is, to round-off.
  LuStatus status() const { return status_; }

  void look_at_rows(const double*, double*) override {}
  void apply(const double* v, const double*, double* result) override { apply(v, result); }
  void apply(const double* v, double* result) override;
  std::size_t own_bytes() const override { return inverse_bytes_; }

 private:
  struct Part {  // a row block or a field
    Index offset = 0, width = 0;
    long long numbers = 0;  // where its time modes begin
  };
  void make_inverses();

  DeviceTools& tools_;
  DeviceMatrices matrices_;
  ModeMatrices modes_;
  std::vector<Part> rows_, fields_;
  WavenumberLines lines_;
  int n_served_ = 1;
  DeviceBuffer inverses_;  // not of the pool: what is given back there stays taken
  std::size_t inverse_bytes_ = 0;
  DeviceArray of_rows_, of_fields_, right_, solutions_;  // time modes, and [mode][vector][row or unknown]
  LuStatus status_ = LuStatus::regular;
};

}  // namespace gwrm::cuda
