#include "problems/problem.hpp"

#include "case/quantities_section.hpp"
#include "core/log.hpp"
#include "core/source_text.hpp"
#include "expression/components.hpp"
#include "expression/printer.hpp"

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
