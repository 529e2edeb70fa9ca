// The error of a solution on a grid, by the defect equation on a finer one (problems/finer_grid.hpp): the solution is
// interpolated there, and what it lacks is solved for. Blocks keep their sides, so that mapped and jumping coefficients
// are what they were.
//
// Rounding  the bound on the algebraic error (poisson_solver.hpp) where it is small beside the estimate; else what the
//           system's own residual, solved for once more, says. With large contrasts in C the bound is far too large.
#pragma once

#include <vector>

#include "output/report.hpp"
#include "problems/sbp_sat/poisson_solver.hpp"

namespace gwrm::sbp {

// Bytes that a model and its solution keep while the finer system is solved.
double memory_of_model(const Grid& grid);

struct PoissonEstimate {
  ErrorEstimate error;
  std::vector<std::vector<int>> intervals;  // of the finer grid tried last, as SbpSatCase::intervals
};

// `memory`: bytes that the finer problem may take. The status is missing where they do not suffice, or the iteration
// ends early; where the finer problem has no solution the error is infinite, and the reason says why.
PoissonEstimate estimate_poisson_error(const Context& context, const Case& the_case, const PoissonModel& model,
                                       const SolverChoice& choice, const PoissonAnswer& answer, double memory,
                                       const RunControl& control);

}  // namespace gwrm::sbp
