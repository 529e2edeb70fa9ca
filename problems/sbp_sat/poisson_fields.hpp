// What is told of a finished solution: why it failed, its errors, and the fields of the result file.
#pragma once

#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "problems/sbp_sat/poisson_model.hpp"
#include "problems/sbp_sat/poisson_solver.hpp"

namespace gwrm::sbp {

struct CgFailure {
  ExitStatus status = ExitStatus::converged;
  std::string text, reason;
};
CgFailure failure_of(const PoissonAnswer& answer, const Case& the_case, const SolverChoice& choice, const Grid& grid);

// Of u - exact; with pure Neumann conditions of what is left of it without its mean.
struct FieldErrors {
  double maximum = 0.0;   // relative to the largest value of exact
  double l2 = 0.0;        // in the norm of H, relative to that of exact
  double absolute = 0.0;  // in the norm of H, as the paper tells it
};
FieldErrors errors_against_exact(const PoissonModel& model, const std::vector<double>& u,
                                 const std::vector<double>& weights);

// `output.fields` at all points; on mapped grids x and y as well.
std::vector<SampledField> sampled_fields(const Case& the_case, const PoissonModel& model, const std::vector<double>& u);

}  // namespace gwrm::sbp
