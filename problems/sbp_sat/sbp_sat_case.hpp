// The section `sbp_sat` of a case as plain data; docs/case-file.md describes each key.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "case/case.hpp"

namespace gwrm {

enum class PoissonSolver { automatic, fast_diagonalisation, multigrid_cg, jacobi_cg, cg };
enum class PoissonOperator { automatic, matrix_free, csr, ell };
enum class ReductionChoice { standard, single };

// The equation -div(c grad u) = source on a rectangle or its image. Lists per dimension are in the order of
// Case::domain.
struct SbpSatCase : ModuleCase {
  int order = 2;
  std::vector<std::vector<double>> edges;    // key `blocks`: of the blocks along each dimension, ends included
  std::vector<std::vector<int>> intervals;   // of each block along each dimension
  std::vector<NamedExpression> mapping;      // x, y as expressions of the dimensions; empty: the dimensions themselves
  std::vector<NamedExpression> coefficient;  // "c", or any of "xx", "xy", "yy"; empty: 1
  SourceText source;
  double tau = 0.0;  // 0: chosen by the program
  PoissonSolver solver = PoissonSolver::automatic;
  PoissonOperator operator_form = PoissonOperator::automatic;  // key `operator`, a reserved word of C++
  ReductionChoice reduction = ReductionChoice::standard;
  double tolerance = 1e-12;
  double algebraic_error = 0.0;  // 0: the iteration ends by `tolerance`
  int max_iterations = 100000;
  SourceText where, intervals_where, tau_where, solver_where;  // the keys; `where` for those left out
};

}  // namespace gwrm
