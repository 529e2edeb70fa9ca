// The Jacobian of a window, [A B; C D] in the order of banded_layout.hpp, factored.
//
// A banded core, B its border, (C D) the conditions. With v_j = (-A^{-1} B e_j, e_j), which solves the equations
// without right-hand side, the conditions see the dense Schur complement S_ij = (C D)_i v_j. Then
//   y = S^{-1} (b_c - C A^{-1} b_e),  z = A^{-1} (b_e - B y).
// Cost    a banded LU of core_size, border_size + 2 banded solves, a dense LU of border_size.
#pragma once

#include <memory>
#include <span>

#include "weighted_residual/preconditioner/banded_rows.hpp"

namespace gwrm {

class BandedFactors {
 public:
  // Takes the rows over; the system may go before the factors do. regular, singular or not_finite, of A or of S.
  LuStatus factor(const WindowSystem& system, BandedRows rows);
  // x = J^{-1} b to the round-off of A and S; b in the order of the system's rows, x of its unknowns, which they do not
  // overlap. `system` has the same layout as that of factor().
  void solve(const WindowSystem& system, std::span<const double> b, std::span<double> x) const;

 private:
  // (C D) v for a vector of unknowns.
  void apply_conditions(const WindowSystem& system, std::span<const double> v, std::span<double> result) const;

  BandedLu core_;
  Matrix border_;
  std::vector<BandedConditionTerm> conditions_;
  std::unique_ptr<DenseLu> schur_;
};

}  // namespace gwrm
