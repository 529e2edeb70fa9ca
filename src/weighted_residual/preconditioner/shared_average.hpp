// The time-averaged preconditioner (averaged_solver.hpp) of a window that several ranks share: each solves for its
// pairs (mode of time, field).
//
// Way       V^-1 r in blocks of columns; to modes; S(z_k) y_k = .. field by field on the rank that has (k, field), with
//           the factors as they are; back to columns; sum_k m Re(V_k y_k). Two exchanges (window_layouts.hpp).
// Factors   from means of the coefficients that the planes of all ranks add up to (SharedWindow::coefficient_mean).
//           Every rank makes all of them, n x n numbers an axis of n modes and pair: little beside its vectors.
// Bits      those of one rank on any number of ranks.
// Memory    the rooms of the window (SharedRooms), and a vector of space.
// Serves    tensor factors (SpatialMethod::tensor), whose parts are the fields, with diagonal modes of time, or the one
//           real mode of a steady problem.
#pragma once

#include <memory>
#include <span>

#include "weighted_residual/preconditioner/shared_modes.hpp"
#include "weighted_residual/preconditioner/shared_preconditioner.hpp"

namespace gwrm {

class SharedAverage : public SharedPreconditioner {
 public:
  // system: of which `window` is.
  SharedAverage(const WindowSystem& system, SharedWindow& window, Communicator& ranks);
  LuStatus factor(const SharedLinearisation& at_x) override;
  void apply(std::span<const double> v, std::span<double> result) override;
  std::shared_ptr<SharedFactors> factors() const override { return factors_; }
  void reuse(std::shared_ptr<SharedFactors> factors) override {
    factors_ = std::dynamic_pointer_cast<Factors>(std::move(factors));
  }

 private:
  struct Factors : SharedFactors {
    std::unique_ptr<SpatialFactors> of_modes;
  };
  std::size_t part_of(std::size_t row) const;

  const WindowSystem& system_;
  SharedWindow& window_;
  Communicator& ranks_;
  SpatialLayout layout_;
  SharedModes modes_;
  std::shared_ptr<Factors> factors_;
  std::unique_ptr<WindowExchange> of_rows_, of_unknowns_;
};

}  // namespace gwrm
