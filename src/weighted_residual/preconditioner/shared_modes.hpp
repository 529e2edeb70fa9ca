// The modes of time of a window that several ranks share (basis/time_modes.hpp), in the rank's own columns.
//
// Formula   rows to modes:     y = V^-1 v            (real and imaginary parts of mode after mode)
//           modes to unknowns: x = sum_k m Re(V_k y_k)
//           A steady problem has one mode, z = 0, with a real part alone.
// Memory    part after part of SharedVectors, in each block of columns after block, in a block line after line: the
//           parts of the modes, for each of them the lines of space.
// Bits      of one block of columns, whoever has it.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

class SharedModes {
 public:
  // The system has averages, diagonal modes or no time (shared_newton_unsupported_reason()).
  explicit SharedModes(const WindowSystem& system);
  // One real mode, of vectors of one time; factors in double precision.
  explicit SharedModes(double z);

  Index n_modes() const { return n_modes_; }
  Index n_parts() const { return n_parts_; }  // of a mode: 2, or 1
  Index n_times() const { return n_times_; }
  const std::vector<std::complex<double>>& z() const { return z_; }  // lambda_k h/2
  Precision precision() const { return precision_; }

  // v, result: of `vectors`, the rank's own; by_modes: n_modes n_parts numbers for every n_times of them.
  void to_modes(const SharedVectors& vectors, int rank, std::span<const double> v, std::span<double> by_modes) const;
  void from_modes(const SharedVectors& vectors, int rank, std::span<const double> by_modes,
                  std::span<double> result) const;

 private:
  Index n_times_ = 1, n_modes_ = 1, n_parts_ = 1;
  std::vector<std::complex<double>> z_{0.0};
  BlockMatrix forward_, backward_;
  Precision precision_;
};

}  // namespace gwrm
