// The SBP-SAT operator A of a grid (problems/sbp_sat/grid.hpp), symmetric positive definite for tau above its bound,
// without a matrix and as one; and the right-hand side b of A u = b. Everything is multiplied by the quadrature H.
//
//   inside      A = M_slow^(C) (x) H + H (x) M_fast^(C)
//                 + D_slow^T H c_cross D_fast + D_fast^T H c_cross D_slow + sides + interfaces
//   Dirichlet   A += E^T tau H E - E^T H F - F^T H E,  b += (E^T tau - F^T) H g
//   flux        A += E^T kappa H E,                    b += E^T H g
//   interface   A += J^T tau H J - J^T H {F} - {F}^T H J
//               with J = E_l - E_u, {F} = w_l F_l - w_u F_u, w_l = t_u/(t_l + t_u)
// E takes the values at a side, F the outward fluxes there.
// Source: Mattsson and Nordstrom 2004, Mattsson 2012 (kernels/sbp_sat/sbp_tables.hpp); penalties after Virta and
//         Mattsson, J. Sci. Comput. 61 (2014) 90.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/linear_algebra/sparse_matrix.hpp"
#include "kernels/sbp_sat/mixed_stiffness.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"
#include "kernels/sbp_sat/variable_stiffness.hpp"
#include "problems/sbp_sat/grid.hpp"
#include "problems/sbp_sat/side_flux.hpp"
#include "solver/conjugate_gradients.hpp"

namespace gwrm::sbp {

// One block with constant coefficients: A = A_slow (x) H + H (x) A_fast. ShapeError unless grid.separable().
SeparableOperator separable_operator(const Grid& grid);

class GridOperator : public SymmetricOperator {
 public:
  explicit GridOperator(const Grid& grid);

  Index size() const override { return size_; }
  void apply(const double* u, double* q) const override { apply(u, u, q); }
  // The same of less rounding where u is nearly constant on a block of large C: derivatives are those of u without its
  // mean on each block.
  void apply_to_differences(const double* u, double* q) const;

  // Entries of row i of A, several of one column among them.
  void row(Index i, RowEntries& entries) const;
  CsrMatrix assemble() const;
  std::vector<double> diagonal() const;

  // b of the values of f at the points (times J on curvilinear blocks) and of g at the points of every side.
  std::vector<double> right_hand_side(const std::vector<double>& source,
                                      const std::vector<std::vector<double>>& data) const;

 private:
  struct BlockPart {
    Block block;
    std::optional<SeparableOperator> constant;  // the stiffness of a constant C ...
    std::optional<VariableStiffness> variable;  // ... or of a variable one,
    std::vector<double> slow, fast;             // its entries at every point, where the block has a constant
    std::optional<MixedStiffness> mixed;

    const double* slow_values() const { return slow.empty() ? block.c.slow.data() : slow.data(); }
    const double* fast_values() const { return fast.empty() ? block.c.fast.data() : fast.data(); }
  };
  struct SidePart {
    BoundarySide side;
    SideFlux flux;
    std::vector<double> penalty;
  };
  struct InterfacePart {
    int lower_block, upper_block;
    SideFlux lower, upper;
    std::vector<double> penalty, lower_weight, upper_weight;
  };

  BlockPart make_block(const Grid& grid, const Block& block) const;
  // v: u but for a constant on each block, whose derivatives are taken.
  void apply(const double* u, const double* v, double* q) const;
  void add_side(const SidePart& part, const double* u, const double* v, double* q) const;
  void add_interface(const InterfacePart& part, const double* u, const double* v, double* q) const;
  void stiffness_row(const BlockPart& part, Index j, Index i, RowEntries& entries) const;
  void cross_row(const BlockPart& part, Index j, Index i, RowEntries& entries) const;
  void side_row(const SidePart& part, Index j, Index i, RowEntries& entries) const;
  void interface_row(const InterfacePart& part, bool in_lower, Index j, Index i, RowEntries& entries) const;

  Index size_ = 0;
  std::vector<double> weights_;
  std::vector<BlockPart> blocks_;
  std::vector<SidePart> sides_;
  std::vector<InterfacePart> interfaces_;
};

// The fast path of one block with constant coefficients.
class SeparableGridOperator : public SymmetricOperator {
 public:
  explicit SeparableGridOperator(const Grid& grid) : a_(separable_operator(grid)) {}
  Index size() const override { return a_.size(); }
  void apply(const double* u, double* q) const override { cpu::separable_apply(a_, u, q); }
  double direction(double beta, const double* r, const double* s, double* p, double* q,
                   std::vector<double>& workspace) const override {
    static_cast<void>(q);
    workspace.resize(cpu::separable_workspace(a_));
    return cpu::separable_direction(a_, beta, r, s, p, workspace.data());
  }
  ResidualSums step(double alpha, const double* p, const double* q, const double* s, double* x, double* r,
                    std::vector<double>& workspace) const override {
    static_cast<void>(q);
    workspace.resize(cpu::separable_workspace(a_));
    return cpu::separable_step(a_, alpha, p, s, x, r, workspace.data());
  }
  bool has_one_pass() const override { return true; }
  OnePassSums one_pass(const OnePassStep& step, const double* s, double* p, double* x, double* r,
                       std::vector<double>& workspace) const override {
    workspace.resize(cpu::one_pass_workspace(a_));
    return cpu::separable_one_pass(a_, step, s, p, x, r, workspace.data());
  }
  const SeparableOperator& parts() const { return a_; }

 private:
  SeparableOperator a_;
};

class CsrOperator : public SymmetricOperator {
 public:
  explicit CsrOperator(CsrMatrix matrix) : matrix_(std::move(matrix)) {}
  Index size() const override { return matrix_.n; }
  void apply(const double* u, double* q) const override { cpu::csr_apply(matrix_, u, q); }
  const CsrMatrix& matrix() const { return matrix_; }

 private:
  CsrMatrix matrix_;
};

class EllOperator : public SymmetricOperator {
 public:
  explicit EllOperator(EllMatrix matrix) : matrix_(std::move(matrix)) {}
  Index size() const override { return matrix_.n; }
  void apply(const double* u, double* q) const override { cpu::ell_apply(matrix_, u, q); }
  const EllMatrix& matrix() const { return matrix_; }

 private:
  EllMatrix matrix_;
};

// Without a matrix: the fast path where it applies.
std::unique_ptr<SymmetricOperator> matrix_free_operator(const Grid& grid);

}  // namespace gwrm::sbp
