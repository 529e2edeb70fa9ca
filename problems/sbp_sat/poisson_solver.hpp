// Which solver a Poisson problem gets, and its run.
//
// auto    constant coefficients on one rectangle, up to kMaxDirectPoints points a side: fast diagonalisation with one
//         refinement; else conjugate gradients preconditioned by multigrid where the numbers of intervals can be halved
//         down to a small grid; else by Jacobi.
// Bound   |e|_H <= |r|_2/(mu sqrt(w)), e what the iteration leaves of the error of the discrete system: mu the least
//         eigenvalue of A v = mu H v, w the least weight of H inside the blocks.
// Correction  one step of iterative refinement from a residual of less rounding, if the bound is more than a
//         thousandth of `verification.tolerance`: with contrasts in C of 1e9 the rounding of A u was a hundred times
//         the error of the scheme. With `algebraic_error` or a `tolerance` above the default one, only if that residual
//         is larger than the iteration's: a loose tolerance is kept. Its iterations are counted apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "core/context.hpp"
#include "problems/problem.hpp"
#include "problems/sbp_sat/poisson_model.hpp"
#include "problems/sbp_sat/sbp_sat_case.hpp"
#include "solver/conjugate_gradients.hpp"

namespace gwrm::sbp {

inline constexpr Index kMaxDirectPoints = 6000;  // beyond, 8 n^3 operations take longer than multigrid

struct SolverChoice {
  PoissonSolver solver = PoissonSolver::jacobi_cg;
  PoissonOperator operator_form = PoissonOperator::matrix_free;
  ReductionChoice reduction = ReductionChoice::standard;
};

// Resolves `auto`; CaseError where the case asks for a solver that does not fit.
SolverChoice choose_solver(const Case& the_case, const Grid& grid);
std::string describe(const SolverChoice& choice, const Grid& grid);
double memory_of(const SolverChoice& choice, const Grid& grid);  // bytes, an estimate

struct PoissonAnswer {
  CgStatus status = CgStatus::converged;
  int iterations = 0;               // of conjugate gradients, or solves by fast diagonalisation
  int n_correction_iterations = 0;  // of a correction, not in `iterations`; 0: none was made
  std::vector<double> u;            // over the blocks
  std::vector<double> residuals;    // |r|_2 before the first iteration and after each
  double right_hand_side = 0.0;     // |b|_2
  double residual = 0.0;            // |b - A u|_2 at the end, computed anew
  double error_factor = 0.0;        // times |r|_2: bound on |e|_H
  double imbalance = 0.0;           // of pure Neumann data: |sum b| / sum |b|
  std::vector<std::string> warnings;
};

// b, in pure Neumann problems with the sum 0 that A u = b needs; CaseError where the data are far from it. imbalance:
// |sum b| / sum |b| before.
struct PoissonRightHandSide {
  std::vector<double> b;
  double imbalance = 0.0;
  std::vector<std::string> warnings;
};
PoissonRightHandSide right_hand_side(const Case& the_case, const PoissonModel& model);

// With RunControl::solution that one is taken as it is, and judged.
PoissonAnswer solve_poisson(const Context& context, const Case& the_case, const PoissonModel& model,
                            const SolverChoice& choice, const RunControl& control);

// u without its mean in the norm H.
void remove_mean(const Grid& grid, std::vector<double>& u);

// What `u` lacks: A d = b - A u, solved until |r|_2 is this share of its start. Returned as an answer whose u is d,
// without the bound on its error.
PoissonAnswer solve_defect(const Context& context, const Case& the_case, const PoissonModel& model,
                           const SolverChoice& choice, const RunControl& control, const std::vector<double>& u,
                           double share);

}  // namespace gwrm::sbp
