#include "problems/problem.hpp"

#include "problems/continuation/branch.hpp"
#include "problems/recurrence_bvp/recurrence_bvp.hpp"
#include "problems/sbp_sat/sbp_sat_poisson.hpp"
#include "problems/time_spectral/time_spectral.hpp"

namespace gwrm {

std::unique_ptr<Problem> make_problem(const Case& problem) {
  if (problem.problem == "time_spectral" && problem.continuation.active()) return std::make_unique<Branch>(problem);
  if (problem.problem == "time_spectral") return std::make_unique<TimeSpectral>(problem);
  if (problem.problem == "recurrence_bvp") return std::make_unique<RecurrenceBvp>(problem);
  if (problem.problem == "sbp_sat_poisson") return std::make_unique<SbpSatPoisson>(problem);
  throw CaseError("unknown problem: " + problem.problem);
}

void refuse_products(const Case& problem, const std::string& why) {
  const ProductChoice asked = problem.solver.product;
  if (asked == ProductChoice::automatic || asked == ProductChoice::pointwise) return;
  throw CaseError(problem.path + ": solver.product: products of coefficients are not formed here: " + why +
                  "; leave the key out");
}

RunReport report_of(const Case& problem, const Summary& what, const std::string& device) {
  RunReport report;
  report.title = problem.title;
  report.case_text = problem.resolved_text;
  report.device = device;
  report.linear_solver = what.linear_solver;
  report.n_unknowns = what.n_unknowns;
  report.warnings = what.warnings;
  return report;
}

}  // namespace gwrm
