// One V-cycle of geometric multigrid for the SBP-SAT operator, as a preconditioner for conjugate gradients.
//
// Coarse grids     every second point of every block, the operator discretised anew with the same tau, until a number
//                  of intervals is odd or too small for the order; the coarsest system is solved directly.
// Transfer         P: linear interpolation within a block; restriction P^T. For operators multiplied by H this is the
//                  SBP-preserving pair: restriction of residuals is H_coarse^-1 P^T H_fine.
// Smoother         Chebyshev polynomial of degree 3 in D^-1 A on [l/4, l], l above the largest eigenvalue of D^-1 A;
//                  the same before and after, so that the cycle is symmetric.
// Semidefinite A   (pure Neumann) the coarsest system is fixed at one point.
// Device           the same cycle, cg_multigrid() of kernels/sbp_sat/device_poisson.hpp.
#pragma once

#include <memory>
#include <vector>

#include "problems/sbp_sat/grid_operator.hpp"

namespace gwrm::sbp {

// Solves the system of one grid directly.
class DirectSolver {
 public:
  explicit DirectSolver(const Grid& grid);
  ~DirectSolver();
  DirectSolver(const DirectSolver&) = delete;
  DirectSolver& operator=(const DirectSolver&) = delete;
  void solve(const double* b, double* u) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
  Index n_ = 0;
};

inline constexpr Index kMaxCoarsestPoints = 70000;

// The coarsest grid that halving leads to.
Grid coarsest(const Grid& grid);
bool multigrid_applies(const Grid& grid);  // the coarsest grid is small enough

// The least eigenvalue of A v = mu H v, zero left out: on the coarsest grid, to some per cent.
// An estimate from the extents and the smallest coefficient where that grid is too large.
double smallest_eigenvalue(const Grid& grid);

class Multigrid : public SymmetricOperator {
 public:
  explicit Multigrid(const Grid& grid);
  Index size() const override;
  void apply(const double* r, double* z) const override;
  int n_levels() const { return static_cast<int>(levels_.size()) + 1; }

 private:
  struct Level {
    Grid grid;
    std::unique_ptr<SymmetricOperator> a;
    std::vector<double> inverse_diagonal;
    double largest = 0.0;  // eigenvalue of D^-1 A
    mutable std::vector<double> r, z, d, q;
  };
  void cycle(std::size_t level) const;
  void smooth(const Level& level, bool from_zero) const;

  std::vector<Level> levels_;  // finest first; the coarsest one is `direct_`
  Grid coarsest_;
  std::unique_ptr<DirectSolver> direct_;
  mutable std::vector<double> coarse_r_, coarse_z_;
};

std::vector<double> inverse_diagonal(const Grid& grid);

// coarse = P^T fine; fine += P coarse.
void restrict_to(const Grid& coarse, const Grid& fine, const double* fine_values, double* coarse_values);
void add_interpolated(const Grid& coarse, const Grid& fine, const double* coarse_values, double* fine_values);

}  // namespace gwrm::sbp
