// The discrete problem: blocks of points, the coefficients on them, and what holds at their sides.
//
// -div(C grad u) = f in the coordinates of the grid, (slow, fast): `slow` counts rows, `fast` neighbours in memory. On
// a curvilinear block C is the transformed tensor J (grad xi) C (grad xi)^T and fluxes are per unit length of the
// grid's coordinate. The blocks are the tensor grid of the parts of the two axes; neighbours share their side, point by
// point.
#pragma once

#include <utility>
#include <vector>

#include "core/array.hpp"
#include "kernels/sbp_sat/stencil_rows.hpp"

namespace gwrm::sbp {

// C at the points of a block; vectors of one value stand for a constant.
struct Coefficients {
  std::vector<double> slow;  // the entry of two derivatives along `slow`
  std::vector<double> fast;
  std::vector<double> cross;  // the mixed entry; empty: zero

  bool constant() const { return slow.size() == 1 && fast.size() == 1; }
};

struct Block {
  Index n_slow = 0, n_fast = 0;  // points
  double h_slow = 0.0, h_fast = 0.0;
  Index offset = 0;  // of its first value in vectors over all blocks
  Coefficients c;

  Index size() const { return n_slow * n_fast; }
};

struct Side {
  bool across_slow = false;  // the side is met on the way along `slow`
  End end = End::lower;
};

enum class ConditionKind { dirichlet, flux };  // u = g; outward flux + kappa u = g

struct BoundarySide {
  int block = 0;
  Side side;
  ConditionKind kind = ConditionKind::dirichlet;
  std::vector<double> kappa;  // per point of the side; empty: zero
};

// The upper side of `lower` lies on the lower side of `upper`.
struct Interface {
  int lower = 0, upper = 0;
  bool across_slow = false;
};

struct Grid {
  int order = 2;
  // Penalty in units of c^2/(h c_min), of which kernels/sbp_sat/sbp_tables.hpp tells the bounds; 0: twice the bound.
  double tau = 0.0;
  std::vector<Block> blocks;
  std::vector<BoundarySide> sides;
  std::vector<Interface> interfaces;

  Index size() const;
  bool constant() const;         // C everywhere constant and diagonal
  bool separable() const;        // and one block, with Robin conditions of constant kappa
  bool all_flux() const;         // pure Neumann: constants are in the kernel
  double penalty_bound() const;  // tau must be larger
  double penalty() const;        // tau, or its default
  Index least_intervals() const;
};

// The points of one side of a block and the way into it.
struct SideLayout {
  SideLayout(const Block& block, Side side);
  Index n = 0;       // points along the side
  Index first = 0;   // index of its first point within all blocks
  Index along = 0;   // to the next point of the side
  Index inward = 0;  // to the next point off the side
  double h_along = 0.0, h_inward = 0.0;
};

// Values of a coefficient along a line of points: a constant does not move.
inline double coefficient_at(const std::vector<double>& values, Index point) {
  return values.empty() ? 0.0 : values.size() == 1 ? values.front() : values[static_cast<std::size_t>(point)];
}

// t = c^2/(h c_min) (and the cross term) at every point of a side, without the factor tau.
std::vector<double> penalty_scale(const Grid& grid, const Block& block, Side side);

// Every second point of every block, for multigrid; the number of intervals must be even everywhere.
bool can_coarsen(const Grid& grid);
int n_coarsenings(const Grid& grid);    // how often
Index coarsest_size(const Grid& grid);  // points that are left then
Grid coarsened(const Grid& grid);

// The quadrature weights of H over all blocks.
std::vector<double> norm_weights(const Grid& grid);

}  // namespace gwrm::sbp
