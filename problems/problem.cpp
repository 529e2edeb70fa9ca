#include "problems/problem.hpp"

#include <fmt/format.h>

#include "case/quantities_section.hpp"
#include "core/log.hpp"
#include "core/source_text.hpp"
#include "expression/components.hpp"
#include "expression/printer.hpp"
#include "output/linear_system.hpp"

namespace gwrm {

RunReport report_of(const Case& the_case, const Summary& what, const std::string& device) {
  RunReport report;
  report.title = the_case.title;
  report.quantities = quantities_of(the_case);
  report.case_text = the_case.resolved_text;
  report.device = device;
  report.linear_solver = what.linear_solver;
  report.n_unknowns = what.n_unknowns;
  report.warnings = what.warnings;
  return report;
}

void remove_journal(std::shared_ptr<JournalWriter>& journal) {
  try {
    if (journal != nullptr) journal->remove();
  } catch (const OutputError& error) {
    logger().warn("{}", error.what());
  }
  journal = nullptr;
}

bool stopped_before_verdict(const RunControl& control, RunOutcome& outcome) {
  if (!control.interrupted || !control.interrupted()) return false;
  outcome.status = ExitStatus::interrupted;
  outcome.complete = false;
  outcome.report.status = "interrupted";
  outcome.report.reason = "the equations are solved, the verification is not finished";
  outcome.report.verification = {};
  return true;
}

void end_without_estimate(RunOutcome& outcome) {
  const ErrorEstimate& estimate = outcome.report.verification.estimate;
  if (outcome.status != ExitStatus::converged || !outcome.complete || estimate.status != ErrorEstimate::Status::missing)
    return;
  outcome.status = ExitStatus::not_estimated;
  outcome.report.status = "error not estimated";
  outcome.report.reason = estimate.reason;
}

std::string Problem::no_linear_system() const {
  return "its equations are not handed over as one linear system: problem: sbp_sat_poisson and linear equations of "
         "problem: time_spectral are";
}

LinearSystem Problem::linear_system(const Context&) const {
  throw CaseError("error: no linear system: " + no_linear_system());
}

void refuse_ranks(const std::string& case_path, int n_ranks, const std::string& why) {
  throw CaseError(
      fmt::format("{}: error: {} ranks were started, and this run has no work for more than one: {}; run it without "
                  "mpirun or srun, share out many runs with gwrm sweep or gwrm converge, or, where each rank is to run "
                  "a case of its own, start them with GWRM_RANKS=off in the environment",
                  case_path, n_ranks, why));
}

void check_size(const GivenSolution& solution, Index n_unknowns) {
  if (static_cast<Index>(solution.x.size()) == n_unknowns) return;
  throw CaseError(
      fmt::format("{}: error: {} numbers, and the system of this case has {} unknowns: give the case, with the same "
                  "--set, from which gwrm export --matrix made it",
                  solution.file, solution.x.size(), n_unknowns));
}

std::string describe(const GivenSolution& solution) {
  return "none: the solution was read from " + solution.file;
}

std::vector<PrintedExpression> printed_definitions(expression::Pool& pool) {
  std::vector<PrintedExpression> printed;
  for (const auto& [name, value] : expression::definition_values(pool))
    printed.push_back({"definition " + name, name + " = " + expression::print(value),
                       expression::latex_name(name) + " = " + expression::latex(value)});
  return printed;
}

void refuse_products(const Case& the_case, const std::string& why) {
  const ProductChoice asked = the_case.solver.product;
  if (asked == ProductChoice::automatic || asked == ProductChoice::pointwise) return;
  throw_case_error(the_case.solver.product_where, 0,
                   "products of coefficients are not formed here: " + why + "; leave the key out");
}

}  // namespace gwrm
