// Newton corrections of a steady problem in several dimensions of space by the LU of its Jacobian, subdomain by
// subdomain.
//
// Method   The cells of the tensor grid of subdomains are halved along the longest axis again and again: a tree whose
//          leaves are single cells. Every row belongs to the smallest part that holds all of its unknowns: equations to
//          one cell, continuity and conditions to the part that joins their cells. In each part its rows are a wide
//          system A x = b in the numbers that its halves have left free, and its solutions are
//            x = A^+ b + N c
//          with as many new free numbers c as unknowns less rows: LU of A^T with partial pivoting, so that any order
//          and kind of equation and condition will do. Rows of larger parts are carried along as E N c. The whole has
//          no free number.
//          That is nested dissection with pivots from all columns of a front.
// Layout   x and b in the order of the spatial unknowns and rows (averaged_rows.hpp).
// Cost     with n cells of m unknowns in two dimensions O(n m^3 + n^1.5 m^1.5) operations, and O(n m^2 + n log(n) m)
//          numbers kept; estimated by cell_cost().
// Source   A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10 (1973) 345-363; the
//          merging of solutions of parts: P.-G. Martinsson, A direct solver for variable coefficient elliptic PDEs
//          discretized via a composite spectral collocation method, J. Comput. Phys. 242 (2013) 460-479.
#pragma once

#include <memory>
#include <string>

#include "solver/linear_solver.hpp"
#include "weighted_residual/preconditioner/cell_rows.hpp"

namespace gwrm {

// Of one factorisation: bytes that it keeps, floating-point operations.
struct CellCost {
  double bytes = 0.0, operations = 0.0;
};
CellCost cell_cost(const Model& model, const std::vector<AxisDescription>& subdomains);

// The factors of the rows of all cells.
class CellTree {
 public:
  CellTree();
  ~CellTree();
  // n_rows: of the whole system, as many as unknowns.
  LuStatus factor(RowsOfCells rows, Index n_rows);
  // Overwrites b with the solution.
  void solve(std::span<double> b) const;

 private:
  struct Part;
  std::unique_ptr<Part> whole_;
};

class CellSolver : public LinearSolver {
 public:
  // The system has no cells_unsupported_reason(). tree: may hold the factors of this very system's Jacobian.
  CellSolver(const WindowSystem& system, CellTree& tree, bool already_factored)
      : system_(system), layout_(system), tree_(tree), factored_(already_factored) {}

  LinearOutcome linearise(std::span<const double> x, bool fresh) override;
  LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) override;
  void apply_preconditioner(std::span<double> v) override;
  bool is_direct() const override { return true; }
  double reciprocal_condition() const override { return 0.0; }

 private:
  const WindowSystem& system_;
  SpatialLayout layout_;
  CellTree& tree_;
  bool factored_;
  Linearisation at_x_;
};

}  // namespace gwrm
