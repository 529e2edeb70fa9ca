// The time-averaged preconditioner of a window that several ranks share, wavenumber by wavenumber
// (wavenumber_operators.hpp): each rank factors and solves for its own.
//
// Shares    of the wavenumbers along one Fourier axis, in groups of neighbours that a part of a solve has; of them all
//           modes of time, all fields, all wavenumbers along the other axes, the whole bounded axis. That axis is the
//           one behind the first modal axis, whose wavenumbers follow each other among the columns, so that most
//           numbers are where they are needed; only sine and cosine of one wavenumber may lie in two shares. Where that
//           axis is bounded, it is the first one: then all but 1/P of the numbers change their ranks.
// Bytes     8 each way for a part of a mode, a line and a column whose rank is not that of the wavenumber. Of L lines
// and
//           m columns, of which rank r has m_r: sum_r m_r (L - L_r) where the first axis is shared and r has L_r of its
//           wavenumbers; else L times the columns that are not among those of the wavenumbers of their rank.
// Way       V^-1 r in blocks of columns; to the ranks of the wavenumbers; S(z_k) y_k = ..; back; sum_k m Re(V_k y_k).
// Factors   a rank has those of its wavenumbers: time and memory fall with the number of ranks. What they are made of,
//           the means of the coefficients, all have (SharedWindow::coefficient_mean).
// Bits      of a group of wavenumbers, whoever has it: those of one rank on any number of ranks.
// Serves    what wavenumber_unsupported_reason() says, with diagonal modes of time or none.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/shared_modes.hpp"
#include "weighted_residual/preconditioner/shared_preconditioner.hpp"
#include "weighted_residual/preconditioner/wavenumber_exchange.hpp"
#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

namespace gwrm {

class SharedWavenumbers : public SharedPreconditioner {
 public:
  SharedWavenumbers(const WindowSystem& system, SharedWindow& window, Communicator& ranks);
  // Of other modes than those of the window, whose rows and unknowns these vectors are.
  SharedWavenumbers(const WindowSystem& system, SharedWindow& window, Communicator& ranks, SharedModes modes,
                    SharedVectors rows, SharedVectors unknowns);
  LuStatus factor(const SharedLinearisation& at_x) override;
  void apply(std::span<const double> v, std::span<double> result) override;
  std::shared_ptr<SharedFactors> factors() const override { return own_; }
  void reuse(std::shared_ptr<SharedFactors> factors) override;

  // Numbers that all ranks together send to others for a product with M^-1, by the formula above.
  Index n_off_rank() const { return own_ == nullptr ? 0 : own_->n_off_rank; }
  // Wavenumbers of this rank along the axis that is shared.
  Index n_own() const { return own_->places.count(ranks_.rank()); }

 private:
  // The rank's wavenumbers: which they are, how their numbers come to them, and the factors.
  struct Own : SharedFactors {
    std::size_t axis = 0;      // which Fourier axis is shared
    Index pairs_per_part = 1;  // of wavenumbers along it
    Shares places{{0}};        // along it
    std::unique_ptr<WavenumberExchange> of_rows, of_unknowns;
    Index n_off_rank = 0;                     // of both
    std::unique_ptr<SpatialFactors> factors;  // null where it has no wavenumbers
  };
  void share_out(const WavenumberOperators& operators);
  void make_room();
  Index n_off_rank_of(const SharedVectors& vectors, const std::vector<WavenumberPlace>& places, bool by_lines) const;
  WavenumberOperators own_part(WavenumberOperators operators) const;

  const WindowSystem& system_;
  SharedWindow& window_;
  Communicator& ranks_;
  SpatialLayout layout_;
  SharedModes modes_;
  SharedVectors rows_, unknowns_;
  int bounded_ = -1;          // the axis, -1: none
  std::shared_ptr<Own> own_;  // null before it is known how they are shared
  std::vector<double> rows_by_modes_, unknowns_by_modes_;
  std::vector<std::complex<double>> right_, solution_;  // mode after mode
};

}  // namespace gwrm
