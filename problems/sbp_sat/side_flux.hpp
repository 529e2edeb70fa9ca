// The outward flux n.C grad u at the points of one side of a block, as rows of a matrix: F.
//
//   F[m] u = c_nn[m] sum_k d_k u(m, k inwards) +- c_nt[m] sum_m' D_t[m, m'] u(m', 0)
#pragma once

#include <vector>

#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "problems/sbp_sat/grid.hpp"

namespace gwrm::sbp {

class SideFlux {
 public:
  SideFlux(const Grid& grid, int block, Side side);

  const SideLayout& layout() const { return layout_; }
  const std::vector<double>& weights() const { return weights_; }  // H along the side
  Index node(Index m) const { return layout_.first + m * layout_.along; }

  void apply(const double* u, double* flux) const;                  // flux = F u, n values
  void add_transposed(const double* values, double* result) const;  // result += F^T values

  void add_row(Index m, double factor, RowEntries& entries) const;  // += factor F[m]
  // The points m of the side whose flux contains the value at (m0 along, depth inwards): (m, factor F[m, node]).
  void add_column(Index m0, Index depth, double factor, RowEntries& entries) const;
  Index depth() const { return static_cast<Index>(derivative_.size()); }

 private:
  SideLayout layout_;
  std::vector<double> weights_;
  std::vector<double> derivative_;        // outward, from the side inwards
  std::vector<double> normal_;            // c_nn at the points of the side
  std::vector<double> tangential_;        // +- c_nt; empty: zero
  StencilRows along_, along_transposed_;  // D_t and its transpose, where there is a tangential part
};

}  // namespace gwrm::sbp
