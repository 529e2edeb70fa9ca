// The order of unknowns and rows in which a window of one axis of space is a banded matrix with a dense border.
//
// An equation e whose share of the conditions is m has the rows r = 0 .. L - m of C^(basis) along the axis; its closing
// field f (condition_count.hpp) gives up the modes k < m to the border, and mode k = r + m stands on the diagonal of
// row r: there the leading derivative acts, which maps T_{r+m} to C^(m)_r. Core: r slowest, then the equation (its
// field), then time. Border: the first m modes of each field against the conditions, time innermost.
// Source: docs/numerics.md 3.3; Olver and Townsend, SIAM Rev. 55 (2013) 462.
#pragma once

#include <span>
#include <vector>

#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

class BandedLayout {
 public:
  explicit BandedLayout(const WindowSystem& system);

  Index n_times() const { return n_times_; }
  Index n_modes() const { return n_modes_; }
  Index core_size() const { return core_size_; }
  Index border_size() const { return border_size_; }
  // Modes of a field that belong to the border.
  Index n_border_modes(int field) const { return border_modes_[field]; }

  // Position in the core of row r of an equation, of mode k of a field, at the first time; the other times follow.
  Index row(int equation, Index r) const { return positions_[equation][static_cast<std::size_t>(r)]; }
  Index column(int field, Index k) const { return row(equation_of_[field], k - border_modes_[field]); }
  // Position in the border of mode k < n_border_modes(field), likewise.
  Index border(int field, Index k) const { return first_border_[field] + k * n_times_; }

  // A vector of rows: its equations in the order of the core, its conditions in the order of the system.
  void gather_rows(std::span<const double> rows, std::span<double> core, std::span<double> conditions) const;
  // The vector of unknowns.
  void scatter_unknowns(std::span<const double> core, std::span<const double> border, std::span<double> x) const;

 private:
  const WindowSystem& system_;
  Index n_times_ = 1, n_modes_ = 1, core_size_ = 0, border_size_ = 0;
  std::vector<int> equation_of_;               // per field
  std::vector<Index> border_modes_;            // per field
  std::vector<Index> first_border_;            // per field
  std::vector<std::vector<Index>> positions_;  // per equation, per row
};

}  // namespace gwrm
